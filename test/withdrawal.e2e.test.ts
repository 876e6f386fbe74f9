import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, describe, it } from 'node:test';
import type { BrowserContextOptions } from 'playwright-core';
import { sql } from '#platform/database.ts';
import { changeSettings } from '#platform/settings-change.ts';
import { openBrowser, openConnected, violations, visit } from './browser.ts';
import { demoSite } from './running-site.ts';
import { signIn } from './sign-in.ts';
import { visitingMember } from './visiting-member.ts';
import { actsOf, decideAs, LITECOIN, noteStates, statesOf } from './withdrawal-browser.ts';

/**
 * The withdrawal page and its dialog, with every rule and message of the specification, and what becomes of a request:
 * how an open page follows its payment, and what is said while it waits. One member goes through each of the two.
 */
const site = await demoSite({ after });
const browser = await openBrowser({ after });
const headers = { origin: site.origin };
const address = `${site.origin}/withdrawal`;
const options: BrowserContextOptions = {
  reducedMotion: 'reduce',
  permissions: ['clipboard-read', 'clipboard-write'],
};

const operator = await browser.newContext();
await signIn(operator, site, site.operator);
const decide = decideAs(operator, site.origin);
const first = await visitingMember(site, browser, options);
const second = await visitingMember(site, browser, options);

describe('the withdrawal page', () => {
  const member = first;
  const { page, complaints } = member;
  const { dialog, list, row, openButton, open, toCheck, send, request, loseNextAnswer, reloadAndGoBack } =
    actsOf(member);
  const refusal = page.getByRole('alert').filter({ hasText: 'Submit Request 실패' });

  it('§1-5 withdrawal: disables the button below the minimum, and shows why and the progress', async () => {
    await member.earn(720);
    await page.goto(address);
    await page.getByText('Below minimum withdrawal amount').waitFor();
    await page.getByText('Need 280P more.').waitFor();
    assert.equal(await openButton.isDisabled(), true);
    const reason = await page.locator('#enough').innerText();
    assert.equal(await openButton.getAttribute('aria-describedby'), 'enough');
    assert.match(reason, /Below minimum withdrawal amount\s+Need 280P more\./);
    const bar = page.getByRole('progressbar', { name: /280\sP to your next withdrawal/ });
    assert.deepEqual(
      [await bar.getAttribute('aria-valuenow'), await bar.getAttribute('aria-valuemax')],
      ['720', '1000'],
    );
    await page.getByText('You must verify your phone number before making withdrawals.').waitFor();
    await page.getByText('No withdrawal yet').waitFor();
    const info = page.getByRole('region', { name: 'How withdrawals work' });
    for (const [label, value] of [
      ['Smallest', /1,000\sP/],
      ['Each day', /up to 5/],
      ['Takes', /1–3 business days/],
      ['Approval', /a person looks at each/],
      ['Network fee', /automatic/],
    ] as const)
      assert.match(await info.locator('dl > div').filter({ hasText: label }).last().innerText(), value);
    assert.match(await info.innerText(), /Fee\s+none/);
    assert.deepEqual(complaints, []);
  });

  it('§1-5 withdrawal: warns of an unverified phone, and asks for it after the details', async () => {
    await member.earn(2_280);
    await page.getByRole('note').getByText('The withdrawal asks for it once.').waitFor();
    await open();
    const steps = dialog.getByRole('list', { name: 'Steps' }).getByRole('listitem');
    assert.deepEqual(await steps.allInnerTexts(), ['1\nDetails', '2\nPhone', '3\nCheck']);
    await dialog.getByRole('button', { name: 'Next: phone' }).waitFor();
    await member.verifyPhone();
  });

  it('§1-5 withdrawal: shows a tab with a hint for each method, and a message for each rule', async () => {
    await page.goto(address);
    await open();
    assert.deepEqual(await dialog.getByRole('tab').allInnerTexts(), ['Litecoin', 'Dash']);
    for (const { tab, hint, required } of [
      { tab: 'Litecoin', hint: 'starts with L', required: 'Litecoin Address Required' },
      { tab: 'Dash', hint: 'starts with X', required: 'Dash Address Required' },
    ]) {
      const next = dialog.getByRole('button', { name: 'Check details' });
      await dialog.getByRole('tab', { name: tab }).click();
      await dialog.getByText(hint).waitFor();
      await dialog.getByLabel('Amount').fill('999');
      await next.click();
      await dialog.getByText(`Minimum withdrawal amount for ${tab} is 1,000 points.`).waitFor();
      await dialog.getByText(required).waitFor();
      await dialog.getByLabel('Amount').fill('3001');
      await next.click();
      await dialog.getByText('Insufficient Balance: Withdrawal amount exceeds current balance.').waitFor();
      if (tab === 'Dash') assert.deepEqual(await violations(page), []);
      await dialog.getByLabel('Amount').fill('1000');
      await next.click();
      await dialog.getByText(required).waitFor();
      const field = dialog.getByLabel(`${tab} address`);
      assert.equal(await field.getAttribute('aria-invalid'), 'true');
      assert.equal(
        await field.evaluate((element) => element === document.activeElement),
        true,
        'the focus is in the field that is wrong',
      );
    }
  });

  it('§1-5 withdrawal: says what is wrong while it is typed, and mends it by a press', async () => {
    const slip = dialog.getByRole('complementary', { name: 'Withdrawal slip' });
    const amount = dialog.getByLabel('Amount');
    const addressField = dialog.getByLabel(/^(Litecoin|Dash) address/);
    await amount.fill('5000');
    await dialog.getByText('You have 3,000 P, which is 2,000 P less.').waitFor();
    assert.match(await slip.innerText(), /nothing yet[\s\S]*3,000\sP[\s\S]*5,000\sP\s+Missing\s+2,000\sP/);
    await dialog.getByRole('button', { name: 'Use 3,000 P' }).click();
    await slip.getByText('Fee', { exact: true }).waitFor();
    assert.equal(await amount.inputValue(), '3,000');
    await amount.fill('1e9').then(() => dialog.getByText('in digits alone', { exact: false }).waitFor());
    await amount.fill('640');
    await dialog.getByText('Minimum withdrawal amount for Dash is 1,000 points.').waitFor();
    assert.match(await slip.innerText(), /nothing yet[\s\S]*Smallest sum\s+1,000\sP/);
    await dialog.getByRole('button', { name: 'Use 1,000 P' }).click();
    await addressField.fill(`litecoin:${LITECOIN}?amount=1`);
    await dialog.getByText('This is a Litecoin address.').waitFor();
    await dialog.getByRole('button', { name: 'Switch to Litecoin' }).click();
    await dialog.getByRole('tab', { name: 'Litecoin', selected: true }).waitFor();
    await dialog.getByText('Complete, and its check fits.').waitFor();
    await addressField.fill(LITECOIN.slice(0, 24));
    await dialog.getByText('24 of 43 characters.').waitFor();
    assert.notEqual(await addressField.getAttribute('aria-invalid'), 'true');
    await addressField.fill(`${LITECOIN.slice(0, -1)}q`);
    await dialog.getByText('A character in this address is wrong: the check at its end').waitFor();
    await dialog.getByRole('button', { name: 'Check details' }).click();
    await addressField.and(page.locator(':focus')).waitFor();
    assert.deepEqual(await violations(page), []);
  });

  it('§1-8 withdrawal: shows a server’s refusal as a toast with the specified title, and at its field', async () => {
    const path = `${site.origin}/api/admin/payment-methods/litecoin`;
    const raised = { headers, data: { settings: { minimumAmount: 1_500 } } };
    assert.equal((await operator.request.put(path, raised)).status(), 200);
    await toCheck('1000', LITECOIN);
    await send('1,000');
    await refusal.getByText('Minimum withdrawal amount for Litecoin is 1,500 points.').waitFor();
    assert.equal(await dialog.getByLabel('Amount').getAttribute('aria-invalid'), 'true');
    await dialog.getByText('1,500 to 3,000').waitFor();
    const as = { headers, data: { settings: { minimumAmount: 0 } } };
    assert.equal((await operator.request.put(path, as)).status(), 200);
  });

  it('§1-2 withdrawal page: closes the dialog after a request, empties the form, updates what is shown', async () => {
    complaints.splice(0);
    await toCheck('1500', LITECOIN);
    await dialog.getByText(/ltc1 qw50 8d6q/).waitFor();
    const { litecoin } = await member.read('/sandbox/rates');
    const summary = (await dialog.getByRole('complementary').innerText()).replace(/\s+/g, ' ');
    const about = Math.floor((1.5 / litecoin.usd) * 1e5) / 1e5;
    assert.ok(summary.includes(`You get about ${about.toFixed(5)} LTC`), summary);
    assert.match(summary, /1 LTC = \$[\d.]+ at .*The exact amount is fixed when we approve it\./);
    assert.match(summary, /Fee none Takes 1–3 business days Left after this 1,500 P/);
    assert.deepEqual(await violations(page), []);
    // The draft and its key outlive the page.
    await loseNextAnswer();
    await send('1,500');
    await dialog.getByRole('alert').getByText('it is never asked twice').waitFor();
    await page.reload();
    complaints.splice(0);
    await dialog.getByRole('button', { name: 'Check details' }).click();
    await send('1,500');
    await page.getByRole('status').getByText('Requested. We pay within 1–3 business days.').waitFor();
    const receipt = page.getByRole('dialog', { name: 'Requested' });
    await receipt.getByText('A person reviews it next.').waitFor();
    await receipt.getByText(/ltc1 qw50 8d6q/).waitFor();
    const number = new URL(page.url()).searchParams.get('request')?.slice(0, 8) ?? 'none';
    await receipt.getByText(number, { exact: true }).waitFor();
    assert.deepEqual(await violations(page), []);
    await receipt.getByRole('button', { name: 'Done' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal(new URL(page.url()).search, '');
    await row.getByText('Pending').waitFor();
    assert.deepEqual(await row.getByRole('list', { name: 'Steps' }).getByRole('listitem').allInnerTexts(), [
      'Requested',
      'Review',
      'Sent',
      'Paid',
    ]);
    assert.equal(await row.locator('[aria-current=step]').innerText(), 'Review');
    await page
      .locator('header')
      .getByText(/1,500\sP/)
      .waitFor();
    await open();
    assert.equal(await dialog.getByLabel('Amount').inputValue(), '');
    assert.equal(await dialog.getByLabel('Litecoin address').inputValue(), '');
    await dialog.getByLabel('Amount').fill('1,234');
    await reloadAndGoBack();
    for (const amount of ['1,234', '']) {
      // Escape keeps the draft, Cancel ends it.
      if (amount === '') await dialog.getByRole('button', { name: 'Cancel' }).focus();
      await page.keyboard.press(amount === '' ? 'Enter' : 'Escape');
      await dialog.waitFor({ state: 'detached' });
      await open();
      assert.equal(await dialog.getByLabel('Amount').inputValue(), amount);
    }
    await page.keyboard.press('Escape');
    assert.deepEqual(complaints, []);
  });

  it('shows the reason and the returned points of a rejected request, and cancels one after it asked', async () => {
    await member.earn(4_000);
    for (const points of ['1000', '1200']) await request(points);
    await decide(member.email, '1000', 'reject', { reason: 'Used by another account' });
    await list.getByText('Used by another account').waitFor();
    await list.getByText('The points are back in your balance.').waitFor();
    const cancel = row.filter({ hasText: /1,200\sP/ }).getByRole('button', { name: 'Cancel the request' });
    await cancel.click();
    const asked = page.getByRole('dialog', { name: 'Cancel your request for 1,200 P?' });
    await asked.getByText('1,200 P return to your balance.').waitFor();
    await asked.getByText('The request still counts as one of the five of its day.').waitFor();
    assert.deepEqual(await violations(page), []);
    await asked.getByRole('button', { name: 'Keep the request' }).click();
    await asked.waitFor({ state: 'detached' });
    assert.equal(await page.getByText('Cancelled. 1,200 P').count(), 0, 'nothing before the answer');
    await cancel.click();
    await asked.getByRole('button', { name: 'Cancel 1,200 P' }).click();
    await page.getByText('Cancelled. 1,200 P are back in your balance.').waitFor();
    await list.getByText('You cancelled this').waitFor();
    await list.getByText('Cancelled', { exact: true }).waitFor();
  });

  it('refuses the sixth request of a day with its reason', async () => {
    await request('1000');
    await open();
    await toCheck('1500', LITECOIN);
    await request('1000');
    await send('1,500');
    const sentence = 'You have reached the limit of 5 withdrawals a day. Come back tomorrow.';
    await dialog.getByRole('alert').getByText(sentence).waitFor();
    await refusal.getByText(sentence).waitFor();
    await page.reload();
    await dialog.getByRole('note').getByText(sentence).waitFor();
    assert.equal(await dialog.getByRole('button', { name: 'Check details' }).isDisabled(), true);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('waits for the facts of the methods before it shows its form, and tries again after a failure', async () => {
    const facts = '**/api/withdrawal/rails';
    const { promise: isSeen, resolve: markSeen } = Promise.withResolvers<void>();
    await page.route(facts, async (route) => {
      await isSeen;
      await route.abort();
    });
    await page.reload();
    await openButton.click();
    await dialog.locator('[aria-busy="true"]').waitFor();
    assert.doesNotMatch(await dialog.innerText(), /You get|P/);
    markSeen();
    const retry = dialog.getByRole('button', { name: 'Try again' });
    await retry.waitFor();
    assert.equal(await dialog.getByLabel('Amount').count(), 0);
    await page.unroute(facts);
    await retry.click();
    await dialog.getByLabel('Amount').fill('2000');
    await dialog.getByText(/LTC/).first().waitFor();
  });

  it('§2-2 wallet settings: tell a member that permission is required', async () => {
    await visit(page, `${site.origin}/wallet-settings`);
    await page.getByRole('heading', { level: 2, name: 'Access denied' }).waitFor();
    await page.getByText(/^Admin permission is required/).waitFor();
    await member.context.close();
  });
});

describe('a request', () => {
  const member = second;
  const { page, complaints } = member;
  const { dialog, row, list, open, toCheck, request, takeLastAddress } = actsOf(member);

  it('§1-4 withdrawal: is followed by an open page until it is paid, without a reload', async () => {
    // One block confirms a payment, and an approved request waits for a moment.
    await site.owner.rows(sql`
      update withdrawals.methods set settings = settings || '{"confirmations": 1}' where method = 'litecoin'`);
    await changeSettings(site.owner, 'sandbox', { payoutDelaySeconds: 3 });
    await member.earn(6_000);
    await member.verifyPhone();
    await openConnected(page, () => page.goto(address));
    await noteStates(page);
    await request('1000');
    const badge = (word: string) => row.locator('[data-tone]').getByText(word, { exact: true });
    await badge('Pending').waitFor();
    await decide(member.email, '1000', 'approve', {});
    await badge('Paid').waitFor({ timeout: 60_000 });
    assert.deepEqual(
      await statesOf(page),
      ['Pending: Review', 'Approved: Sending', 'Sent: Confirming', 'Paid: '],
      'each state once, in its order',
    );
    await row.getByText('Sent. Transaction', { exact: false }).waitFor();
    const { data } = (await member.read('/api/withdrawal/history')) as { data: { txId: string }[] };
    assert.equal(await row.locator('[title]').last().getAttribute('title'), data[0]?.txId);
    const chain = (await member.read('/sandbox/chain')) as { txId: string }[];
    assert.equal(chain.filter(({ txId }) => txId === data[0]?.txId).length, 1, 'a real payment of the node');
    // The confirmation is shown for two seconds.
    const copied = row.getByRole('button', { name: 'Copied' }).waitFor();
    await row.getByRole('button', { name: 'Copy the transaction ID' }).click();
    await copied;
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), data[0]?.txId);
    assert.deepEqual(complaints, []);
  });

  it('has a page of its own, which follows it from the request to the receipt and cancels by one press', async () => {
    const receipt = page.getByRole('dialog');
    const title = receipt.getByRole('heading', { level: 2 });
    await row.getByRole('link', { name: 'Litecoin: open the receipt of 1,000 P' }).click();
    await title.getByText(/^Paid\. 0\.\d+\sLTC is in your wallet\.$/).waitFor();
    const facts = /\$1\.00, for 1,000\sP[\s\S]*Rate\s+1 LTC = \$[\s\S]*Transaction/;
    assert.match(await receipt.innerText(), facts);
    assert.deepEqual(await violations(page), []);
    // This browser has no sheet for sharing, so the picture is saved.
    const saved = page.waitForEvent('download');
    await receipt.getByRole('button', { name: 'Share' }).click();
    const picture = readFileSync(await (await saved).path());
    assert.deepEqual([picture.toString('latin1', 1, 4), picture.readUInt32BE(16)], ['PNG', 1_200]);
    await page.goBack();
    await receipt.waitFor({ state: 'detached' });
    const { id } = await (await request('1200')).json();
    await visit(page, `${address}?request=abc`);
    await receipt.getByText('This request is not one of yours.').waitFor();
    await visit(page, `${address}?request=${id.toUpperCase()}`);
    await title.getByText('Requested').waitFor();
    await receipt.getByRole('button', { name: 'Cancel it' }).click();
    await title.getByText('Cancelled').waitFor();
    await receipt.getByText('The points are back in your balance.').waitFor();
    const returned = await receipt.innerText();
    assert.match(returned, /Asked for\s+1,200\sP[\s\S]*Returned\s+\+1,200\sP/);
    assert.doesNotMatch(returned, /LTC|You get|From your balance/);
    await receipt.getByRole('button', { name: 'Done' }).click();
    assert.equal(await takeLastAddress(), LITECOIN);
    await receipt.waitFor({ state: 'detached' });
  });

  it('can be cancelled while it is held after a restore, exactly while the server takes it', async () => {
    await request('1000');
    await site.owner.rows(sql`
      insert into withdrawals.unaccounted_payments (method, reference, destination, amount_units, paid_at, found_at,
        withdrawal_id, member_id, points)
      values ('litecoin', 'lost', 'elsewhere', 1, now(), now(), gen_random_uuid(), ${Number(member.id)}, 1000)`);
    await site.owner.rows(sql`
      insert into withdrawals.reconciliations (method, reason, asked_at, awaited_accounts)
      values ('litecoin', 'restore', now() - interval '1 day', '{an account that is not connected}')
      on conflict (method) do update set done_at = null, awaited_accounts = excluded.awaited_accounts`);
    await page.reload();
    const cancel = row.getByRole('button', { name: 'Cancel the request' });
    await row.getByText('An operator compares it with our earlier payments', { exact: false }).waitFor();
    assert.equal(await cancel.count(), 0, 'the request itself may be paid');
    await site.owner.rows(sql`delete from withdrawals.reconciliations`);
    await row
      .getByText('An operator checks whether these points were paid before', { exact: false })
      .waitFor();
    await cancel.click();
    await dialog.getByRole('button', { name: /^Cancel 1,000\sP$/ }).click();
    await page.getByText(/^Cancelled\. 1,000\sP are back in your balance\.$/).waitFor();
    await cancel.waitFor({ state: 'detached' });
    await site.owner.rows(sql`delete from withdrawals.unaccounted_payments`);
  });

  it('has no promised time while payouts are paused, says so once it is approved, and follows their end', async () => {
    await changeSettings(site.owner, 'sandbox', { payoutsPaused: true });
    await request('1000');
    await visit(page, `${site.origin}/settings`);
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await visit(page, address);
    const note = page.getByRole('note').filter({ hasText: 'Payouts are paused for now.' });
    await note.getByText('You can still request a withdrawal;', { exact: false }).waitFor();
    await row.getByText('A person reviews it next.').waitFor();
    await page.getByText('after payouts resume', { exact: true }).waitFor();
    assert.equal(await page.getByText('business days', { exact: false }).count(), 0);
    await open();
    await toCheck('1500', LITECOIN);
    await dialog.getByText('after payouts resume', { exact: true }).waitFor();
    await dialog.getByRole('button', { name: /^Withdraw 1,500/ }).click();
    await page.getByText('Requested. Payouts are paused for now; we pay it once they resume.').waitFor();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await row.filter({ hasText: /1,500\sP/ }).waitFor();
    await decide(member.email, '1500', 'approve', {});
    const said = row.getByText('We keep your request and pay it once they resume.', { exact: false });
    await said.waitFor();
    assert.equal(await row.locator('[aria-current=step]').innerText(), 'Paused');
    assert.deepEqual(await violations(page), []);
    await changeSettings(site.owner, 'sandbox', { payoutsPaused: false });
    await said.waitFor({ state: 'detached' });
    await note.waitFor({ state: 'detached' });
    await list.getByRole('listitem').filter({ hasText: 'We pay within' }).first().waitFor();
  });
});
