import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { pino } from 'pino';
import type { Locator } from 'playwright-core';
import { openBrowser, openConnected, openPage, refuseCalls, settle, violations, visit } from './browser.ts';
import { completeOffer, completeSurvey } from './complete-offer.ts';
import { demoSite } from './running-site.ts';
import { visitingMember } from './visiting-member.ts';

/**
 * The whole journey of a member, from the first visit to a transaction on the chain, and what an operator announces to
 * them then. The member's screens are in English, the operator's in Korean.
 */
/** The warnings and errors of the site's log. */
const loud: string[] = [];
const log = pino({ level: 'warn' }, { write: (line: string) => void loud.push(line) });
const site = await demoSite({ after }, {}, log);
const browser = await openBrowser({ after });
const still = { reducedMotion: 'reduce' } as const;
const { page, complaints } = await openPage(browser, still);
const { page: operator, complaints: complaintsOfOperator } = await openPage(browser, still);
const panel = `${site.origin}/management-panel-x7k9w`;
const address = 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9';
const email = 'mina.kim@example.com';
const phone = '+821055501234';

type Sent = { to: string; code: string | null };
type OnChain = { address: string; amount: string; txId: string };
const fetchJson = async <T>(path: string): Promise<T> =>
  (await fetch(`${site.origin}${path}`)).json() as Promise<T>;

it('§1-1 earning and withdrawing: earns points as a member and pays them on the chain', async () => {
  await page.goto(site.origin);
  await page.getByRole('link', { name: 'Get started' }).first().click();

  await page.getByRole('tab', { name: 'Register' }).click();
  await page.getByLabel('First name').fill('Mina');
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: false }).first().fill('a quiet river 7');
  await page.getByLabel('Confirm password').fill('a quiet river 7');
  await page.getByRole('checkbox', { name: 'I am human' }).check();
  await page.getByRole('button', { name: 'Create account' }).click();
  const [notice, greeting] = await Promise.all([
    page.getByRole('region', { name: 'Announcement', exact: true }).boundingBox(),
    page.getByRole('heading', { level: 1, name: /Mina/ }).boundingBox(),
  ]);
  assert.ok(notice && greeting && notice.y + notice.height <= greeting.y, 'nothing covers the greeting');

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
  await completeOffer(page);
  // The balance in the top bar follows each booking without a reload.
  const shown = page
    .locator('header')
    .getByText(/^Balance\s+[\d,]+\s*P$/)
    .first();
  const balance = async () => Number((await shown.innerText()).replaceAll(/\D/g, ''));
  await expectPoints(balance, points);
  await completeSurvey(page.request, site.origin, 1_000 - points);
  await expectPoints(balance, 1_000);
  await page.getByRole('button', { name: 'Close CPX Research' }).click();

  await visit(page, `${site.origin}/settings`);
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
  await dialog.getByRole('heading', { name: 'Requested' }).waitFor();

  await approveAsOperator();

  const paid = await waitForPayment();
  // The request's own page has followed it.
  await dialog.getByText(paid.txId.slice(0, 8)).first().waitFor();
  await dialog.getByRole('button', { name: 'Done' }).click();
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
  await operator.goto(`${site.origin}/admin-login`);
  await operator.getByLabel('이메일').fill(site.operator.email);
  await operator
    .getByLabel(/^비밀번호/)
    .first()
    .fill(site.operator.password);
  await operator.getByRole('button', { name: '로그인', exact: true }).click();
  await operator.waitForURL(panel);
  await operator
    .getByRole('navigation')
    .first()
    .getByRole('link', { name: /^출금( \d+)?$/ })
    .click();
  await operator.getByText(email).first().click();
  const sheet = operator
    .getByRole('complementary')
    .or(operator.getByRole('dialog'))
    .filter({ hasText: email })
    .first();
  await sheet.getByRole('button', { name: '승인' }).click();
  assert.deepEqual(complaintsOfOperator, []);
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

const title = 'Withdrawals pause at noon';
const banner = page.getByRole('region', { name: 'Announcement', exact: true });
const floating = page.getByRole('button', { name: 'Announcements', exact: true });
const form = operator.getByRole('dialog');
const rows = operator.locator('tbody').getByRole('row');
const publish = form.getByRole('button', { name: '공개', exact: true });

it('§2-8 announcements: ask for title and content in Korean, and to try again after a failure', async () => {
  await visit(operator, `${panel}/announcements`);
  await operator.getByRole('button', { name: '새 공지' }).click();
  await publish.click();
  for (const message of ['제목을 입력해 주세요', '내용을 입력해 주세요'])
    await form.getByText(message, { exact: true }).waitFor();
  assert.deepEqual(await violations(operator), []);
  await form.getByLabel('영어 제목').fill(title);
  await form.getByLabel('영어 내용').fill('For ten minutes.\nNothing is lost.');
  await refuseCalls(operator, '**/api/admin/announcements');
  await publish.click();
  const failure = operator.getByRole('alert').filter({ hasText: '공지를 등록하지 못했습니다' });
  await failure.getByText('다시 시도해 주세요.').waitFor();
  await operator.unrouteAll({ behavior: 'wait' });
  complaintsOfOperator.splice(0);
});

it('§1-2 announcements: a published one is in the member’s banner without a reload, and in the list', async () => {
  await banner.getByText('A short pause on Monday, 3:00 AM').waitFor();
  await publish.click();
  await form.waitFor({ state: 'detached' });
  await rows.first().getByText('최신', { exact: true }).waitFor();
  await banner.getByText(title).waitFor({ timeout: 4_000 });
  await banner.getByRole('button', { name: 'View All' }).click();
  const items = page.getByRole('dialog').getByRole('group');
  await items.first().getByText('Latest', { exact: true }).waitFor();
  assert.equal(await items.first().getByText('Nothing is lost.').isVisible(), true);
  assert.equal(await items.nth(1).getByText('Credits from providers wait').isVisible(), false);
  await items.nth(1).getByText('A short pause on Monday, 3:00 AM').click();
  await items.nth(1).getByText('Credits from providers wait').waitFor();
  assert.deepEqual(await violations(page), []);
  await page.keyboard.press('Escape');
});

it('§1-4 banner of announcements: stays dismissed, a button takes its place, and the list can fail', async () => {
  await banner.getByRole('button', { name: 'Dismiss this announcement' }).press('Enter');
  await floating.and(page.locator(':focus')).waitFor();
  assert.equal(await banner.count(), 0);
  const { id } = (await allAnnouncements())[0] ?? {};
  assert.equal(await page.evaluate(() => localStorage.getItem('lastSeenAnnouncementId')), id);
  await openConnected(page, () => page.reload());
  await floating.waitFor();
  assert.equal(await banner.count(), 0);
  const headers = { origin: site.origin };
  const path = `${site.origin}/api/admin/announcements`;
  const data = {
    title: 'Withdrawals go on',
    content: 'All of them.',
    titleKo: '출금 재개',
    contentKo: '전부.',
  };
  const made = await operator.request.post(path, { headers, data });
  assert.equal(made.status(), 201, await made.text());
  await banner.getByText(data.title).waitFor({ timeout: 4_000 });
  assert.equal(await floating.count(), 0, 'a newer one than the dismissed one has its banner');
  const deleted = await operator.request.delete(`${path}/${(await made.json()).id}`, { headers });
  assert.equal(deleted.status(), 204);
  await floating.waitFor({ timeout: 4_000 });
  await refuseCalls(page, '**/api/announcements?*');
  await floating.click();
  await page.getByText('The list didn’t load').waitFor();
  await page.unrouteAll({ behavior: 'wait' });
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('dialog').getByText(title).waitFor();
});

it('§2-2 announcements: a deleted one leaves the open pages, down to the empty list', async () => {
  for (const { id } of (await allAnnouncements()).slice(1)) {
    const path = `${site.origin}/api/admin/announcements/${id}`;
    const answer = await operator.request.delete(path, { headers: { origin: site.origin } });
    assert.equal(answer.status(), 204);
  }
  await rows.filter({ hasText: title }).getByRole('button').click();
  await operator.getByRole('button', { name: '삭제…' }).click();
  await form.getByText('모든 회원의 배너와 목록에서 사라집니다.').waitFor();
  assert.deepEqual(await violations(operator), []);
  await form.getByRole('button', { name: '공지 삭제' }).click();
  await operator.getByText(`“${title}” 공지를 삭제했습니다.`).waitFor();
  await operator.getByText('아직 공지가 없습니다').waitFor();
  await page.getByText('No announcements available').waitFor({ timeout: 4_000 });
  await page.keyboard.press('Escape');
  await floating.waitFor({ state: 'detached' });
  assert.deepEqual(complaintsOfOperator, []);
});

const allAnnouncements = async (): Promise<{ id: string }[]> =>
  (await operator.request.get(`${site.origin}/api/admin/announcements`)).json();

/** What a thumb does at most. A field that has the focus is typed into without a tap. */
const TAPS_MAX = 14;

it('comes from the front page to a request with few taps, and verifies the phone on the way', async () => {
  const device = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, locale: 'en-KR' };
  const { page, context, complaints } = await openPage(browser, { ...still, ...device });
  const typed: string[] = [];
  let taps = 0;
  const tap = async (target: Locator) => {
    taps += 1;
    await target.tap();
  };
  const type = async (field: Locator, text: string) => {
    await field.waitFor();
    const hasFocus = await field.evaluate((element) => element === document.activeElement);
    if (!hasFocus) await tap(field);
    typed.push(text);
    await page.keyboard.type(text);
  };
  await page.goto(site.origin);
  await tap(page.getByRole('link', { name: 'Start earning' }));
  await type(page.getByLabel('First name'), 'Mina');
  await type(page.getByLabel('E-mail'), 'thumb@example.com');
  await type(page.getByLabel(/^Password/).first(), 'a quiet river 7');
  await type(page.getByLabel('Confirm password'), 'a quiet river 7');
  await tap(page.getByRole('checkbox', { name: 'I am human' }));
  await tap(page.getByRole('button', { name: 'Create account' }));
  await page.getByRole('heading', { level: 1, name: /Mina/ }).waitFor();
  await completeSurvey(page.request, site.origin, 1_000);
  await page.getByRole('link', { name: /^Balance\s+1,000\s*P$/ }).waitFor();

  await tap(page.getByRole('navigation', { name: 'Main, bottom' }).getByRole('link', { name: 'Withdraw' }));
  await page.waitForURL('**/withdrawal');
  await settle(page);
  await tap(page.getByRole('button', { name: 'Withdraw', exact: true }));
  const dialog = page.getByRole('dialog');
  const next = dialog.locator('button[type=submit]');
  await type(dialog.getByLabel('Amount'), '1000');
  await type(dialog.getByLabel('Litecoin address'), address);
  // A draft that was kept can be ended on a phone too.
  const cancel = dialog.getByRole('button', { name: 'Cancel' });
  assert.equal(await cancel.isVisible(), false);
  await dialog.getByRole('button', { name: 'Close' }).tap();
  await page.getByRole('button', { name: 'Withdraw', exact: true }).tap();
  await cancel.waitFor();
  await tap(next);
  await type(dialog.getByLabel(/^Phone/), '010-9999-0002');
  await tap(next);
  await dialog.getByLabel(/^Code/).waitFor();
  const outbox = await (await page.request.get(`${site.origin}/sandbox/outbox`)).json();
  const { code } = outbox.findLast(({ to }: { to: string }) => to === '+821099990002');
  // The code is read in another app, after which a phone may load the tab anew.
  await page.reload();
  await next.tap();
  await type(dialog.getByLabel(/^Code/), code);
  await dialog.getByText('Phone verified: +8210 •••• 0002').waitFor();
  await dialog
    .getByText(/1,000\sP/)
    .first()
    .waitFor();
  assert.equal(await page.getByRole('status').getByText('verified', { exact: false }).count(), 0);
  await tap(dialog.getByRole('button', { name: 'Withdraw 1,000 P' }));
  await dialog.getByRole('heading', { name: 'Requested' }).waitFor();
  const [toast, done, track] = await Promise.all([
    page.getByText('Requested. We pay within 1–3 business days.').boundingBox(),
    dialog.getByRole('button', { name: 'Done' }).boundingBox(),
    dialog.getByRole('list', { name: 'Steps' }).boundingBox(),
  ]);
  assert.ok(toast && done && toast.y + toast.height < done.y, 'the toast leaves the next button free');
  assert.ok(done.y + done.height < device.viewport.height, 'the next button needs no scrolling');
  assert.ok(track && track.y + track.height < toast.y, 'the toast leaves the steps free');
  assert.ok(taps <= TAPS_MAX, `${taps} taps`);
  // The specification asks for the password twice.
  assert.equal(new Set(typed).size, typed.length - 1);
  assert.deepEqual(complaints, []);
  await context.close();
});

it('§1-5 phone: verifies a phone in two steps, and shows why a step failed', async () => {
  const member = await visitingMember(site, browser, still);
  const { page, context } = member;
  await page.goto(`${site.origin}/settings`);
  const card = page.getByRole('region', { name: 'Phone' });
  const number = card.getByLabel(/^Phone number/);
  const sendCode = card.getByRole('button', { name: 'Send code' });
  await number.fill('010-1234-5678');
  await sendCode.click();
  await card.getByText('You can also use the international format: +[country code][number]').waitFor();
  await page.route('**/api/auth/send-phone-verification', (route) => route.abort());
  await card.getByLabel('Country', { exact: true }).selectOption({ label: 'South Korea (+82)' });
  await number.fill('010-9999-0001');
  await sendCode.click();
  await card.getByText('Failed to send verification code').waitFor();
  await page.unroute('**/api/auth/send-phone-verification');
  await sendCode.click();
  const code = card.getByLabel(/^Verification code/);
  await code.waitFor();
  assert.equal(await number.isDisabled(), true);
  const sentCode = async () => {
    const outbox = (await member.read('/sandbox/outbox')) as { to: string; code: string }[];
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
  await sendCode.click();
  await code.waitFor();
  await code.fill(await sentCode());
  await verify.click();
  await page.getByText('Your phone is verified. You can withdraw now.').waitFor();
  await card.getByText('+821099990001').waitFor();
  assert.equal(await number.count(), 0);
  await context.close();
});

it('leaves a log without a warning', () => {
  assert.deepEqual(loud, []);
});
