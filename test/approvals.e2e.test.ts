import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { openBrowser, openPage, violations } from './browser.ts';
import { startedSite } from './running-site.ts';
import { signIn } from './sign-in.ts';

/** An operator's approval in the browser: the quote that is seen, and the time to take it back. */
const site = await startedSite({ after });
const browser = await openBrowser({ after });
const { page, context, complaints } = await openPage(browser, { viewport: { width: 1440, height: 900 } });
after(() => context.close());

await signIn(context, site, site.operator);
await context.addInitScript(() => localStorage.setItem('operatorLanguage', 'en'));
await page.goto(`${site.origin}/management-panel-x7k9w`);

const examine = async (id: string) =>
  (await page.request.get(`${site.origin}/api/admin/withdrawals/${id}`)).json() as Promise<{
    status: string;
    quote: { coinAmount: string } | null;
    trouble: string | null;
  }>;

describe('an approval', () => {
  it('shows what it pays, and is taken back within its delay', async () => {
    const headers = { origin: site.origin };
    // The button to take it back is shown for the delay, so this is longer than the test takes on a busy machine.
    const change = { headers, data: { payoutDelaySeconds: 600 } };
    const changed = await page.request.put(`${site.origin}/api/admin/site`, change);
    assert.equal(changed.status(), 200, await changed.text());
    const row = page.locator('tbody').getByRole('row').first().getByRole('button');
    const id = ((await row.getAttribute('id')) ?? '').replace('row-', '');
    await row.click();
    const sheet = page.getByRole('complementary');
    const { quote, trouble } = await examine(id);
    assert.ok(quote, trouble ?? 'no quote');
    await sheet.getByText(quote.coinAmount).waitFor();
    assert.deepEqual(await violations(page), []);
    await sheet.getByRole('button', { name: 'Approve and next' }).click();
    const toast = page.getByRole('status').filter({ hasText: 'The payment is on its way.' });
    await toast.getByRole('button', { name: 'Take the approval back' }).click();
    await page.getByRole('status').filter({ hasText: 'is pending again. Nothing was sent.' }).waitFor();
    assert.equal((await examine(id)).status, 'pending');
    assert.deepEqual(complaints, []);
  });
});

describe('a pause of all payouts', () => {
  it('is said above the list while it lasts', async () => {
    const notice = page.getByRole('status', { name: 'Payouts are paused' });
    for (const payoutsPaused of [true, false]) {
      const headers = { origin: site.origin };
      await page.request.put(`${site.origin}/api/admin/site`, { headers, data: { payoutsPaused } });
      await page.goto(`${site.origin}/management-panel-x7k9w`);
      await page.locator('tbody').getByRole('row').first().waitFor();
      if (payoutsPaused) await notice.getByText('nothing is sent', { exact: false }).waitFor();
      assert.deepEqual(await violations(page), []);
    }
    assert.equal(await notice.count(), 0);
  });
});
