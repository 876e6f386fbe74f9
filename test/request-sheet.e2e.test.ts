import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { readBackground } from '#contract/withdrawals-background.ts';
import { refuseCalls, settle, violations, widerThanWindow } from './browser.ts';
import { ofTurn } from './combinations.ts';
import { operatorPage } from './operator-browser.ts';

/** The sheet of a withdrawal request in the operators' queue: what is known before a decision. */
const { site, panel, headers, openOperator, requestWithdrawal } = await operatorPage({ after });

const queue = `${panel}/withdrawals`;
const words = {
  en: {
    checks: /^Checks \d+ passed/,
    person: ['Joined', 'Balance after this', 'Phone', 'Devices', 'Taken back', 'Suspensions'],
    sources: 'Where the points came from',
    former: 'Other withdrawals',
    first: 'First payout',
    never: 'No payment has gone there.',
    requested: 'Requested',
  },
  ko: {
    checks: /^점검 \d+개 통과/,
    person: ['가입', '출금 후 잔액', '휴대폰', '기기', '회수', '정지'],
    sources: '포인트 출처',
    former: '다른 출금',
    first: '첫 지급',
    never: '이 주소로 지급한 적이 없습니다.',
    requested: '신청',
  },
} as const;

const combinations = (['en', 'ko'] as const).flatMap((language) =>
  (['light', 'dark'] as const).flatMap((colorScheme) =>
    [1440, 390].map((width) => ({ language, colorScheme, width })),
  ),
);
/** Korean, dark, on a phone: what the other tests of the queue use least. */
const TURN = 7;

const open = ({ language, colorScheme, width }: (typeof combinations)[number]) =>
  openOperator(language, { viewport: { width, height: 900 }, colorScheme });

const sheetOf = (page: Page, width: number) => page.getByRole(width < 1024 ? 'dialog' : 'complementary');
type Listed = { withdrawals: { id: string; flags: string[] }[] };

describe('the sheet of a pending request', () => {
  for (const combination of ofTurn(combinations, TURN)) {
    const { language, colorScheme, width } = combination;
    it(`says all that is known of it: ${language}, ${colorScheme}, ${width} px`, async () => {
      const { page, context, complaints } = await open(combination);
      const text = words[language];
      const answer = await context.request.get(
        `${site.origin}/api/admin/withdrawals-data?status=pending&limit=100`,
      );
      const { withdrawals } = (await answer.json()) as Listed;
      const first = withdrawals.find(({ flags }) => flags.includes('first-payout'));
      assert.ok(first, 'the demo world has a first payout');
      await page.goto(`${queue}?open=${first.id}`);
      const sheet = sheetOf(page, width);
      await sheet.getByRole('heading', { name: text.checks }).waitFor();
      for (const label of text.person) await sheet.getByText(label, { exact: true }).first().waitFor();
      await sheet.getByText(text.never).waitFor();
      const failed = sheet.getByRole('listitem').filter({ hasText: text.first });
      assert.equal(await failed.first().getAttribute('data-verdict'), 'look');
      const verdicts = await sheet
        .locator('li[data-verdict]')
        .evaluateAll((items) => items.map((item) => item.getAttribute('data-verdict')));
      assert.equal(verdicts.length, 13);
      assert.deepEqual(
        verdicts,
        verdicts.toSorted((one, other) => Number(one === 'passed') - Number(other === 'passed')),
      );
      const sources = sheet.getByRole('region', { name: text.sources });
      assert.ok((await sources.getByRole('row').count()) >= 2);
      await sheet.getByRole('region', { name: text.former }).waitFor();
      await sheet.getByRole('listitem').filter({ hasText: text.requested }).first().waitFor();
      await settle(page);
      assert.equal(await widerThanWindow(page), 0);
      assert.deepEqual(await violations(page), []);
      assert.deepEqual(complaints, []);
      await context.close();
    });
  }

  it('says that it could not be read, and reads it again at a press', async () => {
    const { page, context } = await open({ language: 'en', colorScheme: 'light', width: 1440 });
    const calls = `**${readBackground.path.replace(':id', '*')}`;
    await refuseCalls(page, calls);
    await page.goto(queue);
    await page.locator('tbody').getByRole('row').first().getByRole('button').click();
    const sheet = sheetOf(page, 1440);
    await sheet.getByText('What is known of this request could not be fetched').waitFor();
    assert.deepEqual(await violations(page), []);
    await page.unroute(calls);
    await sheet.getByRole('button', { name: 'Try again' }).click();
    await sheet.getByRole('heading', { name: words.en.checks }).waitFor();
    await context.close();
  });

  for (const [language, width] of [
    ['en', 1440],
    ['ko', 390],
  ] as const)
    it(`keeps the address in its place when the rest is read: ${language}, ${width} px`, async () => {
      const { page, context } = await open({ language, colorScheme: 'light', width });
      const calls = `**${readBackground.path.replace(':id', '*')}`;
      const sheet = sheetOf(page, width);
      const place = async () => {
        await settle(page);
        return (await sheet.locator('.mono').first().boundingBox())?.y;
      };
      let release = (): void => undefined;
      const held = new Promise<void>((resolve) => {
        release = resolve;
      });
      await page.route(calls, async (route) => {
        await held;
        await route.continue();
      });
      await page.goto(`${queue}?open=${await requestWithdrawal(width === 390 ? '1103' : '1104')}`);
      await sheet.getByRole('status').first().waitFor();
      await page.waitForTimeout(1500);
      const before = await place();
      assert.ok(before !== undefined);
      release();
      await sheet.getByRole('heading', { name: words[language].checks }).waitFor();
      assert.equal(await place(), before);
      await page.unroute(calls);
      await refuseCalls(page, calls);
      await page.reload();
      await sheet.getByRole('alert').waitFor();
      await page.waitForTimeout(1000);
      assert.equal(await place(), before);
      await context.close();
    });

  it('tells who decided and when once it is decided, and opens another withdrawal of the member', async () => {
    const { page, context } = await open({ language: 'en', colorScheme: 'light', width: 1440 });
    const [linked] = [await requestWithdrawal('1101'), await requestWithdrawal('1102')];
    await page.goto(`${queue}?status=all&open=${linked}`);
    const sheet = sheetOf(page, 1440);
    const data = { reason: 'The account belongs to somebody else.' };
    await sheet.getByRole('heading', { name: words.en.checks }).waitFor();
    const rejected = await context.request.post(`${site.origin}/api/admin/withdrawals/${linked}/reject`, {
      headers,
      data,
    });
    assert.equal(rejected.status(), 200);
    const step = sheet.getByRole('listitem').filter({ hasText: 'Withdrawal rejected' });
    await step.getByText(site.operator.email).waitFor();
    await step.getByText(data.reason).waitFor();
    await sheet.getByRole('heading', { name: words.en.checks }).waitFor({ state: 'detached' });
    await sheet.getByRole('region', { name: words.en.former }).getByRole('link').first().click();
    await page.waitForURL((url) => !url.searchParams.get('open')?.includes(linked));
    await sheet.getByRole('region', { name: words.en.former }).getByRole('link').first().waitFor();
    await context.close();
  });
});
