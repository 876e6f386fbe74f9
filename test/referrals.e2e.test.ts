import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { openBrowser, openConnected, openPage, violations } from './browser.ts';
import { deviceTextOf } from './device.ts';
import { demoSite } from './running-site.ts';
import { signIn } from './sign-in.ts';

/** Referrals: the link, the friend's registration and first task, and the reward on the screen. */
const site = await demoSite({ after });
const browser = await openBrowser({ after });
const headers = { origin: site.origin };
const PASSWORD = 'a quiet river 7';

/** The postback that the sandbox's CPX Research sends when a survey is completed. */
async function earn(context: BrowserContext, action: 'complete' | 'screen-out'): Promise<void> {
  const offered = await context.request.get(`${site.origin}/api/offerwalls`);
  const walls = (await offered.json()) as { id: string; url: string }[];
  const url = new URL(walls.find(({ id }) => id === 'cpx')?.url ?? '');
  const answer = await fetch(`${url.origin}/sandbox/wall/cpx/${action}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ userId: url.searchParams.get('ext_user_id'), points: 90 }),
  });
  assert.equal(answer.status, 200);
}

const fingerprint = deviceTextOf();

async function registerByRequest(context: BrowserContext, email: string, referralCode: string | null) {
  const answer = await context.request.post(`${site.origin}/api/auth/register`, {
    headers,
    data: {
      email,
      password: PASSWORD,
      firstName: 'Friend',
      referralCode,
      deviceFingerprint: fingerprint,
      hcaptchaToken: '10000000-aaaa-bbbb-cccc-000000000001',
    },
  });
  assert.equal(answer.status(), 201, await answer.text());
  return answer.json();
}

const figure = (page: Page, label: string) =>
  page.locator('dl > div').filter({ hasText: label }).locator('dd').first();

async function expectText(read: () => Promise<string>, wanted: RegExp): Promise<void> {
  for (let tries = 0; tries < 60; tries += 1) {
    if (wanted.test(await read())) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  assert.match(await read(), wanted);
}

it('shows the referrer 100 P when a friend has registered by the link and earned', async () => {
  const referrer = await openPage(browser);
  const user = await registerByRequest(referrer.context, 'mina@example.com', null);
  await referrer.page.goto(`${site.origin}/referrals`);
  await referrer.page.getByText('No friend here yet').waitFor();
  const empty = referrer.page.getByRole('region', { name: 'Your friends' });
  const icon = await empty.getByRole('button', { name: 'Copy link' }).locator('svg').first().boundingBox();
  assert.equal(icon?.height, 20, 'only the drawing of an empty list is large, not the icon of its button');
  assert.deepEqual(await violations(referrer.page), []);
  const link = `${site.origin}/auth?ref=${user.referralCode}`;
  await referrer.page.getByText(link).waitFor();

  const friend = await openPage(browser);
  await friend.page.goto(link);
  const form = friend.page;
  assert.equal(await form.getByLabel('Referral code').inputValue(), user.referralCode);
  await form.getByLabel('First name').fill('Haru');
  await form.getByLabel('E-mail').fill('haru@example.com');
  await form.getByLabel('Password', { exact: false }).first().fill(PASSWORD);
  await form.getByLabel('Confirm password').fill(PASSWORD);
  await form.getByRole('checkbox', { name: 'I am human' }).check();
  await form.getByRole('button', { name: 'Create account' }).click();
  await form.getByRole('heading', { level: 1, name: /Haru/ }).waitFor();
  const { id } = await (await friend.context.request.get(`${site.origin}/api/user`)).json();

  const { page } = referrer;
  await page.reload();
  const row = page.getByRole('listitem').filter({ hasText: `Friend ${id.slice(-6)}` });
  await row.getByText('Pending').waitFor();
  await expectText(() => figure(page, 'To come').innerText(), /^100\sP$/);
  assert.equal(await figure(page, 'Earned').innerText(), '0\u00a0P');

  await earn(friend.context, 'screen-out');
  await earn(friend.context, 'complete');
  // The reward shows within about two seconds without a reload, because it is pushed to the referrer's browser.
  await page
    .getByRole('status')
    .filter({ hasText: /100\sP for a friend’s first task/ })
    .waitFor();
  await row.getByText('Paid', { exact: true }).waitFor();
  await expectText(() => figure(page, 'Earned').innerText(), /^100\sP$/);
  await expectText(() => figure(page, 'To come').innerText(), /^0\sP$/);
  assert.deepEqual(await violations(page), []);
  await page.goto(site.origin);
  await page.getByText(`Friend invited · friend ${id.slice(-6)}`).waitFor();
  assert.deepEqual([...referrer.complaints, ...friend.complaints], []);
  await referrer.context.close();
  await friend.context.close();
});

it('promises no reward for a second account with the same mailbox, in both languages', async () => {
  const { page, context } = await openPage(browser, { locale: 'ko-KR' });
  const user = await registerByRequest(context, 'sora.lim@gmail.com', null);
  const other = await browser.newContext();
  await registerByRequest(other, 'soralim+second@gmail.com', user.referralCode);
  await earn(other, 'complete');
  await page.goto(`${site.origin}/referrals`);
  await page.getByText('지급 없음').waitFor();
  await page.getByText('이메일, 전화번호 또는 출금 주소가 나와 같습니다').waitFor();
  await expectText(() => figure(page, '받을 포인트').innerText(), /^0\sP$/);
  assert.deepEqual(await violations(page), []);
  await context.close();
  await other.close();
});

/** Measures in the page how long a button says “Copied”. */
const measureConfirmation = (page: Page): Promise<number> =>
  page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        let shownAt: number | undefined;
        const observer = new MutationObserver(() => {
          const said = [...document.querySelectorAll('button [role=status]')];
          const isShown = said.some(({ textContent }) => textContent === 'Copied');
          if (isShown) shownAt ??= performance.now();
          if (isShown || shownAt === undefined) return;
          observer.disconnect();
          resolve(performance.now() - shownAt);
        });
        observer.observe(document.body, { subtree: true, characterData: true, childList: true });
      }),
  );

it('copies code and link, and confirms it for two seconds or reports the failure', async () => {
  const { page, context } = await openPage(browser);
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: site.origin });
  await signIn(context, site, site.member);
  await page.goto(`${site.origin}/referrals`);
  const { referralCode } = await (await context.request.get(`${site.origin}/api/user`)).json();
  for (const [name, text] of [
    ['Copy link', `${site.origin}/auth?ref=${referralCode}`],
    ['Copy code', referralCode],
  ] as const) {
    const copied = page.getByRole('button', { name: 'Copied' }).waitFor();
    const shownMs = measureConfirmation(page);
    await page.getByRole('button', { name }).click();
    await copied;
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), text);
    await page.getByRole('button', { name }).waitFor();
    // A timer fires late on a busy machine, and never early.
    assert.ok((await shownMs) > 1_900 && (await shownMs) < 10_000, `${await shownMs} ms`);
  }
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new Error('refused'));
  });
  for (const [name, sentence] of [
    ['Copy code', 'Failed to copy referral code.'],
    ['Copy link', 'Failed to copy referral link.'],
  ] as const) {
    await page.getByRole('button', { name }).click();
    await page.getByRole('alert').filter({ hasText: 'Copy failed' }).getByText(sentence).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Copied' }).count(), 0);
  }
  await context.close();
});

it('§1-2 referrals: shows ten friends a page, and retries a failed list', async () => {
  const { page, context, complaints } = await openPage(browser);
  const user = await registerByRequest(context, 'popular@example.com', null);
  await Promise.all(
    Array.from({ length: 12 }, async (_, index) => {
      const friend = await browser.newContext();
      await registerByRequest(friend, `friend${index}@example.com`, user.referralCode);
      await friend.close();
    }),
  );
  await page.goto(`${site.origin}/referrals`);
  const friends = page.getByRole('listitem').filter({ hasText: /^Friend \d{6}/ });
  await expectText(async () => String(await friends.count()), /^10$/);
  await page.getByRole('button', { name: 'Page 2' }).click();
  await expectText(async () => String(await friends.count()), /^2$/);
  assert.equal(new URL(page.url()).search, '?page=2');
  assert.deepEqual(complaints, []);

  await page.route('**/api/referrals{,/stats}', (route) => route.abort());
  await openConnected(page, () => page.reload());
  await page.getByText('Your friends didn’t load').waitFor();
  await page.getByText('The figures didn’t load').waitFor();
  assert.deepEqual(await violations(page), []);
  await page.unrouteAll();
  for (const name of ['Your friends', 'Your referrals in figures'])
    await page.getByRole('region', { name }).getByRole('button', { name: 'Try again' }).click();
  await figure(page, 'To come').waitFor();
  await expectText(async () => String(await friends.count()), /^2$/);
  await context.close();
});

it('links from the dashboard’s invitation to the page of friends', async () => {
  const { page, context } = await openPage(browser);
  await signIn(context, site, site.member);
  await page.goto(site.origin);
  const card = page.getByRole('region', { name: /^Invite a friend, get 100\sP$/ });
  await card.getByRole('button', { name: 'Copy link' }).waitFor();
  await page.getByRole('link', { name: 'Invite friends' }).click();
  await page.getByRole('heading', { level: 1, name: 'Invite friends' }).waitFor();
  assert.equal(new URL(page.url()).pathname, '/referrals');
  await context.close();
});
