import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { sql } from '#platform/database.ts';
import { refuseCalls, violations, widerThanWindow } from './browser.ts';
import { eventually } from './earning-browser.ts';
import { operatorPage } from './operator-browser.ts';

/** The operators' books, with the movements of the demo world. */
const { site, panel, page, complaints } = await operatorPage({ after });
const { owner } = site;
// The audit of the start gives way to other work, and those of an operator would wait for it.
await owner.rows(sql`delete from ledger.audits where cause = 'start'`);

const address = `${panel}/books`;
const { SCREENSHOTS: folder } = process.env;
const sheet = page.getByRole('dialog');

/** Looks at the page in both schemes, wide and on a phone. */
async function look(name: string): Promise<void> {
  for (const [width, colorScheme] of [
    [1440, 'light'],
    [1440, 'dark'],
    [390, 'light'],
    [390, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 1_400 });
    await page.emulateMedia({ colorScheme });
    assert.deepEqual(await violations(page), [], `${name} at ${width}, ${colorScheme}`);
    assert.equal(await widerThanWindow(page), 0, `${name} at ${width}`);
    if (folder)
      await page.screenshot({ path: `${folder}/books-${name}-${width}-${colorScheme}.png`, fullPage: true });
  }
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.emulateMedia({ colorScheme: 'light' });
}

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
  it('show every account on its side, in both languages, with the time of the count', async () => {
    await page.goto(address);
    await page.getByRole('heading', { level: 1, name: '장부' }).waitFor();
    await page.getByRole('row', { name: /^회원 잔액/ }).waitFor();
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

  it('show the result of an audit that the operator asks for, what it checked, and the one before', async () => {
    await auditNow();
    await auditNow();
    const last = page.getByRole('region', { name: 'Last audit' });
    await last.getByText('No difference').first().waitFor();
    await last.getByText(/^\d+ checks, no difference$/).click();
    await last.getByText('Every balance is the sum of its movements').waitFor();
    const wallets = page.getByRole('region', { name: 'Wallets against the chain' });
    await wallets.getByRole('row', { name: /^Litecoin/ }).waitFor();
    await wallets.getByText(/^Paid in the last 35 days/).waitFor();
    await last
      .getByRole('link', { name: /^Asked for by an operator · / })
      .first()
      .click();
    assert.equal(await sheet.getByText('Every balance is the sum of its movements').isVisible(), false);
    await sheet.getByText(/^\d+ checks, no difference$/).click();
    await sheet.getByText('Every balance is the sum of its movements').waitFor();
    assert.match(page.url(), /audit=(%22)?\d+/);
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'hidden' });
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
    await look('account');
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'hidden' });
    await page.goto(`${address}?account=members&month=2020-01`);
    await sheet.getByText('No movement in this month').waitFor();
    await page.goto(`${address}?account=nobody`);
    await sheet.getByText('This didn’t load').waitFor();
  });

  it('lead to payouts by their state', async () => {
    await page.goto(address);
    await page.getByRole('region', { name: 'Payouts' }).getByRole('link', { name: /^Paid/ }).click();
    await page.waitForURL(/payouts\?state=confirmed/);
  });

  it('say what to do about a difference, and lead to the member', async () => {
    const { id } = await owner.one<{ id: number }>(sql`select min(member_id) as id from ledger.wallets`);
    await owner.rows(sql`update ledger.wallets set balance = balance + 1 where member_id = ${id}`);
    await page.goto(address);
    await auditNow();
    const last = page.getByRole('region', { name: 'Last audit' });
    await last.getByText(/^Rows of the ledger differ/).waitFor();
    await look('differences');
    await last
      .getByRole('link', { name: `Open ${id}` })
      .first()
      .click();
    await page.waitForURL(new RegExp(`users/member\\?id=(%22)?${id}`));
    await owner.rows(sql`update ledger.wallets set balance = balance - 1 where member_id = ${id}`);
  });

  it('say that they did not load, and load at another try', async () => {
    await refuseCalls(page, '**/api/admin/books');
    await page.goto(address);
    await page.getByText('This didn’t load').first().waitFor();
    await page.unroute('**/api/admin/books');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('row', { name: /^Members’ balances/ }).waitFor();
    assert.deepEqual(
      complaints.filter((text) => !/404|429/.test(text)),
      [],
    );
  });

  it('look well in both languages, with an audit', async () => {
    await auditNow();
    await look('whole');
    await page.getByRole('button', { name: '한국어' }).click();
    await page.getByText(/^점검 \d+개, 차이 없음$/).click();
    await page.getByText('모든 잔액이 거래의 합과 같음').waitFor();
    await page.getByRole('row', { name: /^라이트코인/ }).waitFor();
    await look('korean');
  });
});
