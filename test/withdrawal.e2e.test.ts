import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import type { Page } from 'playwright-core';
import { openBrowser, openConnected, violations } from './browser.ts';
import { demoSite } from './running-site.ts';
import { signIn } from './sign-in.ts';
import { visitingMember } from './visiting-member.ts';

/** The withdrawal page and its dialog, with every rule and message of the specification. */
const site = await demoSite({ after });
const browser = await openBrowser({ after });
const LITECOIN = 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9';
const still = { reducedMotion: 'reduce' } as const;

const openButton = (page: Page) => page.getByRole('button', { name: 'Withdraw', exact: true });
const dialogOf = (page: Page) => page.getByRole('dialog');

async function open(page: Page): Promise<void> {
  await openButton(page).click();
  await dialogOf(page).getByLabel('Amount').waitFor();
}

async function toCheck(page: Page, amount: string, address: string): Promise<void> {
  const dialog = dialogOf(page);
  await dialog.getByLabel('Amount').fill(amount);
  await dialog.getByLabel('Litecoin address').fill(address);
  await dialog.getByRole('button', { name: 'Check details' }).click();
}

it('§1-5 withdrawal: disables the button below the minimum, and shows why and the progress', async () => {
  const { page, context, complaints, earn } = await visitingMember(site, browser, still);
  await earn(720);
  await page.goto(`${site.origin}/withdrawal`);
  await page.getByText('Below minimum withdrawal amount').waitFor();
  await page.getByText('Need 280P more.').waitFor();
  assert.equal(await openButton(page).isDisabled(), true);
  const reason = await page.locator('#enough').innerText();
  assert.equal(await openButton(page).getAttribute('aria-describedby'), 'enough');
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
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(complaints, []);
  await context.close();
});

it('shows a debt, with a link to the reversed earnings', async () => {
  const { page, context, earn, takeBack, verifyPhone, post } = await visitingMember(site, browser, still);
  await earn(1_500);
  await verifyPhone();
  const recipientInfo = { address: LITECOIN };
  await post('/api/withdrawal', { amountPoints: '1000', method: 'litecoin', recipientInfo }, 201);
  await takeBack();
  await page.goto(`${site.origin}/withdrawal`);
  await page.getByText(/1,000\sP were taken back after you spent them/).waitFor();
  assert.equal(await openButton(page).isDisabled(), true);
  assert.deepEqual(await violations(page), []);
  await page.getByRole('link', { name: 'See why' }).click();
  await page.getByRole('heading', { level: 1, name: 'Chargeback history' }).waitFor();
  await context.close();
});

it('§1-5 withdrawal: warns of an unverified phone, and stops the dialog there', async () => {
  const { page, context, earn } = await visitingMember(site, browser, still);
  await earn(2_000);
  await page.goto(`${site.origin}/withdrawal`);
  await open(page);
  const next = dialogOf(page).getByRole('button', { name: 'Check details' });
  assert.equal(await next.isDisabled(), true);
  await dialogOf(page).getByText('You must verify your phone number before making withdrawals.').waitFor();
  await context.close();
});

it('§1-5 phone: verifies a phone in two steps, and shows why a step failed', async () => {
  const { page, context, read } = await visitingMember(site, browser, still);
  await page.goto(`${site.origin}/settings`);
  const card = page.getByRole('region', { name: 'Phone' });
  const number = card.getByLabel(/^Phone number/);
  const send = card.getByRole('button', { name: 'Send code' });
  await number.fill('010-1234-5678');
  await send.click();
  await card.getByText('You can also use the international format: +[country code][number]').waitFor();
  await page.route('**/api/auth/send-phone-verification', (route) => route.abort());
  await card.getByLabel('Country', { exact: true }).selectOption({ label: 'South Korea (+82)' });
  await number.fill('010-9999-0001');
  await send.click();
  await card.getByText('Failed to send verification code').waitFor();
  await page.unroute('**/api/auth/send-phone-verification');
  await send.click();
  const code = card.getByLabel(/^Verification code/);
  await code.waitFor();
  assert.equal(await number.isDisabled(), true);
  const sentCode = async () => {
    const outbox = (await read('/sandbox/outbox')) as { to: string; code: string }[];
    return outbox.findLast(({ to }) => to === '+821099990001')?.code ?? '';
  };
  const first = await sentCode();
  const verify = card.getByRole('button', { name: 'Verify phone' });
  await code.fill('12345');
  assert.equal(await verify.isDisabled(), true);
  await code.fill(first === '123456' ? '123457' : '123456');
  await verify.click();
  await card.getByText('Invalid verification code').waitFor();
  await card.getByRole('button', { name: 'Resend' }).click();
  assert.equal(await number.isDisabled(), false);
  await send.click();
  await code.waitFor();
  await code.fill(await sentCode());
  await verify.click();
  await page.getByText('Your phone is verified. You can withdraw now.').waitFor();
  await card.getByText('+821099990001').waitFor();
  assert.equal(await number.count(), 0);
  await context.close();
});

it('§1-5 withdrawal: shows a tab with a hint for each method, and a message for each rule', async () => {
  const { page, context, complaints, earn, verifyPhone } = await visitingMember(site, browser, still);
  await earn(3_000);
  await verifyPhone();
  await page.goto(`${site.origin}/withdrawal`);
  await open(page);
  const dialog = dialogOf(page);
  assert.deepEqual(await dialog.getByRole('tab').allInnerTexts(), ['Litecoin', 'Dash']);
  const expected = [
    {
      tab: 'Litecoin',
      field: 'Litecoin address',
      hint: 'starts with L',
      required: 'Litecoin Address Required',
    },
    { tab: 'Dash', field: 'Dash address', hint: 'starts with X', required: 'Dash Address Required' },
  ];
  for (const { tab, field, hint, required } of expected) {
    await dialog.getByRole('tab', { name: tab }).click();
    await dialog.getByText(hint).waitFor();
    await dialog.getByLabel('Amount').fill('999');
    await dialog.getByRole('button', { name: 'Check details' }).click();
    await dialog.getByText(`Minimum withdrawal amount for ${tab} is 1,000 points.`).waitFor();
    await dialog.getByText(required).waitFor();
    await dialog.getByLabel('Amount').fill('3001');
    await dialog.getByRole('button', { name: 'Check details' }).click();
    await dialog.getByText('Insufficient Balance: Withdrawal amount exceeds current balance.').waitFor();
    assert.deepEqual(await violations(page), []);
    await dialog.getByLabel('Amount').fill('1000');
    await dialog.getByRole('button', { name: 'Check details' }).click();
    await dialog.getByText(required).waitFor();
    assert.equal(await dialog.getByLabel(field).getAttribute('aria-invalid'), 'true');
    assert.equal(
      await dialog.getByLabel(field).evaluate((element) => element === document.activeElement),
      true,
      'the focus is in the field that is wrong',
    );
  }
  await dialog.getByLabel('Dash address').fill(LITECOIN);
  await dialog.getByRole('button', { name: 'Check details' }).click();
  await dialog.getByText('This is a Litecoin address.').waitFor();
  await dialog.getByText('Fee').first().waitFor();
  assert.deepEqual(complaints, []);
  await context.close();
});

it('§1-8 withdrawal: shows a server’s refusal as a toast with the specified title, and at its field', async () => {
  const { page, context, earn, verifyPhone } = await visitingMember(site, browser, still);
  await earn(2_000);
  await verifyPhone();
  await page.goto(`${site.origin}/withdrawal`);
  await open(page);
  // Valid except for its last letter. The server checks the checksum.
  await toCheck(page, '1000', `${LITECOIN.slice(0, -1)}q`);
  await dialogOf(page)
    .getByRole('button', { name: /^Withdraw 1,000/ })
    .click();
  const toast = page.getByRole('alert').filter({ hasText: 'Submit Request 실패' });
  await toast.getByText('A character of this Litecoin address is wrong or missing.').waitFor();
  await dialogOf(page).getByLabel('Litecoin address').waitFor();
  assert.equal(await dialogOf(page).getByLabel('Litecoin address').getAttribute('aria-invalid'), 'true');
  await context.close();
});

it('shows a minimum that was raised meanwhile', async () => {
  const { page, context, earn, verifyPhone } = await visitingMember(site, browser, still);
  await earn(2_000);
  await verifyPhone();
  await page.goto(`${site.origin}/withdrawal`);
  await open(page);
  const operator = await browser.newContext();
  const headers = { origin: site.origin };
  await signIn(operator, site, site.operator);
  const setMinimum = async (minimumAmount: number) => {
    const path = `${site.origin}/api/admin/payment-methods/litecoin`;
    const answer = await operator.request.put(path, { headers, data: { settings: { minimumAmount } } });
    assert.equal(answer.status(), 200, await answer.text());
  };
  await setMinimum(1_500);
  await toCheck(page, '1000', LITECOIN);
  await dialogOf(page)
    .getByRole('button', { name: /^Withdraw 1,000/ })
    .click();
  const sentence = 'Minimum withdrawal amount for Litecoin is 1,500 points.';
  await page.getByRole('alert').filter({ hasText: 'Submit Request 실패' }).getByText(sentence).waitFor();
  await dialogOf(page).getByText('1,500 to 2,000').waitFor();
  await setMinimum(0);
  await operator.close();
  await context.close();
});

it('§1-2 withdrawal page: closes the dialog after a request, empties the form, updates figures and list', async () => {
  const { page, context, complaints, earn, verifyPhone, read } = await visitingMember(site, browser, still);
  await earn(3_000);
  await verifyPhone();
  await page.goto(`${site.origin}/withdrawal`);
  await open(page);
  await toCheck(page, '1200', LITECOIN);
  const dialog = dialogOf(page);
  await dialog.getByText(/ltc1 qw50 8d6q/).waitFor();
  await dialog.getByText(/1,800\sP/).waitFor();
  const { litecoin } = await read('/sandbox/rates');
  const summary = (await dialog.getByRole('complementary').innerText()).replace(/\s+/g, ' ');
  const about = Math.floor((1.2 / litecoin.usd) * 1e5) / 1e5;
  assert.ok(summary.includes(`You get about ${about.toFixed(5)} LTC`), summary);
  assert.match(summary, /1 LTC = \$[\d.]+ at .*The exact amount is fixed when we approve it\./);
  assert.match(summary, /Fee none Takes 1–3 business days Left after this 1,800 P/);
  assert.deepEqual(await violations(page), []);
  await dialog.getByRole('button', { name: /^Withdraw 1,200/ }).click();
  await page.getByRole('status').getByText('Requested. We pay within 1–3 business days.').waitFor();
  await dialog.waitFor({ state: 'detached' });
  const row = page.getByRole('region', { name: 'Your withdrawals' }).getByRole('listitem').first();
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
    .getByText(/1,800\sP/)
    .waitFor();
  await open(page);
  assert.equal(await dialog.getByLabel('Amount').inputValue(), '');
  assert.equal(await dialog.getByLabel('Litecoin address').inputValue(), '');
  assert.deepEqual(complaints, []);
  await context.close();
});

it('refuses the sixth request of a day with its reason', async () => {
  const { page, context, earn, verifyPhone, post } = await visitingMember(site, browser, still);
  await earn(7_000);
  await verifyPhone();
  const recipientInfo = { address: LITECOIN };
  for (let request = 0; request < 5; request += 1)
    await post('/api/withdrawal', { amountPoints: '1000', method: 'litecoin', recipientInfo }, 201);
  await page.goto(`${site.origin}/withdrawal`);
  await open(page);
  await toCheck(page, '1000', LITECOIN);
  await dialogOf(page)
    .getByRole('button', { name: /^Withdraw 1,000/ })
    .click();
  const sentence = 'You have reached the limit of 5 withdrawals a day. Come back tomorrow.';
  await dialogOf(page).getByRole('alert').getByText(sentence).waitFor();
  await page.getByRole('alert').filter({ hasText: 'Submit Request 실패' }).getByText(sentence).waitFor();
  await context.close();
});

it('shows the reason and the returned points of a rejected request, and the transaction of a sent one', async () => {
  const { page, context, earn, verifyPhone, post, email } = await visitingMember(site, browser, {
    ...still,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  await earn(4_000);
  await verifyPhone();
  const recipientInfo = { address: LITECOIN };
  for (const amountPoints of ['1000', '1500', '1200'])
    await post('/api/withdrawal', { amountPoints, method: 'litecoin', recipientInfo }, 201);
  const operator = await browser.newContext();
  const act = async (path: string, data: unknown) => {
    const answer = await operator.request.post(`${site.origin}${path}`, {
      headers: { origin: site.origin },
      data,
    });
    assert.equal(answer.status(), 200, await answer.text());
  };
  await signIn(operator, site, site.operator);
  const waiting = await operator.request.get(`${site.origin}/api/admin/withdrawals-data?q=${email}`);
  const { withdrawals } = (await waiting.json()) as { withdrawals: { id: string; amount: string }[] };
  const idOf = (amount: string) => withdrawals.find((one) => one.amount === amount)?.id;
  await act(`/api/admin/withdrawals/${idOf('1000')}/reject`, { reason: 'Used by another account' });
  await act(`/api/admin/withdrawals/${idOf('1500')}/approve`, {});
  await page.goto(`${site.origin}/withdrawal`);
  const list = page.getByRole('region', { name: 'Your withdrawals' });
  await list.getByText('Used by another account').waitFor();
  await list.getByText('The points are back in your balance.').waitFor();
  await list.getByRole('button', { name: 'Cancel the request' }).click();
  const asked = page.getByRole('dialog', { name: 'Cancel your request for 1,200 P?' });
  await asked.getByText('1,200 P return to your balance.').waitFor();
  await asked.getByText('The request still counts as one of the five of its day.').waitFor();
  assert.deepEqual(await violations(page), []);
  await asked.getByRole('button', { name: 'Keep the request' }).click();
  await asked.waitFor({ state: 'detached' });
  assert.equal(
    await page.getByText('Cancelled. 1,200 P').count(),
    0,
    'nothing is cancelled before the answer',
  );
  await list.getByRole('button', { name: 'Cancel the request' }).click();
  await asked.getByRole('button', { name: 'Cancel 1,200 P' }).click();
  await page.getByText('Cancelled. 1,200 P are back in your balance.').waitFor();
  await list.getByText('You cancelled this').waitFor();
  await list.getByText('Cancelled', { exact: true }).waitFor();
  for (let tries = 0; tries < 60 && (await list.getByText('Sent. Transaction').count()) === 0; tries += 1) {
    await page.waitForTimeout(500);
    await page.reload();
    await list.getByText('Used by another account').waitFor();
  }
  await list.getByText('Sent. Transaction').waitFor();
  // The confirmation is shown for two seconds.
  const copied = list.getByRole('button', { name: 'Copied' }).waitFor();
  await list.getByRole('button', { name: 'Copy the transaction id' }).click();
  await copied;
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^[0-9a-f]{64}$/);
  assert.deepEqual(await violations(page), []);
  await operator.close();
  await context.close();
});

it('shows an error if the history does not load, and tries again', async () => {
  const { page, context } = await visitingMember(site, browser, still);
  await page.route('**/api/withdrawal/history*', (route) => route.abort());
  await openConnected(page, () => page.goto(`${site.origin}/withdrawal`));
  await page.getByText('Failed to fetch withdrawal history').waitFor();
  await page.unroute('**/api/withdrawal/history*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('No withdrawal yet').waitFor();
  await context.close();
});

it('waits for the facts of the methods before it shows its form, and tries again after a failure', async () => {
  const { page, context, earn, verifyPhone } = await visitingMember(site, browser, still);
  await earn(3_000);
  await verifyPhone();
  const facts = '**/api/withdrawal/rails';
  await page.route(facts, (route) => route.abort());
  await page.goto(`${site.origin}/withdrawal`);
  await openButton(page).click();
  const dialog = dialogOf(page);
  const retry = dialog.getByRole('button', { name: 'Try again' });
  await retry.waitFor();
  assert.equal(await dialog.getByLabel('Amount').count(), 0);
  await page.unroute(facts);
  await retry.click();
  await toCheck(page, '2000', LITECOIN);
  await dialog.getByText(/LTC/).first().waitFor();

  const { promise: isSeen, resolve: markSeen } = Promise.withResolvers<void>();
  await page.route(facts, async (route) => {
    await isSeen;
    await route.continue();
  });
  await page.reload();
  await openButton(page).click();
  await dialog.locator('[aria-busy="true"]').waitFor();
  assert.doesNotMatch(await dialog.innerText(), /You get|P/);
  markSeen();
  await toCheck(page, '2000', LITECOIN);
  await dialog.getByText(/LTC/).first().waitFor();
  await context.close();
});
