import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { settle, violations } from './browser.ts';
import { openApproval } from './bulk-dialog.ts';
import { operatorPage } from './operator-browser.ts';

/** The operators' queue with the requests of the demo world. */
const { site, headers, panel, requestWithdrawal, page, context, complaints } = await operatorPage(
  { after },
  { language: 'en', payoutDelaySeconds: 3_600, path: '/withdrawals' },
);
type Decided = { id: string; status: string; rejectionReason: string | null; payoutState: string };

/** Every request as the server stores it. */
async function readRequests(): Promise<Decided[]> {
  const answer = await context.request.get(`${site.origin}/api/admin/withdrawals-data?page=1&limit=100`);
  return ((await answer.json()) as { withdrawals: Decided[] }).withdrawals;
}

const rowsOf = (within: Page) => within.locator('tbody').getByRole('row');
const idOf = async (row: Locator) =>
  ((await row.getByRole('button').getAttribute('id')) ?? '').replace('row-', '');

/** An element's place once no animation runs. One can be replaced by another, so the first one's end is not enough. */
async function settledBox(target: Locator) {
  await target.waitFor();
  await settle(page);
  return target.boundingBox();
}

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

describe('the queue', () => {
  it('§2-2 withdrawals: rejects a request with a reason, and refuses to without one', async () => {
    const row = rowsOf(page).filter({ hasText: 'Dash' }).first();
    const id = await idOf(row);
    await row.getByRole('button').click();
    await page.getByRole('complementary').getByRole('button', { name: 'Reject…' }).click();
    const dialog = page.getByRole('dialog');
    const reject = dialog.getByRole('button', { name: /^Reject [\d,]+/ });
    await reject.click();
    await dialog.getByText('Reason is required').waitFor();
    assert.deepEqual(await violations(page), []);
    await dialog.getByLabel('Reason').fill('The address belongs to another account.');
    await reject.click();
    await page.getByText('The points are back.').waitFor();
    await dialog.waitFor({ state: 'detached' });
    const decided = (await readRequests()).find((request) => request.id === id);
    assert.equal(decided?.status, 'rejected');
    assert.equal(decided?.rejectionReason, 'The address belongs to another account.');
  });

  it('fetches the open request by its id and not by a search', async () => {
    await page.goto(`${panel}/withdrawals?status=all`);
    const row = rowsOf(page).filter({ hasText: 'Litecoin' }).first();
    const id = await idOf(row);
    const read = page.waitForResponse((answer) => answer.url().includes(`&id=${id}`));
    await row.getByRole('button').click();
    const { withdrawals } = (await (await read).json()) as { withdrawals: Decided[] };
    assert.deepEqual(
      withdrawals.map((request) => request.id),
      [id],
    );
    await page.keyboard.press('Escape');
  });

  it('approves the selected requests and reports each result', async () => {
    await page.goto(`${panel}/withdrawals`);
    const rows = rowsOf(page).filter({ hasText: 'Litecoin' });
    await rows.first().waitFor();
    const ids = [await idOf(rows.nth(0)), await idOf(rows.nth(1))];
    await rows.nth(0).getByRole('checkbox').check();
    await rows.nth(1).getByRole('checkbox').check();
    const dialog = await openApproval(page);
    const totals = dialog.getByRole('table', { name: 'By method' });
    await totals.getByRole('row', { name: /^Litecoin 2 / }).waitFor();
    await dialog.getByText('An approval can be taken back for a moment. Then it is sent.').waitFor();
    await dialog.getByRole('button', { name: /^Approve 2, / }).click();
    await dialog.getByText('2 approved').waitFor();
    assert.equal(await dialog.getByRole('listitem').filter({ hasText: 'Approved.' }).count(), 2);
    assert.deepEqual(await violations(page), []);
    await dialog.getByRole('button', { name: 'Close', exact: true }).last().click();
    await dialog.waitFor({ state: 'detached' });
    const decided = (await readRequests()).filter((request) => ids.includes(request.id));
    assert.deepEqual(
      decided.map(({ status }) => status),
      ['approved', 'approved'],
    );
  });

  it('says nothing of approvals where none of the selected requests was approved', async () => {
    await requestWithdrawal('1003');
    await page.goto(`${panel}/withdrawals`);
    const row = rowsOf(page).filter({ hasText: '1,003' }).first();
    const id = await idOf(row);
    await row.getByRole('checkbox').check();
    const dialog = await openApproval(page);
    const approve = dialog.getByRole('button', { name: /^Approve 1, / });
    const path = `${site.origin}/api/admin/withdrawals/${id}/reject`;
    const data = { reason: 'Decided by somebody else meanwhile' };
    assert.equal((await context.request.post(path, { headers, data })).status(), 200);
    await approve.click();
    await dialog.getByText('1 not done').waitFor();
    assert.doesNotMatch(await dialog.innerText(), /approved$/m);
    complaints.splice(0);
  });

  it('§2-9 polling: shows a new request by polling every three seconds without the live connection', async () => {
    await page.routeWebSocket('**/ws', (socket) => socket.close());
    await page.goto(`${panel}/withdrawals?sort=-createdAt`);
    await rowsOf(page).first().waitFor();
    await requestWithdrawal('1001');
    await rowsOf(page).filter({ hasText: '1,001' }).waitFor();
    const poll = () => page.waitForResponse('**/api/admin/stats');
    await poll();
    const begun = performance.now();
    await poll();
    const waitedMs = performance.now() - begun;
    assert.ok(waitedMs > 2_500 && waitedMs < 6_000, `${waitedMs} ms`);
  });

  it('shows toasts beside the open sheet, not over it', async () => {
    await page.setViewportSize({ width: 768, height: 800 });
    await page.goto(`${panel}/withdrawals`);
    await rowsOf(page).first().getByRole('button').click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Approve .*, next$/ })
      .click();
    const toast = page.getByRole('status').filter({ hasText: 'The payment is on its way.' });
    await toast.waitFor();
    for (const width of [768, 1023, 1024, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      const sheet = page.getByRole(width < 1024 ? 'dialog' : 'complementary');
      await sheet.waitFor();
      const sheetX = (await settledBox(sheet))?.x ?? 0;
      const box = await settledBox(toast);
      assert.ok(
        box !== null && box.x >= 0 && box.x + box.width <= sheetX,
        `${width} px: ${box?.x}, ${sheetX}`,
      );
    }
  });

  it('keeps filter, order and columns in the URL, and exports the filtered rows', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`${panel}/withdrawals`);
    await rowsOf(page).first().waitFor();
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
    await rowsOf(page).first().waitFor();
    const headings = await page.getByRole('columnheader').allInnerTexts();
    assert.ok(headings.some((text) => text === 'Where to') && !headings.includes('Method'), headings.join());
    const amountHeading = page.getByRole('columnheader', { name: 'Amount' });
    assert.equal(await amountHeading.getAttribute('aria-sort'), 'descending');
    const path = await page.getByRole('link', { name: 'Export as CSV' }).getAttribute('href');
    const csv = await (await context.request.get(site.origin + path)).text();
    const rejected = (await readRequests()).filter(({ status }) => status === 'rejected');
    assert.ok(rejected.length > 0);
    const lines = csv.trim().split('\r\n').slice(1);
    assert.equal(lines.length, rejected.length);
    for (const { id } of rejected) assert.ok(csv.includes(id), id);
  });

  it('offers the acts on all requests only without a search or another filter', async () => {
    const all = page.getByRole('button', { name: 'All pending…' });
    for (const [query, count] of [
      ['', 1],
      ['?q=example.org', 0],
      ['?status=rejected', 0],
      ['?method=dash', 0],
      ['?flag=clean', 0],
      ['?minAmount=1500', 0],
      ['?olderThanHours=24', 0],
      ['?sort=-amount', 1],
    ] as const) {
      await page.goto(`${panel}/withdrawals${query}`);
      await page
        .getByRole('definition')
        .nth(3)
        .getByText(/request/)
        .waitFor();
      await page.getByRole('link', { name: 'Export as CSV' }).waitFor();
      assert.equal(await all.count(), count, query);
    }
  });

  it('offers the declared choices of each filter and the declared orders', async () => {
    await page.goto(`${panel}/withdrawals`);
    await rowsOf(page).first().waitFor();
    for (const [chip, options] of [
      ['State', ['Pending', 'Approved', 'Rejected', 'All']],
      ['Method', ['Litecoin', 'Dash', 'PayPal', 'NOWPayments', 'All']],
      ['Age', ['over 1 day', 'over 2 days', 'over 3 days', 'over a week', 'All']],
      ['Order', ['Oldest first', 'Newest first', 'Largest first', 'Smallest first']],
    ] as const) {
      await page.getByRole('button', { name: new RegExp(`^${chip} `) }).click();
      await page.getByRole('menuitemradio', { name: options[0] }).waitFor();
      assert.deepEqual(await page.getByRole('menuitemradio').allInnerTexts(), options);
      await page.keyboard.press('Escape');
      await page.getByRole('menu').waitFor({ state: 'detached' });
    }
  });

  it('filters by method and by points', async () => {
    await page.goto(`${panel}/withdrawals?status=all`);
    await rowsOf(page).first().waitFor();
    await page.getByRole('button', { name: /^Method / }).click();
    await page.getByRole('menuitemradio', { name: 'Dash' }).click();
    await page.getByRole('button', { name: /^Amount All/ }).click();
    await page.getByLabel('From').fill('a thousand');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('Must be whole points').waitFor();
    assert.deepEqual(await violations(page), []);
    await page.getByLabel('From').fill('1,500');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('button', { name: /^Amount 1,500\sP or more$/ }).waitFor();
    const { search } = new URL(page.url());
    assert.equal(search, '?status=all&method=dash&minAmount=1500');
    const answer = await context.request.get(
      `${site.origin}/api/admin/withdrawals-data?method=dash&minAmount=1500`,
    );
    const { withdrawals } = (await answer.json()) as { withdrawals: Decided[] };
    assert.ok(withdrawals.length > 0);
    for (const { id } of withdrawals) await page.locator(`#row-${id}`).waitFor();
    assert.equal(await rowsOf(page).count(), withdrawals.length);
  });

  it('moves, selects, opens and closes by keys, except in text fields', async () => {
    await page.goto(`${panel}/withdrawals`);
    const rows = rowsOf(page);
    await rows.first().waitFor();
    const focusedId = () => page.evaluate(() => document.activeElement?.id ?? '');
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    const secondId = await idOf(rows.nth(1));
    assert.equal(await focusedId(), `row-${secondId}`);
    await page.keyboard.press('x');
    assert.equal(await rows.nth(1).getByRole('checkbox').isChecked(), true);
    await page.keyboard.press('Enter');
    const sheet = page.getByRole('complementary');
    await sheet.waitFor();
    await page.waitForURL(`**?open=${secondId}`);
    await page.keyboard.press('k');
    await page.waitForURL(`**?open=${await idOf(rows.nth(0))}`);
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await page.waitForFunction((id) => document.activeElement?.id === id, `row-${await idOf(rows.nth(0))}`);
    await page.getByRole('textbox', { name: 'Find a withdrawal' }).fill('');
    await page.keyboard.type('jxk');
    await page.getByText('Nothing found').waitFor();
    assert.equal(await page.getByRole('textbox', { name: 'Find a withdrawal' }).inputValue(), 'jxk');
    assert.equal(new URL(page.url()).searchParams.get('q'), 'jxk');
  });

  it('shows long names without an inner scroll, with and without the sheet', async () => {
    const address = '**/api/admin/withdrawals-data?*';
    const long = 'Wilhelmina Featherstonehaugh of Wolverhampton';
    await page.route(address, async (route) => {
      const response = await route.fetch();
      const text = await response.text();
      const named = text.replaceAll(/"user(Name|Email)":"/g, (field) => field + long.replaceAll(' ', '.'));
      await route.fulfill({ response, body: named });
    });
    for (const width of [768, 1024, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      await page.goto(`${panel}/withdrawals`);
      await rowsOf(page).filter({ hasText: 'Featherstonehaugh' }).first().waitFor();
      await fitsAt(`${width} px`);
      await rowsOf(page).first().getByRole('button').click();
      await page.getByRole(width < 1024 ? 'dialog' : 'complementary').waitFor();
      await fitsAt(`${width} px with the sheet`);
    }
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('§2-8 withdrawals: shows totals that could not be read as a dash', async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    const addresses = ['**/api/admin/withdrawals-data?*', '**/api/admin/stats'];
    for (const address of addresses) await page.route(address, (route) => route.abort());
    await page.goto(`${panel}/withdrawals`);
    // Two calls fail, in any order: that of the oldest request, and that of the other totals.
    for (const at of [0, 2])
      await page.getByRole('definition').nth(at).getByText('–', { exact: true }).waitFor();
    assert.deepEqual(await page.getByRole('definition').allInnerTexts(), ['–', '–', '–', '–']);
    for (const address of addresses) await page.unroute(address);
    complaints.splice(0);
  });

  it('states no fact about a method while its facts are not read', async () => {
    const late = await context.newPage();
    const { promise: isSeen, resolve: markSeen } = Promise.withResolvers<void>();
    await late.route('**/api/withdrawal/rails', async (route) => {
      await isSeen;
      await route.continue();
    });
    await late.goto(`${panel}/withdrawals?status=approved&method=litecoin`);
    await rowsOf(late).first().getByRole('button').click();
    const sheet = late.getByRole('complementary');
    await sheet.getByText('Payout', { exact: true }).waitFor();
    assert.doesNotMatch(await sheet.innerText(), /LTC|^\d+\.\d+ *$/m);
    markSeen();
    await sheet.getByText(/^[\d.]+ LTC$/).waitFor();
    await late.close();
  });

  it('has targets of at least 44 px on phones', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${panel}/withdrawals`);
    const card = page
      .getByRole('listitem')
      .filter({ has: page.getByRole('checkbox') })
      .first();
    await card.waitFor();
    const targets = [
      page.getByRole('button', { name: 'More actions' }),
      page.getByRole('button', { name: /^State / }),
      card.locator('label').first(),
    ];
    for (const target of targets) {
      const box = await target.boundingBox();
      assert.ok(box !== null && box.width >= 44 && box.height >= 44, `${box?.width} × ${box?.height}`);
    }
    // A press on the edge of the target selects and does not open the row.
    await card
      .locator('label')
      .first()
      .click({ position: { x: 2, y: 2 } });
    assert.equal(await card.getByRole('checkbox').isChecked(), true);
    assert.equal(new URL(page.url()).searchParams.get('open'), null);
    await page.getByRole('button', { name: /^Amount All/ }).click();
    await page.getByLabel('From').fill('1');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('button', { name: /^Amount 1\sP or more$/ }).waitFor();
  });

  it('leaves no error in the console', () => assert.deepEqual(complaints, []));
});
