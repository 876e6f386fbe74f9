import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { sentence } from '#contract/operator-sentences.ts';
import { sql } from '#platform/database.ts';
import { violations } from './browser.ts';
import { operatorPage } from './operator-browser.ts';
import { queueParts } from './queue-parts.ts';

/** What an operator sees of a pause of all payouts in the browser, and how it is ended. */
const { site, headers, panel, page } = await operatorPage(
  { after },
  { language: 'en', payoutDelaySeconds: 3_600 },
);

const queue = `${panel}/withdrawals`;

const { notices, dialog, rowOf } = queueParts(page);

/** What the operator reads of an approval during a pause. */
const saysPaused = 'approved. Payouts are paused, so it waits until they are resumed.';

describe('a pause of all payouts', () => {
  it('is said above the list while it lasts', async () => {
    const notice = page.getByRole('button', { name: /^Payouts are paused/ });
    for (const payoutsPaused of [true, false]) {
      await page.request.put(`${site.origin}/api/admin/site`, { headers, data: { payoutsPaused } });
      await page.goto(`${panel}/withdrawals`);
      await page.locator('tbody').getByRole('row').first().waitFor();
      if (payoutsPaused) {
        await notice.click();
        await dialog.getByText('nothing is signed or sent', { exact: false }).waitFor();
      }
      assert.deepEqual(await violations(page), []);
    }
    assert.equal(await notice.count(), 0);
  });

  it('is said on a phone with who, when and why, over the rows', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    const change = { headers, data: { payoutsPaused: true, reason: 'The wallet is moved' } };
    await page.request.put(`${site.origin}/api/admin/site`, change);
    await page.goto(queue);
    await page.locator('[id^="row-"]').first().waitFor();
    const line = page.getByRole('main').getByRole('button', { name: 'Payouts are paused' });
    await line.getByText(/, \d+:\d\d\s[AP]M: The wallet is moved$/).waitFor();
    const box = await line.boundingBox();
    assert.ok(
      box !== null && box.x === 0 && box.width === 390 && box.y + box.height === 844,
      JSON.stringify(box),
    );
    assert.deepEqual(await violations(page), []);
    await line.click();
    await dialog.getByText('The wallet is moved', { exact: false }).waitFor();
    await page.keyboard.press('Escape');
    await page.request.put(`${site.origin}/api/admin/site`, { headers, data: { payoutsPaused: false } });
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('is said on a desk with its reason, whose line is not cut', async () => {
    const reason = 'The wallet is moved to another machine, and nobody may pay before that is done and tried';
    await page.request.put(`${site.origin}/api/admin/site`, {
      headers,
      data: { payoutsPaused: true, reason },
    });
    await page.goto(queue);
    await notices().getByText(reason, { exact: false }).waitFor();
    // In the font of before, the line breaks elsewhere.
    await page.evaluate(() => document.fonts.ready);
    const [needed, shown] = await notices()
      .locator('span')
      .first()
      .evaluate(({ scrollHeight, scrollWidth, clientHeight, clientWidth }) => [
        [scrollWidth, scrollHeight],
        [clientWidth, clientHeight],
      ]);
    assert.deepEqual(needed, shown);
    await page.request.put(`${site.origin}/api/admin/site`, { headers, data: { payoutsPaused: false } });
  });

  it('stands behind what is left after a restore, and the line has the title of both', async () => {
    const nothing = { pending: [], unaccounted: [], unaccountedCount: 0, checkedCount: 2, approvedCount: 0 };
    const reasons = [sentence('database-older', { knownCount: 5, markedCount: 7 })];
    const json = { ...nothing, waitingPayoutCount: 0, waitingRequestCount: 2, reasons };
    await page.route('**/api/admin/payouts/restore', (route) => route.fulfill({ json }));
    await page.request.put(`${site.origin}/api/admin/site`, { headers, data: { payoutsPaused: true } });
    for (const screen of [queue, `${panel}/payouts`])
      for (const width of [390, 1440]) {
        await page.setViewportSize({ width, height: 844 });
        await page.goto(screen);
        const said = notices().getByText('An older backup was restored · Payouts are paused', {
          exact: true,
        });
        await said.waitFor();
        const [needed, shown] = await said.evaluate(({ scrollHeight, clientHeight }) => [
          scrollHeight,
          clientHeight,
        ]);
        assert.equal(needed, shown, 'no title is cut');
        await notices().click();
        const titles = await dialog.getByRole('heading', { level: 3 }).allInnerTexts();
        assert.deepEqual(titles, ['An older backup was restored', 'Payouts are paused']);
        assert.deepEqual(await violations(page), []);
      }
    await page.unrouteAll({ behavior: 'wait' });
    await page.request.put(`${site.origin}/api/admin/site`, { headers, data: { payoutsPaused: false } });
  });

  it('is said of an approval also when the page did not read it yet', async () => {
    await page.route('**/api/admin/site', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ json: { ...(await answer.json()), payoutsPaused: false, pause: null } });
    });
    await page.request.put(`${site.origin}/api/admin/site`, { headers, data: { payoutsPaused: true } });
    await page.goto(`${queue}?status=pending`);
    await page.locator('tbody').getByRole('row').first().getByRole('button').click();
    await page
      .getByRole('complementary')
      .getByRole('button', { name: /^Approve .*, next$/ })
      .click();
    await page.getByRole('status').filter({ hasText: saysPaused }).waitFor();
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('makes no sentence of the queue false, and is ended from its notice', async () => {
    const change = { headers, data: { payoutsPaused: true } };
    await page.request.put(`${site.origin}/api/admin/site`, change);
    await page.goto(`${queue}?status=pending`);
    const opener = page.locator('tbody').getByRole('row').first().getByRole('button');
    const id = ((await opener.getAttribute('id')) ?? '').replace('row-', '');
    await opener.click();
    const sheet = page.getByRole('complementary');
    await sheet.getByText('Payouts are paused. An approved request waits', { exact: false }).waitFor();
    await sheet.getByRole('button', { name: /^Approve .*, next$/ }).click();
    await page.getByRole('status').filter({ hasText: saysPaused }).waitFor();
    await page.goto(`${queue}?status=approved&open=${id}`);
    await sheet.getByText('Payouts are paused. It waits until they are resumed.', { exact: true }).waitFor();
    await sheet.getByText('Paused', { exact: true }).waitFor();
    await rowOf(id).getByText('Paused', { exact: true }).waitFor();
    assert.equal(await sheet.getByText('Approved', { exact: true }).count(), 0);
    assert.deepEqual(await violations(page), []);
    await page.goto(`${panel}/payouts?open=${id}`);
    await sheet.getByText('It waits until payouts are resumed.', { exact: true }).waitFor();
    await sheet.getByText('Paused', { exact: true }).waitFor();
    for (const promise of ['Next step', 'It goes on by itself.', /^It is prepared at/])
      assert.equal(await sheet.getByText(promise).count(), 0, String(promise));
    assert.deepEqual(await violations(page), []);
    // Its delay is over, and the pause still keeps it from being prepared.
    await site.owner.rows(sql`
      update withdrawals.payouts set not_before = platform.business_now() - interval '1 minute'
      where withdrawal_id = ${id}`);
    await page.goto(`${queue}?status=approved&open=${id}`);
    await sheet.getByText('Payouts are paused. It waits until they are resumed.', { exact: true }).waitFor();
    const undone = page.waitForResponse(/\/undo$/);
    await sheet.getByRole('button', { name: 'Take the approval back' }).click();
    assert.equal((await undone).status(), 200);
    await page.getByText(/ is pending again\. Nothing was sent\./).waitFor();
    await sheet.getByRole('button', { name: /^Approve / }).waitFor();
    await page.goto(queue);
    await notices().click();
    await dialog.getByRole('button', { name: 'Resume payouts…' }).click();
    const asked = page.getByRole('dialog', { name: 'Resume payouts?' });
    await asked.waitFor();
    assert.deepEqual(await violations(page), []);
    await asked.getByLabel('Reason').fill('The wallet is moved');
    await asked.getByRole('button', { name: 'Resume payouts' }).click();
    await page.getByText('Payouts are resumed.').waitFor();
    await notices().waitFor({ state: 'detached' });
  });

  it('begins and ends on the screen of payouts, also on a phone', async () => {
    await page.goto(`${panel}/payouts`);
    await page.getByRole('button', { name: 'Pause payouts…' }).click();
    await answer('Pause payouts?', 'Pause payouts');
    await page.getByText('Payouts are paused.', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Resume payouts…' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Pause payouts…' }).count(), 0);
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('menuitem', { name: 'Resume payouts…' }).click();
    await answer('Resume payouts?', 'Resume payouts');
    await page.getByText('Payouts are resumed.', { exact: true }).waitFor();
    await page.setViewportSize({ width: 1440, height: 900 });
  });
});

/** Gives the reason of a pause or of its end. */
async function answer(title: string, submit: string): Promise<void> {
  const asked = page.getByRole('dialog', { name: title });
  await asked.getByLabel('Reason').fill('The wallet is moved');
  assert.deepEqual(await violations(page), []);
  await asked.getByRole('button', { name: submit }).click();
  await asked.waitFor({ state: 'detached' });
}
