import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { sql } from '#platform/database.ts';
import { changeSettings } from '#platform/settings-change.ts';
import { openBrowser, violations } from './browser.ts';
import { demoSite } from './running-site.ts';
import { signIn } from './sign-in.ts';
import { visitingMember } from './visiting-member.ts';

/** What a member sees of a request that waits: for a pause of all payouts, or for a check after a restore. */
const site = await demoSite({ after });
const browser = await openBrowser({ after });
const LITECOIN = 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9';
const still = { reducedMotion: 'reduce' } as const;

it('says that payouts are paused at an approved request, and follows their end', async () => {
  const { page, context, earn, verifyPhone, post, email } = await visitingMember(site, browser, still);
  await earn(2_000);
  await verifyPhone();
  const recipientInfo = { address: LITECOIN };
  await post('/api/withdrawal', { amountPoints: '1000', method: 'litecoin', recipientInfo }, 201);
  await changeSettings(site.owner, 'sandbox', { payoutsPaused: true });
  const operator = await browser.newContext();
  await signIn(operator, site, site.operator);
  const waiting = await operator.request.get(`${site.origin}/api/admin/withdrawals-data?q=${email}`);
  const { withdrawals } = (await waiting.json()) as { withdrawals: { id: string }[] };
  const headers = { origin: site.origin };
  const approve = `${site.origin}/api/admin/withdrawals/${withdrawals[0]?.id}/approve`;
  assert.equal((await operator.request.post(approve, { headers, data: {} })).status(), 200);
  await operator.close();
  await page.goto(`${site.origin}/withdrawal`);
  const row = page.getByRole('region', { name: 'Your withdrawals' }).getByRole('listitem').first();
  const said = row.getByText('We keep your request and pay it once they resume.', { exact: false });
  await said.waitFor();
  assert.equal(await row.locator('[aria-current=step]').innerText(), 'Paused');
  const toldBefore = page
    .getByRole('note')
    .getByText('You can still request a withdrawal;', { exact: false });
  await toldBefore.waitFor();
  assert.deepEqual(await violations(page), []);
  await changeSettings(site.owner, 'sandbox', { payoutsPaused: false });
  await said.waitFor({ state: 'detached' });
  await toldBefore.waitFor({ state: 'detached' });
  await context.close();
});

it('promises no time while payouts are paused, and promises it again after', async () => {
  const { page, context, earn, verifyPhone, post } = await visitingMember(site, browser, still);
  await earn(2_000);
  await verifyPhone();
  const body = { amountPoints: '1000', method: 'litecoin', recipientInfo: { address: LITECOIN } };
  await post('/api/withdrawal', body, 201);
  await changeSettings(site.owner, 'sandbox', { payoutsPaused: true });
  await page.goto(`${site.origin}/withdrawal`);
  const rows = page.getByRole('region', { name: 'Your withdrawals' }).getByRole('listitem');
  const note = page.getByRole('note').getByText('Payouts are paused for now.', { exact: false });
  const promise = rows.first().getByText('We pay within', { exact: false });
  await note.waitFor();
  await rows.first().getByText('A person reviews it next.').waitFor();
  assert.equal(await promise.count(), 0);
  await page.getByText('after payouts resume', { exact: true }).waitFor();
  assert.equal(await page.getByText('business days', { exact: false }).count(), 0);
  await page.getByRole('button', { name: 'Withdraw', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Amount').fill('1000');
  await dialog.getByLabel('Litecoin address').fill(LITECOIN);
  await dialog.getByRole('button', { name: 'Check details' }).click();
  await dialog.getByText('after payouts resume', { exact: true }).waitFor();
  assert.deepEqual(await violations(page), []);
  await dialog.getByRole('button', { name: /^Withdraw 1,000/ }).click();
  await page.getByText('Requested. Payouts are paused for now; we pay it once they resume.').waitFor();
  await rows.nth(1).waitFor();
  await changeSettings(site.owner, 'sandbox', { payoutsPaused: false });
  await note.waitFor({ state: 'detached' });
  await promise.waitFor();
  await context.close();
});

it('offers to cancel a request that is held after a restore, exactly while the server takes it', async () => {
  const { page, context, earn, verifyPhone, post, read } = await visitingMember(site, browser, still);
  await earn(2_000);
  await verifyPhone();
  const recipientInfo = { address: LITECOIN };
  await post('/api/withdrawal', { amountPoints: '1000', method: 'litecoin', recipientInfo }, 201);
  const { id } = await read('/api/user');
  await site.owner.rows(sql`
    insert into withdrawals.unaccounted_payments (method, reference, destination, amount_units, paid_at, found_at,
      withdrawal_id, member_id, points)
    values ('litecoin', 'lost', 'elsewhere', 1, now(), now(), gen_random_uuid(), ${Number(id)}, 1000)`);
  const waits = (isDone: boolean) =>
    isDone
      ? site.owner.rows(sql`delete from withdrawals.reconciliations`)
      : site.owner.rows(sql`
          insert into withdrawals.reconciliations (method, reason, asked_at, awaited_accounts)
          values ('litecoin', 'restore', now() - interval '1 day', '{an account that is not connected}')
          on conflict (method) do update set done_at = null, awaited_accounts = excluded.awaited_accounts`);
  await waits(false);
  await page.goto(`${site.origin}/withdrawal`);
  const row = page.getByRole('region', { name: 'Your withdrawals' }).getByRole('listitem').first();
  const cancel = row.getByRole('button', { name: 'Cancel the request' });
  await row.getByText('An operator compares it with our earlier payments', { exact: false }).waitFor();
  assert.equal(await cancel.count(), 0, 'the request itself may be paid');
  await waits(true);
  await page.reload();
  await row.getByText('An operator checks whether these points were paid before', { exact: false }).waitFor();
  assert.deepEqual(await violations(page), []);
  await cancel.click();
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Cancel 1,000\sP$/ })
    .click();
  await page.getByText(/^Cancelled\. 1,000\sP are back in your balance\.$/).waitFor();
  await cancel.waitFor({ state: 'detached' });
  await site.owner.rows(sql`delete from withdrawals.unaccounted_payments`);
  await context.close();
});
