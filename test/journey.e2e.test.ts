import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { openBrowser, openPage, violations } from './browser.ts';
import { completeOffer } from './complete-offer.ts';
import { demoSiteProcess } from './running-site.ts';

/** The whole journey of a member, from the first visit to a transaction on the chain. */
const site = await demoSiteProcess({ after });
const browser = await openBrowser({ after });
const address = 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9';
const email = 'mina.kim@example.com';
const phone = '+821055501234';

type Sent = { to: string; code: string | null };
type OnChain = { address: string; amount: string; txId: string };
const fetchJson = async <T>(path: string): Promise<T> =>
  (await fetch(`${site.origin}${path}`)).json() as Promise<T>;

it('§1-1 earning and withdrawing: earns points as a member and pays them on the chain', async () => {
  const { page, complaints } = await openPage(browser);
  await page.goto(site.origin);
  await page.getByRole('link', { name: 'Get started' }).first().click();

  await page.getByRole('tab', { name: 'Register' }).click();
  await page.getByLabel('First name').fill('Mina');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: false }).first().fill('a quiet river 7');
  await page.getByLabel('Confirm password').fill('a quiet river 7');
  await page.getByRole('checkbox', { name: 'I am human' }).check();
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('heading', { level: 1, name: /Mina/ }).waitFor();

  await page.getByRole('link', { name: 'Earn', exact: true }).first().click();
  await page
    .getByRole('button', { name: /CPX Research/ })
    .or(page.getByRole('link', { name: /CPX Research/ }))
    .first()
    .click();
  const wall = page.frameLocator('iframe');
  await wall.getByRole('button', { name: 'Complete' }).first().waitFor();
  const offered = await wall.locator('.reward').first().innerText();
  const points = Number(offered.replaceAll(/\D/g, ''));
  assert.ok(points > 0);
  for (let earned = 0; earned < 1_000; earned += points) await completeOffer(page);
  // The balance in the top bar follows each booking without a reload.
  const shown = page
    .locator('header')
    .getByText(/^Balance\s+[\d,]+\s*P$/)
    .first();
  await expectPoints(async () => Number((await shown.innerText()).replaceAll(/\D/g, '')), 1_000);
  await page.getByRole('button', { name: 'Close CPX Research' }).click();

  await page.goto(`${site.origin}/settings`);
  await page.getByLabel('Phone number').fill(phone);
  await page.getByRole('button', { name: 'Send code' }).click();
  await page.getByText(`The code is on its way to ${phone}.`).waitFor();
  const outbox = await fetchJson<Sent[]>('/sandbox/outbox');
  const code = outbox.filter(({ to }) => to === phone).at(-1)?.code ?? '';
  await page.getByLabel('Verification code').first().click();
  await page.keyboard.type(code);
  await page.getByRole('button', { name: 'Verify phone' }).click();
  await page.getByText('This number is verified.').waitFor();

  await page.getByRole('link', { name: 'Withdraw', exact: true }).first().click();
  await page.getByRole('button', { name: 'Withdraw', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Amount').fill('1000');
  await dialog.getByLabel('Litecoin address').fill(address);
  await dialog.getByRole('button', { name: 'Check details' }).click();
  await dialog.getByRole('button', { name: 'Withdraw 1,000 P' }).click();
  await page.getByText('Requested. We pay within 1–3 business days.').first().waitFor();
  assert.deepEqual(await violations(page), []);

  await approveAsOperator();

  const paid = await waitForPayment();
  await page.goto(`${site.origin}/withdrawal`);
  await page.getByText(paid.txId.slice(0, 8)).waitFor();
  assert.deepEqual(complaints, []);
});

async function expectPoints(read: () => Promise<number>, pointsMin: number): Promise<void> {
  for (let tries = 0; tries < 50; tries += 1) {
    if ((await read()) >= pointsMin) return;
    await new Promise((done) => setTimeout(done, 100));
  }
  assert.fail(`The balance stayed at ${await read()}`);
}

async function approveAsOperator(): Promise<void> {
  const { page, complaints } = await openPage(browser);
  await page.goto(`${site.origin}/admin-login`);
  await page.getByLabel(/E-mail|이메일/).fill(site.operator.email);
  await page
    .getByLabel(/^(Password|비밀번호)/)
    .first()
    .fill(site.operator.password);
  await page.getByRole('button', { name: /Sign in|로그인/ }).click();
  await page.waitForURL('**/management-panel-x7k9w');
  await page
    .getByRole('navigation')
    .first()
    .getByRole('link', { name: /^(Withdrawals|출금)( \d+)?$/ })
    .click();
  await page.getByText(email).first().click();
  const sheet = page
    .getByRole('complementary')
    .or(page.getByRole('dialog'))
    .filter({ hasText: email })
    .first();
  await sheet.getByRole('button', { name: /Approve|승인/ }).click();
  assert.deepEqual(complaints, []);
}

async function waitForPayment(): Promise<OnChain> {
  for (let tries = 0; tries < 60; tries += 1) {
    const mine = (await fetchJson<OnChain[]>('/sandbox/chain')).filter((entry) => entry.address === address);
    if (mine.length > 0) {
      assert.equal(mine.length, 1, 'one output and no second');
      const rates = await fetchJson<{ litecoin: { usd: number } }>('/sandbox/rates');
      // One dollar at the rate, rounded down to eight decimals with integers.
      const rateMicros = BigInt(Math.round(rates.litecoin.usd * 1e6));
      const units = 10n ** 14n / rateMicros;
      assert.equal(mine[0]?.amount.replace('.', '').replace(/^0+/, ''), String(units));
      return mine[0] as OnChain;
    }
    await new Promise((done) => setTimeout(done, 500));
  }
  throw new Error('Nothing arrived on the chain');
}

it('leaves a log without a warning', () => {
  const lines = site.log().split('\n').filter(Boolean);
  const loud = lines.filter((line) => !/"level":(10|20|30),/.test(line));
  assert.deepEqual(loud, []);
});
