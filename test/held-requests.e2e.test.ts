import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { sentence } from '#contract/operator-sentences.ts';
import { violations } from './browser.ts';
import { operatorPage } from './operator-browser.ts';
import { queueParts } from './queue-parts.ts';

/** What an operator sees of a request whose points wait for what a restore left, and where it leads. */
const { panel, page, context, complaints } = await operatorPage({ after }, { language: 'en' });
const { dialog } = queueParts(page);
const sheet = page.getByRole('complementary');
const examination = /\/api\/admin\/withdrawals\/[0-9a-f-]{36}$/;

/** Shows the first row as held, with this text of the server. */
async function show(trouble: string) {
  const obstacle = 'points-in-check';
  const known = { flags: [obstacle], approvalObstacle: obstacle, rejectionObstacle: null };
  await page.route(/\/api\/admin\/withdrawals-data/, async (route) => {
    const response = await route.fetch();
    const answer = (await response.json()) as { withdrawals: object[] };
    const withdrawals = answer.withdrawals.map((row, index) => (index === 0 ? { ...row, ...known } : row));
    await route.fulfill({ response, json: { ...answer, withdrawals } });
  });
  await page.route(examination, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), ...known, quote: null, trouble } });
  });
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto(`${panel}/withdrawals?status=pending`);
  return page.locator('tbody').getByRole('row').first();
}

describe('a held request', () => {
  it('leads from held points to what is left after the restore, in the words of the row', async () => {
    const left = { pending: [], unaccounted: [], unaccountedCount: 0, checkedCount: 1, approvedCount: 0 };
    const json = { ...left, waitingPayoutCount: 0, waitingRequestCount: 1, reasons: [] };
    await page.route('**/api/admin/payouts/restore', (route) => route.fulfill({ json }));
    const row = await show(sentence('points-possibly-paid'));
    for (const width of [1440, 390]) {
      await page.setViewportSize({ width, height: 900 });
      if (width === 1440) await row.getByRole('button').click();
      const open = page.locator(width === 1440 ? 'aside' : '[data-sheet]').last();
      await open.getByText('Nothing is paid for them before that is done.', { exact: false }).waitFor();
      // One badge, as in the row, and no command that only lists.
      assert.equal(await open.getByText('Points may be paid already', { exact: true }).count(), 1);
      assert.equal(await open.getByText('Pending', { exact: true }).count(), 0);
      assert.doesNotMatch(await open.innerText(), /`|npm run/);
      assert.deepEqual(await violations(page), []);
      await open.getByRole('button', { name: 'What is left after the restore' }).click();
      await dialog.getByRole('heading', { name: 'What you must know' }).waitFor();
      await dialog.getByText('1 pending request may be paid already.', { exact: false }).waitFor();
      assert.deepEqual(await violations(page), []);
      await page.keyboard.press('Escape');
      await dialog.getByRole('heading', { name: 'What you must know' }).waitFor({ state: 'detached' });
    }
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('shows a command of the server whole, to be copied', async () => {
    const reference = 'f00d'.repeat(16);
    const trouble = sentence('member-possibly-paid', { reference, paidPoints: 2_000 });
    const row = await show(trouble);
    await row.getByRole('button').click();
    const command = sheet.getByText('npm run admin -- reconcile', { exact: true });
    assert.equal(await command.evaluate((element) => element.getClientRects().length), 1, 'one line');
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await sheet.getByRole('button', { name: 'Copy the command' }).click();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), 'npm run admin -- reconcile');
    assert.doesNotMatch(await sheet.innerText(), /`/);
    assert.deepEqual(await violations(page), []);
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('leaves no complaint in the console', () => assert.deepEqual(complaints, []));
});
