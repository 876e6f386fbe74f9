import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { violations, widerThanWindow } from './browser.ts';
import { operatorPage } from './operator-browser.ts';

/** The operators' payouts, with those of the demo world and some of this test. */
const { site, headers, panel, read, page, context, complaints } = await operatorPage(
  { after },
  { payoutDelaySeconds: 3_600 },
);

const address = `${panel}/payouts`;
const rows = page.locator('tbody').getByRole('row');
const sheet = page.getByRole('complementary');
const views = page.getByRole('navigation', { name: 'Payouts by state' });

type Total = { state: string; count: number };
const countOf = async (states: readonly string[]) =>
  ((await read('payouts/totals')) as Total[])
    .filter(({ state }) => states.includes(state))
    .reduce((sum, { count }) => sum + count, 0);

/** Approves a pending request that nothing stands against. */
async function approveOne(): Promise<string> {
  const { withdrawals } = (await read('withdrawals-data?status=pending&limit=100')) as {
    withdrawals: { id: string; approvalObstacle: string | null; flags: string[] }[];
  };
  for (const { id } of withdrawals.filter(({ approvalObstacle }) => approvalObstacle === null)) {
    const answer = await context.request.post(`${site.origin}/api/admin/withdrawals/${id}/approve`, {
      headers,
    });
    if (answer.status() === 200) return id;
  }
  throw new Error('No request can be approved');
}
const approved = await approveOne();

describe('the payouts', () => {
  it('are named in Korean until the operator chooses English', async () => {
    await page.goto(address);
    await page.getByRole('heading', { level: 1, name: '출금 지급' }).waitFor();
    await page.locator(`[id="row-${approved}"]`).waitFor();
    await page.getByRole('button', { name: 'English' }).click();
    await page.getByRole('heading', { level: 1, name: 'Payouts' }).waitFor();
    await rows
      .filter({ hasText: /It is prepared at \d+:\d\d.[AP]M\./ })
      .first()
      .waitFor();
  });

  it('say in a pause that they wait for its end, in the row whole and above it', async () => {
    const pause = (payoutsPaused: boolean) =>
      context.request.put(`${site.origin}/api/admin/site`, { headers, data: { payoutsPaused } });
    await pause(true);
    await page.goto(address);
    await rows.first().click();
    const said = rows.getByText('Waits for the end of the pause', { exact: true }).first();
    await said.waitFor();
    assert.ok(await said.evaluate(({ scrollHeight, clientHeight }) => scrollHeight <= clientHeight));
    await page.getByRole('term').filter({ hasText: 'Waiting' }).waitFor();
    assert.equal(await page.getByText('On their way').count(), 0);
    // The sheet has one way to the member.
    assert.equal(await sheet.getByRole('link', { name: /^Member/ }).count(), 1);
    await pause(false);
    await page.getByRole('term').filter({ hasText: 'On their way' }).waitFor();
  });

  it('are counted by state, and each count opens its payouts', async () => {
    for (const [name, state, states] of [
      ['Queued', 'queued', ['queued']],
      ['Paid', 'confirmed', ['confirmed']],
      ['All', 'all', ['queued', 'signed', 'broadcast', 'parked', 'confirmed', 'failed']],
    ] as const) {
      const count = (await countOf(states)).toLocaleString('en-US');
      await views
        .getByRole('link', { name: `${name}${count}` })
        .or(views.getByRole('link', { name: `${name} ${count}` }))
        .click();
      await page.waitForURL((url) => url.searchParams.get('state') === state);
      assert.equal(await views.locator('[aria-current="page"]').count(), 1);
    }
    await page.goto(`${address}?state=confirmed`);
    await rows.first().waitFor();
    assert.equal(await rows.filter({ hasNotText: 'Paid' }).count(), 0);
    await rows.first().getByRole('button').click();
    await sheet.getByText('This payout has ended. Nothing can be changed.').waitFor();
    assert.equal(await sheet.getByRole('button', { name: 'Try again…' }).count(), 0);
  });

  it('offer only the acts that exist, and ask for a reason', async () => {
    await page.route(/\/api\/admin\/payouts\?/, async (route) => {
      const response = await route.fetch();
      const answer = (await response.json()) as { payouts: { id: string }[] };
      const fault = { trouble: 'The wallet is locked.', isTroubled: true, state: 'parked', troubleAt: null };
      const holder = { host: 'node-one', pid: 4_711, since: '2026-07-31T00:00:00.000Z' };
      const acts = ['check', 'retry', 'settle', 'fail'];
      const payouts = answer.payouts.map((payout) => ({ ...payout, ...fault, holder, acts }));
      await route.fulfill({ response, json: { ...answer, payouts } });
    });
    await page.goto(`${address}?open=${approved}`);
    await sheet.getByRole('status', { name: 'Why it is not done' }).getByText('The wallet is').waitFor();
    await sheet.getByText('node-one, process 4711').waitFor();
    assert.deepEqual(await violations(page), []);
    await sheet.getByRole('button', { name: 'Give up…' }).click();
    const dialog = page.getByRole('dialog').last();
    await dialog.getByRole('button', { name: /^Return/ }).click();
    await dialog.getByText('Reason is required').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('are opened by keyboard, and an approval is taken back', async () => {
    await page.goto(panel);
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('y');
    await page.waitForURL(`${address}*`);
    await page.locator(`[id="row-${approved}"]`).waitFor();
    await page.locator(`[id="row-${approved}"]`).focus();
    await page.keyboard.press('Enter');
    const undone = page.waitForResponse(/\/undo$/);
    await sheet.getByRole('button', { name: 'Take the approval back' }).click();
    assert.equal((await undone).status(), 200);
    await page.getByText(/ is pending again\. Nothing was sent\./).waitFor();
    await page.locator(`[id="row-${approved}"]`).waitFor({ state: 'detached' });
  });

  it('have no violation of accessibility on a phone and in the dark, and nothing wider than the window', async () => {
    const { SCREENSHOTS: folder } = process.env;
    await approveOne();
    for (const [width, colorScheme, language] of [
      [1440, 'light', 'en'],
      [1440, 'dark', 'ko'],
      [390, 'light', 'ko'],
      [390, 'dark', 'en'],
    ] as const) {
      await page.setViewportSize({ width, height: 844 });
      await page.emulateMedia({ colorScheme });
      await page.evaluate((code) => localStorage.setItem('operatorLanguage', code), language);
      await page.goto(`${address}?state=all`);
      const first = page.locator('[id^="row-"]').first();
      await first.waitFor();
      if (folder) await page.screenshot({ path: `${folder}/payouts-${width}-${colorScheme}.png` });
      assert.deepEqual(await violations(page), []);
      await first.click();
      await page.getByText(language === 'ko' ? '신청 번호' : 'Request id', { exact: true }).waitFor();
      assert.deepEqual(await violations(page), []);
      assert.ok((await widerThanWindow(page)) <= 0);
      if (folder) await page.screenshot({ path: `${folder}/payouts-sheet-${width}-${colorScheme}.png` });
    }
    assert.deepEqual(complaints, []);
  });
});
