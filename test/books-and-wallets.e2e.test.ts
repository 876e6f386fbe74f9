import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { sql } from '#platform/database.ts';
import { sandboxCompanies } from '../server/sandbox/companies.ts';
import { refuseCalls, violations, visit, widerThanWindow } from './browser.ts';
import { eventually } from './earning-browser.ts';
import { operatorPage } from './operator-browser.ts';

/**
 * The operators' books, with the movements of the demo world, and the site’s accounts at PayPal and at the crypto
 * provider, against the sandbox's simulated companies.
 */
const { site, panel, page, complaints } = await operatorPage({ after });
const { owner } = site;
// The audit of the start gives way to other work, and those of an operator would wait for it. The start asks for none
// where one waits already.
await owner.rows(sql`
  insert into ledger.audits (cause, due_at) values ('start', now() + interval '1 day')
  on conflict (cause) where finished_at is null do update set due_at = excluded.due_at`);

const address = `${panel}/books`;
const sheet = page.getByRole('dialog');

/** Asks for an audit and waits for its end. */
async function auditNow(): Promise<void> {
  await page.getByRole('button', { name: 'Audit now' }).click({ timeout: 60_000 });
  await page.getByRole('button', { name: 'Audit under way' }).waitFor();
  await page.getByRole('button', { name: 'Audit now' }).waitFor({ timeout: 60_000 });
  await page
    .getByText(/^Asked for by an operator · /)
    .first()
    .waitFor();
}

describe('the books', () => {
  it('say that they did not load, and load at another try', async () => {
    await refuseCalls(page, '**/api/admin/books');
    await page.goto(address);
    await page.getByText('불러오지 못했습니다', { exact: true }).waitFor();
    await page.unroute('**/api/admin/books');
    await page.getByRole('button', { name: '다시 시도' }).click();
    await page.getByRole('row', { name: /^회원 잔액/ }).waitFor();
    assert.deepEqual(
      complaints.splice(0).filter((text) => !text.includes('429')),
      [],
    );
  });

  it('show every account on its side, with the time of the count', async () => {
    await page.getByRole('heading', { level: 1, name: '장부' }).waitFor();
    await page.getByRole('button', { name: 'English' }).click();
    await page.getByRole('heading', { level: 1, name: 'Books' }).waitFor();
    await page.getByText(/^Added up at .+ once a minute\.$/).waitFor();
    await page.getByText('Balances', { exact: true }).waitFor();
    const [sum] = await page.getByRole('row', { name: /^Sum/ }).allInnerTexts();
    const [, debit, credit] = /^Sum\s+([\d,]+)\s+([\d,]+)$/.exec(sum ?? '') ?? [];
    assert.ok(debit !== undefined && debit === credit, sum);
    await page.getByRole('rowheader', { name: 'Costs' }).waitFor();
    await page.getByRole('rowheader', { name: 'Paid out' }).waitFor();
    await page.getByRole('region', { name: 'Due from providers' }).getByText('CPX Research').waitFor();
  });

  it('tell what members are owed from what was paid, and debts apart', async () => {
    const digits = (text: string | undefined) => (text ?? '').replaceAll(/\D/g, '');
    const inMain = async (form: RegExp) => digits(form.exec(await page.locator('main').innerText())?.[1]);
    const inRow = async (name: RegExp) => digits((await page.getByRole('row', { name }).allInnerTexts())[0]);
    // The demo world's payouts are paid meanwhile, and the page is read every five seconds.
    await eventually('the page shows what is owed', async () => {
      const stored = await owner.one<{ owed: string; open: string; paid: string }>(sql`
        select (b.balances + q.open)::bigint::text as owed, q.open::bigint::text as open, q.paid::bigint::text as paid
        from (select sum(balance) as balances from ledger.wallets where balance > 0) b cross join (
          select coalesce(sum(w.amount_points) filter (where p.state is distinct from 'confirmed'), 0) as open,
            coalesce(sum(w.amount_points) filter (where p.state = 'confirmed'), 0) as paid
          from withdrawals.withdrawals w left join withdrawals.payouts p on p.withdrawal_id = w.id
          where w.state <> 'rejected') q`);
      return isDeepStrictEqual(stored, {
        owed: await inMain(/Owed to members\s+([\d,]+)/),
        open: await inRow(/^Requested withdrawals/),
        paid: await inRow(/^Withdrawals paid/),
      });
    });
    assert.ok(Number(await inMain(/In wallets\s+\$([\d,]+)\./)) > 1_000, 'what all wallets hold, in dollars');
    const places = await Promise.all(
      ['Payouts', 'Trial balance'].map((name) => page.getByRole('region', { name }).boundingBox()),
    );
    assert.equal(places[0]?.x, places[1]?.x, 'payouts stand under the trial balance');
  });

  it('open an account by keyboard, by day and month, and download it', async () => {
    const link = page.getByRole('table').getByRole('link', { name: 'Daily bonus' });
    await link.focus();
    await page.keyboard.press('Enter');
    await sheet.getByRole('heading', { name: 'Daily bonus' }).waitFor();
    await sheet.getByText('Balance after it, P').waitFor();
    await sheet
      .getByRole('row', { name: /Daily bonus \d/ })
      .first()
      .waitFor();
    const download = page.waitForEvent('download');
    await sheet.getByRole('link', { name: 'This month as CSV' }).press('Enter');
    const text = await readFile(await (await download).path(), 'utf8');
    assert.match(text, /^\ufeffday,account,kind,movements,points\r\n\d{4}-\d\d-\d\d,bonus,bonus,\d+,-\d+/);
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'hidden' });
    await visit(page, `${address}?account=members&month=2020-01`);
    await sheet.getByText('No movement in this month').waitFor();
    await visit(page, `${address}?account=nobody`);
    await sheet.getByText('This didn’t load').waitFor();
    await visit(page, address);
    await sheet.waitFor({ state: 'hidden' });
  });

  it('show what an audit checked that the operator asks for, and what to do about a difference', async () => {
    const last = page.getByRole('region', { name: 'Last audit' });
    const balances = 'Every balance is the sum of its movements';
    await auditNow();
    await last.getByText('No difference').first().waitFor();
    await last.getByText(/^\d+ checks, no difference$/).click();
    await last.getByText(balances).waitFor();
    const wallets = page.getByRole('region', { name: 'Wallets against the chain' });
    await wallets.getByRole('row', { name: /^Litecoin/ }).waitFor();
    await wallets.getByText(/^Paid in the last 35 days/).waitFor();

    const { id } = await owner.one<{ id: number }>(sql`select min(member_id) as id from ledger.wallets`);
    await owner.rows(sql`update ledger.wallets set balance = balance + 1 where member_id = ${id}`);
    await auditNow();
    await last.getByText(/^Rows of the ledger differ/).waitFor();
    await page.setViewportSize({ width: 390, height: 1_400 });
    assert.equal(await widerThanWindow(page), 0);
    assert.deepEqual(await violations(page), []);
    await page.setViewportSize({ width: 1440, height: 900 });
    // The audit before stays as it was.
    await last
      .getByRole('link', { name: /^Asked for by an operator · / })
      .first()
      .click();
    await sheet.getByText(/^\d+ checks, no difference$/).waitFor();
    assert.equal(await sheet.getByText(balances).isVisible(), false);
    await sheet.getByText(/^\d+ checks, no difference$/).click();
    await sheet.getByText(balances).waitFor();
    assert.match(page.url(), /audit=(%22)?\d+/);
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'hidden' });
    await last
      .getByRole('link', { name: `Open ${id}` })
      .first()
      .click();
    await page.waitForURL(new RegExp(`users/member\\?id=(%22)?${id}`));
    await owner.rows(sql`update ledger.wallets set balance = balance - 1 where member_id = ${id}`);
  });

  it('lead to payouts by their state', async () => {
    await visit(page, address);
    await page.getByRole('region', { name: 'Payouts' }).getByRole('link', { name: /^Paid/ }).click();
    await page.waitForURL(/payouts\?state=confirmed/);
    assert.deepEqual(
      complaints.splice(0).filter((text) => !text.includes('404')),
      [],
    );
  });
});

const field = (name: string) => page.getByLabel(name, { exact: true });
const account = (name: string) =>
  page.getByRole('region', { name: 'Wallet balances' }).getByRole('listitem').filter({ hasText: name });

describe('the wallet settings', () => {
  it('§2-2 wallet settings: open at their address, with both tabs and their texts, in both languages', async () => {
    await page.evaluate(() => localStorage.setItem('operatorLanguage', 'ko'));
    await page.goto(`${site.origin}/wallet-settings`);
    await page.getByRole('heading', { level: 1, name: '지갑 설정' }).waitFor();
    await page.getByRole('link', { name: '암호화폐 결제 업체' }).click();
    await page.getByText(/0\.5%.*300개 이상/).waitFor();
    await page.getByText('설정 안 됨').first().waitFor();
    await page.getByRole('button', { name: 'English' }).click();
    await page.getByText('It charges a 0.5% fee and supports 300+ coins.', { exact: false }).waitFor();
    assert.equal(await page.getByLabel(/^Supported currencies/).inputValue(), 'btc, ltc, dash, eth, usdt');
    await page.getByRole('link', { name: 'PayPal business account' }).click();
    await account('PayPal').getByText('Not set up').waitFor();
    const litecoin = account('Litecoin');
    await litecoin.getByText('Connected').waitFor({ timeout: 90_000 });
    await litecoin.getByText(/^[\d,.]+ LTC$/).waitFor();
  });

  it('§2-5 companies: name each field that is missing, and refuse to save', async () => {
    await field('Client ID').fill('x');
    await page.getByRole('button', { name: 'Save PayPal business account' }).click();
    await page.getByText('Client secret is required').waitFor();
    await page.getByText('Enter a valid e-mail address').waitFor();
  });

  it('are filled in, tested and saved by keyboard, and show the secret only while it is typed', async () => {
    const { clientId, clientSecret } = sandboxCompanies.paypal;
    await field('Client ID').focus();
    await page.keyboard.press('Control+A');
    await page.keyboard.type(clientId);
    await page.keyboard.press('Tab');
    await page.keyboard.type('wrong');
    await page.keyboard.press('Tab');
    await page.keyboard.type('pay@example.com');
    assert.equal(await field('Client secret').getAttribute('type'), 'password');
    await page.getByRole('switch').press('Space');
    assert.equal(await field('Client secret').getAttribute('type'), 'text');
    await page.getByRole('button', { name: 'Test the connection' }).press('Enter');
    await page.getByText('PayPal refuses these credentials: clientId, clientSecret, environment.').waitFor();
    await field('Client secret').fill(clientSecret);
    await page.getByRole('button', { name: 'Test the connection' }).press('Enter');
    await page.getByText('The account holds 640.00 USD.').waitFor();
    await field('Client secret').press('Enter');
    await page.getByText('PayPal business account is saved').waitFor();
    assert.equal(await field('Client secret').inputValue(), '***encrypted***');
  });

  it('§2-8 companies: tell to check the key when the crypto provider’s settings are not saved', async () => {
    await visit(page, `${panel}/wallets?tab=crypto`);
    await field('API key').fill('key');
    await field('IPN secret').fill('ipn');
    await page.getByLabel(/^Supported currencies/).fill('l t c');
    await page.getByRole('button', { name: 'Save Crypto payment provider' }).click();
    await page.getByText('Check the API key and the settings again.').waitFor();
    await page.getByText('Must be a currency such as ltc').waitFor();
    await page.setViewportSize({ width: 390, height: 1_000 });
    assert.equal(await widerThanWindow(page), 0);
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(
      complaints.filter((text) => !/400|WebSocket is closed before/.test(text)),
      [],
    );
    await page.setViewportSize({ width: 1440, height: 1_000 });
  });
});

describe('the settings of a payment method', () => {
  it('asks before what was typed goes, by X, Escape, the next row and a link alike', async () => {
    await visit(page, `${panel}/config?tab=payments`);
    await page.getByRole('button', { name: 'Litecoin' }).click();
    const settings = page.getByRole('complementary');
    const host = settings.getByLabel(/^Host/);
    await host.fill('node.example');
    const asked = page.getByRole('dialog', { name: 'Leave without saving?' });
    const leaves = [
      () => settings.getByRole('button', { name: 'Close' }).click(),
      async () => {
        await settings.getByRole('heading', { level: 2 }).focus();
        await page.keyboard.press('Escape');
      },
      () => settings.getByRole('button', { name: 'Next method' }).click(),
      () => page.getByRole('link', { name: 'Books', exact: true }).click(),
    ];
    for (const leave of leaves) {
      await leave();
      await asked.waitFor();
      await page.keyboard.press('Escape');
      await asked.waitFor({ state: 'detached' });
      assert.equal(await host.inputValue(), 'node.example');
    }
    await page.getByRole('link', { name: 'Books', exact: true }).click();
    assert.deepEqual(await violations(page), []);
    await asked.getByRole('button', { name: 'Leave without saving' }).click();
    await page.getByRole('heading', { level: 1, name: 'Books' }).waitFor();
    await visit(page, `${panel}/config?tab=payments`);
    await page.getByRole('button', { name: 'Litecoin' }).click();
    assert.notEqual(await host.inputValue(), 'node.example');
    await page.getByRole('link', { name: 'Books', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Books' }).waitFor();
  });
});
