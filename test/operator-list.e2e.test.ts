import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, describe, it } from 'node:test';
import { refuseCalls, settle, violations } from './browser.ts';
import { operatorPage } from './operator-browser.ts';

/** What every operators' list does in its URL, in the browser's history and on phones, shown on the queue. */
const { site, panel, openOperator, page, context, complaints } = await operatorPage(
  { after },
  { language: 'en' },
);

const address = `${panel}/withdrawals`;
const rowButton = () => page.locator('[id^="row-"]').first();

describe('an operators’ list', () => {
  it('saves the filtered rows as a file, and says why an export was refused', async () => {
    await page.goto(`${address}?status=rejected`);
    const link = page.getByRole('link', { name: 'Export as CSV' });
    const [download] = await Promise.all([page.waitForEvent('download'), link.click()]);
    assert.equal(download.suggestedFilename(), 'withdrawals-data.csv');
    const saved = (await readFile(await download.path(), 'utf8')).trim().split('\r\n').slice(1);
    assert.ok(saved.length > 0);
    for (const line of saved) assert.match(line, /,rejected,/);
    await refuseCalls(page, '**/api/admin/withdrawals-data?*format=csv');
    await link.click();
    await page.getByRole('alert').getByText('Too many requests. Try again later.').waitFor();
    await page.unroute('**/api/admin/withdrawals-data?*format=csv');
    complaints.splice(0);
  });

  it('cancels a pending search when the field is cleared, and keeps a space while typing on', async () => {
    await page.goto(address);
    await rowButton().waitFor();
    const field = page.getByRole('textbox', { name: 'Find a withdrawal' });
    await field.pressSequentially('jiho');
    await page.getByRole('button', { name: 'Clear the search' }).click();
    assert.equal(await field.inputValue(), '');
    await page.waitForTimeout(600);
    assert.equal(await field.inputValue(), '');
    assert.equal(new URL(page.url()).searchParams.get('q'), null);
    for (const text of ['지호', ' ', '정']) {
      await page.keyboard.insertText(text);
      await page.waitForTimeout(450);
    }
    assert.equal(await field.inputValue(), '지호 정');
    await page.waitForURL((url) => url.searchParams.get('q') === '지호 정');
  });

  it('asks for no order and no filter that it does not have', async () => {
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/api/admin/withdrawals-data')) asked.push(new URL(request.url()).search);
    });
    await page.goto(`${address}?sort=-points&status=lost&page=0`);
    await rowButton().waitFor();
    await page.waitForURL(address);
    // The same address within the loaded page.
    await page.evaluate(() => history.pushState(null, '', '?sort=name'));
    await page.goBack();
    await page.goForward();
    await rowButton().waitFor();
    await page.waitForTimeout(500);
    assert.ok(asked.length > 0);
    for (const query of asked) assert.doesNotMatch(query, /points|lost|name|page=0/);
    assert.deepEqual(complaints, []);
  });

  it('shows the usual columns for unknown ones, and refuses a minimum above the maximum', async () => {
    await page.goto(`${address}?columns=zzz&minAmount=9000&maxAmount=100`);
    await rowButton().waitFor();
    await page.getByRole('columnheader', { name: 'Amount' }).waitFor();
    await page.getByRole('button', { name: /^Amount All/ }).click();
    await page.getByLabel('From').fill('9,000');
    await page.getByLabel('To', { exact: true }).fill('100');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('Must not be less than “From”').waitFor();
    assert.equal(new URL(page.url()).searchParams.get('minAmount'), null);
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press('Escape');
  });

  it('has the acts on all requests and the export in one menu on phones', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(address);
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

  for (const language of ['en', 'ko'] as const)
    it(`moves no row when a sheet opens, so that a second click hits the same one (${language})`, async () => {
      const { page: own, context: theirs } = await openOperator(language, { reducedMotion: 'reduce' });
      const rows = own.locator('#main tbody').getByRole('row');
      // Both are true of a request at once: in such a row two badges stand beside each other.
      await own.route('**/api/admin/withdrawals-data?*', async (route) => {
        const response = await route.fetch();
        const body = (await response.json()) as { withdrawals: { status: string }[] };
        const flags = ['points-in-check', 'first-payout'];
        const withdrawals = body.withdrawals.map((row) =>
          row.status === 'pending' ? { ...row, flags } : row,
        );
        await route.fulfill({ response, json: { ...body, withdrawals } });
      });
      const places = async () => {
        await settle(own);
        return rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().y));
      };
      for (const [width, query] of [
        [1280, ''],
        [1440, '?status=all'],
        [1920, '?minAmount=1000&maxAmount=900000&status=all'],
        [1280, '?minAmount=1000&maxAmount=900000&status=all'],
      ] as const) {
        await own.setViewportSize({ width, height: 900 });
        await own.goto(address + query);
        await rows.nth(2).waitFor();
        await own.evaluate(() => document.fonts.ready);
        const before = await places();
        const id = await rows.nth(2).getByRole('button').getAttribute('id');
        const box = await rows.nth(2).boundingBox();
        assert.ok(box);
        const [x, y] = [box.x + 120, box.y + box.height - 6];
        await own.mouse.click(x, y);
        await own.getByRole('complementary').getByRole('button').last().waitFor();
        await own.mouse.click(x, y);
        assert.equal(new URL(own.url()).searchParams.get('open'), id?.replace('row-', ''));
        assert.deepEqual(await places(), before, `${width} ${query}`);
      }
      await own.goto(address);
      await rows.nth(2).locator('[data-tone="bad"] + [data-tone="warn"]').waitFor();
      await own.unrouteAll({ behavior: 'wait' });
      await theirs.close();
    });

  it('closes a sheet over the list by Back and stays on the list', async () => {
    await page.goto(`${panel}/support`);
    await page.goto(`${address}?status=all`);
    await rowButton().waitFor();
    const entries = () => page.evaluate(() => history.length);
    const before = await entries();
    const sheet = page.getByRole('dialog');
    const url = `${address}?status=all`;
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
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(url);
    await rowButton().click();
    await page.getByRole('complementary').waitFor();
    await page.goBack();
    await page.waitForURL('**/support');
  });

  it('offers no decision about the operator’s own request', async () => {
    const { id: userId } = await (await context.request.get(`${site.origin}/api/user`)).json();
    const own = { approvalObstacle: 'own-request', rejectionObstacle: 'own-request' };
    await page.route('**/api/admin/withdrawals-data?*', async (route) => {
      const response = await route.fetch();
      const body = (await response.json()) as { withdrawals: object[] };
      const withdrawals = body.withdrawals.map((row) => ({ ...row, userId, ...own }));
      await route.fulfill({ response, json: { ...body, withdrawals } });
    });
    await page.goto(address);
    await rowButton().click();
    const sheet = page.getByRole('complementary');
    await sheet.getByRole('button', { name: 'Reject…', disabled: true }).waitFor();
    await page.waitForTimeout(700);
    assert.equal(await sheet.getByRole('button', { name: /^Approve .*, next$/ }).isDisabled(), true);
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('leaves no error in the console', () => assert.deepEqual(complaints, []));
});
