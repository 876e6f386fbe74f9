import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, describe, it } from 'node:test';
import { refuseCalls, settle, violations, visit, wrongField } from './browser.ts';
import { operatorPage } from './operator-browser.ts';

/** What every operators' list does in its URL, in the browser's history and on phones, shown on the queue. */
const { site, panel, page, context, complaints } = await operatorPage(
  { after },
  { language: 'en', path: '/withdrawals', reducedMotion: 'reduce', viewport: { width: 390, height: 844 } },
);

const address = `${panel}/withdrawals`;
const desk = { width: 1440, height: 900 };
const rowButton = () => page.locator('[id^="row-"]').first();
const rows = page.locator('#main tbody').getByRole('row');
const parameter = (name: string) => new URL(page.url()).searchParams.get(name);

describe('an operators’ list on a phone', () => {
  it('closes a sheet over the list by Back and stays on the list', async () => {
    await rowButton().waitFor();
    await visit(page, `${panel}/support`);
    await page.getByRole('heading', { level: 1, name: 'Tickets' }).waitFor();
    const url = `${address}?status=all`;
    await visit(page, url);
    await rowButton().waitFor();
    const entries = () => page.evaluate(() => history.length);
    const before = await entries();
    const sheet = page.getByRole('dialog');
    const id = await rowButton().getAttribute('id');
    await rowButton().click();
    await sheet.getByRole('button', { name: 'Next request' }).click();
    await sheet.getByRole('heading', { name: /2 \// }).waitFor();
    await page.goBack();
    await sheet.waitFor({ state: 'detached' });
    assert.equal(page.url(), url);
    await rowButton().click();
    await sheet.getByRole('button', { name: 'Close' }).click();
    await sheet.waitFor({ state: 'detached' });
    assert.equal(page.url(), url);
    await page.waitForFunction((id) => document.activeElement?.id === id, id);
    await rowButton().click();
    await sheet.waitFor();
    assert.equal(await entries(), before + 1);
    await page.reload();
    await sheet.getByRole('button', { name: 'Close' }).click();
    await sheet.waitFor({ state: 'detached' });
    await page.goBack();
    await page.waitForURL('**/support');
    await page.setViewportSize(desk);
    await visit(page, url);
    await rowButton().click();
    await page.getByRole('complementary').waitFor();
    await page.goBack();
    await page.waitForURL('**/support');
  });

  it('has the acts on all requests and the export in one menu', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await visit(page, address);
    await rowButton().waitFor();
    const title = await page.getByRole('heading', { level: 1 }).boundingBox();
    const more = page.getByRole('button', { name: 'More actions' });
    const box = await more.boundingBox();
    assert.ok(title !== null && box !== null && box.y < title.y + title.height, 'beside the title');
    await more.focus();
    await page.keyboard.press('Enter');
    const items = page.getByRole('menuitem');
    await items.first().waitFor();
    assert.deepEqual(await items.allInnerTexts(), ['Reject all…', 'Approve all…', 'Export as CSV']);
    for (const item of await items.all()) assert.ok(((await item.boundingBox())?.height ?? 0) >= 44);
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press('ArrowUp');
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
    assert.equal(download.suggestedFilename(), 'withdrawals-data.csv');
    await more.click();
    await items.first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('heading', { name: /^Reject \d+ withdrawals\?$/ }).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  it('has targets of at least 44 px, whose edge selects a row and does not open it', async () => {
    const label = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('checkbox') })
      .first()
      .locator('label');
    const [more, state] = ['More actions', /^State /].map((name) => page.getByRole('button', { name }));
    for (const target of [more, state, label]) {
      const box = await target?.boundingBox();
      assert.ok(box && box.width >= 44 && box.height >= 44, `${box?.width} × ${box?.height}`);
    }
    await label.click({ position: { x: 2, y: 2 } });
    assert.equal(await page.getByRole('listitem').getByRole('checkbox').first().isChecked(), true);
    assert.equal(parameter('open'), null);
  });
});

describe('an operators’ list', () => {
  it('keeps filter, order and columns in the URL', async () => {
    await page.setViewportSize(desk);
    await visit(page, address);
    await rows.first().waitFor();
    await page.getByRole('button', { name: /^State / }).click();
    await page.getByRole('menuitemradio', { name: 'Rejected' }).click();
    await page.waitForURL('**?status=rejected');
    await page.getByRole('columnheader', { name: 'Amount' }).getByRole('button').click();
    await page.waitForURL((url) => url.searchParams.get('sort') === '-amount');
    await page.getByRole('button', { name: 'Columns' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Method' }).click();
    await page.getByRole('menuitemcheckbox', { name: 'Where to' }).click();
    await page.keyboard.press('Escape');
    await page.reload();
    await rows.first().waitFor();
    const headings = await page.getByRole('columnheader').allInnerTexts();
    assert.ok(headings.some((text) => text === 'Where to') && !headings.includes('Method'), headings.join());
    const amountHeading = page.getByRole('columnheader', { name: 'Amount' });
    assert.equal(await amountHeading.getAttribute('aria-sort'), 'descending');
  });

  it('saves the filtered rows as a file, and says why an export was refused', async () => {
    const path = `${site.origin}/api/admin/withdrawals-data?status=rejected&limit=100`;
    const listed = await (await context.request.get(path)).json();
    const { withdrawals } = listed as { withdrawals: { id: string }[] };
    const link = page.getByRole('link', { name: 'Export as CSV' });
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    assert.equal(download.suggestedFilename(), 'withdrawals-data.csv');
    const saved = (await readFile(await download.path(), 'utf8')).trim().split('\r\n').slice(1);
    assert.ok(saved.length > 0);
    assert.equal(saved.length, withdrawals.length);
    for (const { id } of withdrawals) assert.ok(saved.join().includes(id), id);
    await refuseCalls(page, '**/api/admin/withdrawals-data?*format=csv');
    await link.click();
    await page.getByRole('alert').getByText('Too many requests. Try again later.').waitFor();
    await page.unroute('**/api/admin/withdrawals-data?*format=csv');
    complaints.splice(0);
  });

  it('cancels a pending search when the field is cleared, and keeps a space while typing on', async () => {
    await visit(page, address);
    await page.getByRole('button', { name: /^State Pending/ }).waitFor();
    const field = page.getByRole('textbox', { name: 'Find a withdrawal' });
    await field.pressSequentially('jiho');
    await page.getByRole('button', { name: 'Clear the search' }).click();
    assert.equal(await field.inputValue(), '');
    await page.waitForTimeout(600);
    assert.equal(await field.inputValue(), '');
    assert.equal(parameter('q'), null);
    for (const text of ['지호', ' ', '정']) {
      await page.keyboard.insertText(text);
      await page.waitForTimeout(450);
    }
    assert.equal(await field.inputValue(), '지호 정');
    await page.waitForURL((url) => url.searchParams.get('q') === '지호 정');
    await field.fill('nobody of this name');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.waitForURL((url) => url.searchParams.get('q') === null);
    assert.equal(await field.inputValue(), '');
  });

  it('asks for no order, filter and column that it does not have', async () => {
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/api/admin/withdrawals-data')) asked.push(new URL(request.url()).search);
    });
    await page.goto(`${address}?sort=-points&status=lost&page=0`);
    await page.waitForURL(address);
    await rows.first().waitFor();
    // The same address within the loaded page.
    await page.evaluate(() => history.pushState(null, '', '?sort=name'));
    await page.goBack();
    await page.goForward();
    await rows.first().waitFor();
    await visit(page, `${address}?columns=zzz&minAmount=9000&maxAmount=100&status=all&sort=-amount`);
    await page
      .getByRole('columnheader', { name: 'Amount' })
      .and(page.locator('[aria-sort="descending"]'))
      .waitFor();
    await page.waitForTimeout(500);
    assert.ok(
      asked.some((query) => query.includes('sort=-amount')),
      asked.join(),
    );
    for (const query of asked) assert.doesNotMatch(query, /points|lost|name|page=0|zzz|Amount=/);
    assert.deepEqual(complaints, []);
  });

  it('offers the declared choices and orders, and filters by a method and by whole points in their order', async () => {
    await visit(page, `${address}?status=all`);
    await rows.first().waitFor();
    for (const [chip, options] of [
      ['Method', ['Litecoin', 'Dash', 'PayPal', 'NOWPayments', 'All']],
      ['Order', ['Oldest first', 'Newest first', 'Largest first', 'Smallest first']],
    ] as const) {
      await page.getByRole('button', { name: new RegExp(`^${chip} `) }).click();
      await page.getByRole('menuitemradio', { name: options[0] }).waitFor();
      assert.deepEqual(await page.getByRole('menuitemradio').allInnerTexts(), options);
      await page.keyboard.press('Escape');
      await page.getByRole('menu').waitFor({ state: 'detached' });
    }
    await page.getByRole('button', { name: /^Method / }).click();
    await page.getByRole('menuitemradio', { name: 'Dash' }).click();
    await page.getByRole('button', { name: /^Amount All/ }).click();
    const [from, to] = [page.getByLabel('From'), page.getByLabel('To', { exact: true })];
    await from.fill('a thousand');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('Must be whole points').waitFor();
    assert.deepEqual(await violations(page), []);
    await from.fill('9,000');
    await to.fill('100');
    await page.getByRole('button', { name: 'Apply' }).click();
    await wrongField(page, 'Must not be less than “From”');
    assert.equal(parameter('minAmount'), null);
    await from.fill('1,500');
    await to.fill('');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('button', { name: /^Amount 1,500\sP or more$/ }).waitFor();
    assert.equal(new URL(page.url()).search, '?status=all&method=dash&minAmount=1500');
    const answer = await context.request.get(
      `${site.origin}/api/admin/withdrawals-data?method=dash&minAmount=1500`,
    );
    const { withdrawals } = (await answer.json()) as { withdrawals: { id: string; amount: string }[] };
    assert.ok(withdrawals.length > 0);
    const sum = withdrawals.reduce((points, { amount }) => points + Number(amount), 0);
    await page.getByLabel('Totals').getByText(sum.toLocaleString('en-US')).waitFor();
    for (const { id } of withdrawals) await page.locator(`#row-${id}`).waitFor();
    await rows.nth(withdrawals.length).waitFor({ state: 'detached' });
  });
});

/** Changes every row that the server answers with. */
const changeRows = (change: (row: Record<string, unknown>) => object) =>
  page.route('**/api/admin/withdrawals-data?*', async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as { withdrawals: Record<string, unknown>[] };
    const withdrawals = body.withdrawals.map((row) => ({ ...row, ...change(row) }));
    await route.fulfill({ response, json: { ...body, withdrawals } });
  });

/** Waits until the table is no wider than the list. */
async function fitsAt(where: string) {
  const widths = await page.evaluate(async () => {
    const read = () => {
      const list = document.querySelector('table')?.parentElement;
      return { content: list?.scrollWidth ?? Number.NaN, shown: list?.clientWidth ?? Number.NaN };
    };
    for (let frames = 0; frames < 30 && read().content > read().shown; frames += 1)
      await new Promise(requestAnimationFrame);
    return read();
  });
  assert.ok(widths.content <= widths.shown, `${where}: ${widths.content}, ${widths.shown}`);
}

describe('the rows of an operators’ list', () => {
  it('do not move when a sheet opens, so that a second click hits the same one', async () => {
    // Both are true of a request at once: in such a row two badges stand beside each other.
    const flags = ['points-in-check', 'first-payout'];
    await changeRows(({ status }) => (status === 'pending' ? { flags } : {}));
    const places = async () => {
      await settle(page);
      return rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().y));
    };
    const sheet = page.getByRole('complementary');
    // What was asked in another order was not read before.
    for (const [query, ...widths] of [
      ['?sort=amount', 1280],
      ['?sort=amount&status=all', 1440],
      ['?sort=amount&minAmount=1000&maxAmount=900000&status=all', 1920, 1280],
    ] as const) {
      const answered = page.waitForResponse(/withdrawals-data\?.*sort=amount/);
      await visit(page, address + query);
      await answered;
      await page.locator('#main [aria-busy="true"]').waitFor({ state: 'detached' });
      await rows.locator('[data-tone="blocked"] + [data-tone="wait"]').first().waitFor();
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        const before = await places();
        const id = await rows.nth(2).getByRole('button').getAttribute('id');
        const box = await rows.nth(2).boundingBox();
        assert.ok(box);
        const [x, y] = [box.x + 120, box.y + box.height - 6];
        await page.mouse.click(x, y);
        await sheet.getByRole('button').last().waitFor();
        await page.mouse.click(x, y);
        assert.equal(parameter('open'), id?.replace('row-', ''));
        assert.deepEqual(await places(), before, `${width} ${query}`);
        await page.keyboard.press('Escape');
        await sheet.waitFor({ state: 'detached' });
      }
    }
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('show long names without an inner scroll, with and without the sheet', async () => {
    const long = 'Wilhelmina.Featherstonehaugh.of.Wolverhampton';
    await changeRows(({ userName, userEmail }) => ({
      userName: `${long}${userName}`,
      userEmail: `${long}${userEmail}`,
    }));
    await visit(page, `${address}?sort=-createdAt`);
    await rows.filter({ hasText: 'Featherstonehaugh' }).first().waitFor();
    const widths = [768, 1024, 1440];
    for (const width of widths) {
      await page.setViewportSize({ width, height: 800 });
      await fitsAt(`${width} px`);
    }
    await rows.first().getByRole('button').click();
    for (const width of widths.toReversed()) {
      await page.setViewportSize({ width, height: 800 });
      await page.getByRole(width < 1024 ? 'dialog' : 'complementary').waitFor();
      await fitsAt(`${width} px with the sheet`);
    }
    await page.unrouteAll({ behavior: 'wait' });
    await page.setViewportSize(desk);
  });
});

const views = page.getByRole('navigation', { name: 'Withdrawals by kind' });
const current = (name: string | RegExp) =>
  views.getByRole('link', { name, exact: true }).and(page.locator('[aria-current]'));
const dialog = page.getByRole('dialog');

async function save(name: string) {
  await page.getByRole('button', { name: 'Save view' }).click();
  await dialog.getByLabel('Name').and(page.locator(':focus')).waitFor();
  await page.keyboard.type(name);
  const answer = page.waitForResponse((response) => response.url().endsWith('/api/admin/views'));
  await dialog.getByRole('button', { name: 'Save' }).click();
  assert.equal((await answer).status(), 201);
  await dialog.waitFor({ state: 'detached' });
}

describe('the views of an operators’ list', () => {
  it('offer to save only what is no view yet', async () => {
    await visit(page, address);
    await current(/^Pending/).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Save view' }).count(), 0);
    await visit(page, `${address}?status=all&sort=-amount`);
    await page.getByRole('button', { name: 'Save view' }).waitFor();
    assert.equal(await current('All').count(), 1);
    assert.equal(await views.locator('[aria-current]').count(), 1);
  });

  it('save the filters under a name, and open them by a click and by the number', async () => {
    await visit(page, `${address}?sort=-amount&status=all&page=1`);
    await save('Largest of all');
    await current('Largest of all').waitFor();
    await page.keyboard.press('1');
    await page.waitForURL((url) => url.search === '');
    // After the five of the list itself.
    await page.keyboard.press('6');
    await page.waitForURL((url) => url.searchParams.get('sort') === '-amount');
    await page.keyboard.press('1');
    await page.waitForURL((url) => url.search === '');
    await views.getByRole('link', { name: 'Largest of all' }).click();
    await page.waitForURL((url) => url.searchParams.get('status') === 'all');
    await current('Largest of all').waitFor();
  });

  it('say that a view of the same name gets the new filters, and ask for a name', async () => {
    await visit(page, `${address}?status=approved`);
    await page.getByRole('button', { name: 'Save view' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Enter a name.').waitFor();
    await dialog.getByLabel('Name').fill('Largest of all');
    await dialog.getByText('A view has this name. It gets these filters.').waitFor();
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await current('Largest of all').waitFor();
    assert.equal(await views.getByRole('link', { name: 'Largest of all' }).count(), 1);
  });

  it('belong to their screen', async () => {
    await visit(page, `${panel}/payouts?state=failed`);
    const payouts = page.getByRole('navigation', { name: 'Payouts by state' });
    await payouts.waitFor();
    await save('Failed ones');
    await payouts.getByRole('link', { name: 'Failed ones' }).and(page.locator('[aria-current]')).waitFor();
    assert.equal(await payouts.locator('[aria-current]').count(), 1);
    await visit(page, address);
    await current(/^Pending/).waitFor();
    assert.equal(await views.getByRole('link', { name: 'Failed ones' }).count(), 0);
  });

  it('are removed, and brought back', async () => {
    await visit(page, `${address}?status=approved`);
    await page.getByRole('button', { name: 'Remove view' }).click();
    await page.getByText('View “Largest of all” removed').waitFor();
    await views.getByRole('link', { name: 'Largest of all' }).waitFor({ state: 'detached' });
    assert.equal(parameter('status'), 'approved');
    await page.keyboard.press('z');
    await views.getByRole('link', { name: 'Largest of all' }).waitFor();
  });

  it('leave no error in the console', () => assert.deepEqual(complaints, []));
});
