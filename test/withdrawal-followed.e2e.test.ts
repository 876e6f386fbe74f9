import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import type { Page } from 'playwright-core';
import { sql } from '#platform/database.ts';
import { changeSettings } from '#platform/settings-change.ts';
import { openBrowser, openConnected, violations } from './browser.ts';
import { demoSite } from './running-site.ts';
import { signIn } from './sign-in.ts';
import { visitingMember } from './visiting-member.ts';

/** An open page of withdrawals follows a payout of the sandbox's coin node from the request to the payment. */
const site = await demoSite({ after });
const browser = await openBrowser({ after });
const headers = { origin: site.origin };
const operator = await browser.newContext();
after(() => operator.close());
await signIn(operator, site, site.operator);
// One block confirms a payment, and an approved request waits for a moment.
await site.owner.rows(sql`
  update withdrawals.methods set settings = settings || '{"confirmations": 1}' where method = 'litecoin'`);
await changeSettings(site.owner, 'sandbox', { payoutDelaySeconds: 3 });

const languages = {
  'en-US': {
    list: 'Your withdrawals',
    badges: ['Pending', 'Approved', 'Sent', 'Paid'],
    steps: ['Review', 'Sending', 'Confirming', ''],
    sent: 'Sent. Transaction',
  },
  'ko-KR': {
    list: '내 출금 내역',
    badges: ['대기', '승인', '송금됨', '지급 완료'],
    steps: ['검토 중', '송금 중', '입금 확인 중', ''],
    sent: '송금했습니다. 거래 번호',
  },
} as const;

/** Notes in the page each badge and current step that its newest row shows. A reload would forget them. */
const noteStates = (page: Page) =>
  page.evaluate(() => {
    const seen: string[] = [];
    Object.assign(window, { seenStates: seen });
    const look = () => {
      const row = document.querySelector('li:has([data-tone])');
      if (row === null) return;
      const textOf = (selector: string) => row.querySelector(selector)?.textContent ?? '';
      const state = `${textOf('[data-tone]')}: ${textOf('[aria-current=step]')}`;
      if (seen.at(-1) !== state) seen.push(state);
    };
    new MutationObserver(look).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
    });
    look();
  });
const statesOf = (page: Page) =>
  page.evaluate(() => (window as unknown as { seenStates: string[] }).seenStates);

async function approveNewest(email: string): Promise<void> {
  const waiting = await operator.request.get(`${site.origin}/api/admin/withdrawals-data?q=${email}`);
  const { withdrawals } = (await waiting.json()) as { withdrawals: { id: string }[] };
  const path = `${site.origin}/api/admin/withdrawals/${withdrawals[0]?.id}/approve`;
  const approved = await operator.request.post(path, { headers, data: {} });
  assert.equal(approved.status(), 200, await approved.text());
}

for (const [locale, words] of Object.entries(languages))
  it(`§1-4 withdrawal: is followed by an open page until it is paid, without a reload (${locale})`, async () => {
    const member = await visitingMember(site, browser, { reducedMotion: 'reduce', locale });
    const { page, context, complaints } = member;
    page.setDefaultTimeout(60_000);
    await member.earn(2_000);
    await member.verifyPhone();
    await openConnected(page, () => page.goto(`${site.origin}/withdrawal`));
    await noteStates(page);
    const recipientInfo = { address: 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9' };
    await member.post('/api/withdrawal', { amountPoints: '1000', method: 'litecoin', recipientInfo }, 201);
    const row = page.getByRole('region', { name: words.list }).getByRole('listitem').first();
    const badge = (word: string) => row.locator('[data-tone]').getByText(word, { exact: true });
    await badge(words.badges[0]).waitFor();
    await approveNewest(member.email);
    await badge(words.badges[3]).waitFor();
    assert.deepEqual(
      await statesOf(page),
      words.badges.map((word, index) => `${word}: ${words.steps[index]}`),
      'each state once, in its order',
    );
    await row.getByText(words.sent, { exact: false }).waitFor();
    const { data } = (await member.read('/api/withdrawal/history')) as { data: { txId: string }[] };
    assert.equal(await row.locator('[title]').last().getAttribute('title'), data[0]?.txId);
    const chain = (await member.read('/sandbox/chain')) as { txId: string }[];
    assert.equal(chain.filter(({ txId }) => txId === data[0]?.txId).length, 1, 'a real payment of the node');
    assert.deepEqual(await violations(page), []);
    assert.deepEqual(complaints, []);
    await context.close();
  });
