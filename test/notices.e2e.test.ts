import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import type { BrowserContext, Page } from 'playwright-core';
import { readConfig } from '#platform/config.ts';
import { sql } from '#platform/database.ts';
import { createLog } from '#platform/log.ts';
import { secretsOf } from '#platform/secrets.ts';
import { changeSettings } from '#platform/settings-change.ts';
import { grantByCommand, revokeByCommand } from '../server/points-command.ts';
import { openBrowser, openConnected, openPage, violations } from './browser.ts';
import { deviceTextOf } from './device.ts';
import { type Account, demoSite } from './running-site.ts';
import { signIn } from './sign-in.ts';
import { visitingMember } from './visiting-member.ts';

/**
 * Notices: the bell and its count, the page, the word that an act was not the member's, and what members read of holds
 * and blocks.
 */
const site = await demoSite({ after });
const browser = await openBrowser({ after });
const headers = { origin: site.origin };
let count = 0;

async function newMember(context: BrowserContext): Promise<Account> {
  count += 1;
  const account = { email: `noticed${count}@example.com`, password: 'a quiet river 7' };
  const answer = await context.request.post(`${site.origin}/api/auth/register`, {
    headers,
    data: {
      ...account,
      firstName: 'Mina',
      deviceFingerprint: deviceTextOf(),
      hcaptchaToken: '10000000-aaaa-bbbb-cccc-000000000001',
    },
  });
  assert.equal(answer.status(), 201, await answer.text());
  return account;
}

/** The postback of the sandbox's CPX Research; from 10,000 points on the credit is held. */
async function earn(context: BrowserContext, points: number): Promise<void> {
  const offered = await context.request.get(`${site.origin}/api/offerwalls`);
  const walls = (await offered.json()) as { id: string; url: string }[];
  const url = new URL(walls.find(({ id }) => id === 'cpx')?.url ?? '');
  const answer = await fetch(`${url.origin}/sandbox/wall/cpx/complete`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ userId: url.searchParams.get('ext_user_id'), points }),
  });
  assert.equal(answer.status, 200);
}

const bellOf = (page: Page, name: string) => page.getByRole('link', { name, exact: true });

it('shows a held credit at the bell within a second, and marks it as read on the page', async () => {
  const { context, page, complaints } = await openPage(browser);
  await newMember(context);
  // The count is read a second after the bar. News come from the first frame on.
  const counted = page.waitForResponse('**/api/notices?*');
  const connected = page.waitForEvent('websocket').then((socket) => socket.waitForEvent('framereceived'));
  await page.goto(`${site.origin}/earn`);
  await bellOf(page, 'Notices').waitFor();
  const next = bellOf(page, 'Notices').evaluate((bell) => bell.nextElementSibling?.getAttribute('href'));
  assert.equal(await next, '/withdrawal', 'the balance is beside it');
  await Promise.all([counted, connected]);
  await earn(context, 12_000);
  await bellOf(page, 'Notices, 1 unread').waitFor({ timeout: 1_000 });
  await bellOf(page, 'Notices, 1 unread').click();
  const row = page.getByRole('listitem').filter({ hasText: 'Credit being checked' });
  await row.waitFor();
  assert.match(await row.innerText(), /12,000\sP from CPX Research/);
  await bellOf(page, 'Notices').waitFor();
  await earn(context, 15_000);
  await page
    .getByRole('listitem')
    .filter({ hasText: /15,000\sP/ })
    .waitFor({ timeout: 2_000 });
  assert.deepEqual(await violations(page), []);
  assert.deepEqual(complaints, []);
  await context.close();
});

it('says what is missing when there is no notice or none can be read', async () => {
  const { context, page } = await openPage(browser);
  await newMember(context);
  await page.goto(`${site.origin}/notices`);
  await page.getByText('Nothing to tell yet').waitFor();
  assert.deepEqual(await violations(page), []);
  await page.route('**/api/notices?*', (route) => route.abort());
  await openConnected(page, () => page.reload());
  await page.getByText('Your notices didn’t load').waitFor();
  await page.unroute('**/api/notices?*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('Nothing to tell yet').waitFor();
  await page.goto(`${site.origin}/settings`);
  await page.getByRole('link', { name: 'Choose which notices are mailed' }).click();
  const dialog = page.getByRole('dialog', { name: 'Choose what is mailed' });
  await dialog.getByRole('switch', { name: 'Withdrawals paid' }).waitFor();
  await dialog.getByText('Changes of security Always').waitFor();
  assert.equal(await dialog.getByRole('switch').count(), 8);
  assert.deepEqual(await violations(page), []);
  await context.close();
});

it('locks the account with the keyboard, from the notice of a login with another browser', async () => {
  const { context, page } = await openPage(browser);
  const account = await newMember(context);
  const other = await browser.newContext();
  await signIn(other, site, account);
  await page.goto(`${site.origin}/notices`);
  const row = page.getByRole('listitem').filter({ hasText: 'Login with a new browser' });
  await row.getByText('(new)').waitFor();
  assert.match(await row.innerText(), /\n(Unknown browser|Chrome on Linux), 127\.0\.0\.1\n/);
  await page.getByRole('button', { name: 'This was not me' }).focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog', { name: 'This was not me' });
  // The focus is before the first control, and the dialog is described by what it does.
  await dialog.getByRole('heading', { name: 'This was not me' }).and(page.locator(':focus')).waitFor();
  const described = page.locator(`[id="${await dialog.getAttribute('aria-describedby')}"]`);
  await described.getByText('Withdrawals are stopped.').waitFor();
  assert.deepEqual(await violations(page), []);
  await dialog.getByRole('button', { name: 'Lock my account' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Your account is locked' }).and(page.locator(':focus')).waitFor();
  assert.equal(new URL(page.url()).pathname, '/not-me');
  assert.deepEqual(await violations(page), []);
  await page.getByRole('link', { name: 'Choose a new password' }).click();
  await page.waitForURL('**/auth?tab=forgot');
  assert.equal(await page.getByLabel('E-mail').inputValue(), account.email);
  for (const one of [context, other])
    assert.equal((await one.request.get(`${site.origin}/api/user`)).status(), 401);
  await other.close();
  await context.close();
});

it('locks the account by the button behind the link of a mail, and says so', async () => {
  const { context, page } = await openPage(browser);
  const account = await newMember(context);
  const mailedLink = async (path: string): Promise<string> => {
    const pattern = new RegExp(`\\S+/${path}\\?\\S+`);
    for (let tries = 0; tries < 200; tries += 1) {
      const outbox = await (await fetch(`${site.origin}/sandbox/outbox`)).json();
      const mails = outbox as { to: string; text: string }[];
      const link = mails
        .map(({ to, text }) => (to === account.email ? pattern.exec(text)?.[0] : undefined))
        .find(Boolean);
      if (link !== undefined) return link;
      await page.waitForTimeout(50);
    }
    throw new Error(`No mail with a link to ${path} came`);
  };
  const token = new URL(await mailedLink('verify-email')).searchParams.get('token');
  const confirmed = await context.request.post(`${site.origin}/api/auth/verify-email`, {
    data: { token },
    headers: { origin: site.origin },
  });
  assert.equal(confirmed.status(), 204);
  const other = await browser.newContext();
  await signIn(other, site, account);
  await page.goto(await mailedLink('not-me'));
  assert.equal(await page.getByRole('link', { name: 'It was me, close' }).getAttribute('href'), '/');
  assert.equal(
    (await context.request.get(`${site.origin}/api/user`)).status(),
    200,
    'opening changes nothing',
  );
  await page.getByRole('button', { name: 'This was not me' }).click();
  await page.getByText('Your account is locked').waitFor();
  await page.locator('h1:focus').waitFor();
  assert.deepEqual(await violations(page), []);
  assert.equal((await other.request.get(`${site.origin}/api/user`)).status(), 401);
  await page.reload();
  await page.getByRole('button', { name: 'This was not me' }).click();
  await page.getByText('This link is not valid').waitFor();
  await other.close();
  await context.close();
});

it('leads to a withdrawal that is on a later page of the list', async () => {
  const { page, context, earn, verifyPhone, post } = await visitingMember(site, browser);
  for (const points of [9_000, 9_000]) await earn(points);
  await verifyPhone();
  const ids: string[] = [];
  for (const requests of [5, 5, 1]) {
    for (let count = 0; count < requests; count += 1) {
      const recipientInfo = { address: 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9' };
      const body = { amountPoints: '1000', method: 'litecoin', recipientInfo };
      ids.push((await (await post('/api/withdrawal', body, 201)).json()).id);
    }
    await post('/sandbox/clock', { advanceSeconds: 86_401 }, 200);
  }
  await page.goto(`${site.origin}/withdrawal#${ids[0]}`);
  const named = page.locator('li[aria-current="true"]');
  await named.waitFor();
  const list = page.getByRole('region', { name: 'Your withdrawals' });
  assert.equal(await list.getByRole('listitem').filter({ hasText: '1,000' }).count(), 1);
  await list.getByRole('button', { name: 'Previous page' }).click();
  await named.waitFor({ state: 'detached' });
  assert.equal(new URL(page.url()).hash, '');
  await context.close();
});

it('says what a request waits for and what blocks withdrawals, and follows both without a reload', async () => {
  const { page, context, id, earn, verifyPhone, post } = await visitingMember(site, browser);
  await earn(4_000);
  await verifyPhone();
  await changeSettings(site.owner, 'sandbox', { switches: { addressHold: true } });
  for (const address of ['ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9', 'LVg2kJoFNg45Nbpy53h7Fe1wKyeXVRhMH9'])
    await post(
      '/api/withdrawal',
      { amountPoints: '1000', method: 'litecoin', recipientInfo: { address } },
      201,
    );
  await page.clock.install();
  await page.goto(`${site.origin}/withdrawal`);
  const row = (word: string) =>
    page
      .getByRole('region', { name: 'Your withdrawals' })
      .getByRole('listitem')
      .filter({ hasText: word })
      .first();
  const [held, free] = [row('On hold'), row('Pending')];
  await held.getByText(/^On hold until .+, because the address is used for the first time\./).waitFor();
  await free
    .getByText('A person reviews it next. We pay within 1–3 business days of your request.')
    .waitFor();
  assert.deepEqual(await violations(page), []);
  await post('/sandbox/clock', { advanceSeconds: 86_401 }, 200);
  await page.clock.fastForward(10_000);
  await held.waitFor({ state: 'detached' });

  await site.owner.rows(sql`
    insert into members.suspensions (member_id, reason, severity, suspension_type, created_at, expires_at,
      ends_with_reset)
    values (${Number(id)}, 'Denied', 'temporary', 'withdrawal_blocked', platform.business_now(),
      platform.business_now() + interval '1 day', true)`);
  await page.reload();
  const said = { hasText: 'Withdrawals are suspended, because you said' };
  const notice = page.getByRole('main').getByRole('note').filter(said);
  await notice.getByText(/You can withdraw again from /).waitFor();
  await page
    .getByText('You said that somebody else used your account, so we don’t pay this.')
    .first()
    .waitFor();
  assert.deepEqual(await violations(page), []);
  await page.getByRole('navigation').getByRole('link', { name: 'Home' }).first().click();
  const balance = page.getByRole('region', { name: 'Balance' });
  await balance.getByText(/^Withdrawals are suspended until .+\. See why$/).waitFor();
  const withdraw = page.getByRole('button', { name: 'Withdraw', exact: true });
  const describes = async () =>
    page.locator(`[id="${await withdraw.getAttribute('aria-describedby')}"]`).innerText();
  assert.equal(await withdraw.isDisabled(), true);
  assert.match(await describes(), /^Withdrawals are suspended until /);
  await balance.getByRole('link', { name: 'See why' }).click();
  await notice.waitFor();
  assert.equal(await withdraw.isDisabled(), true);
  assert.match(await describes(), /^Withdrawals are suspended, because you said/);
  assert.deepEqual(await violations(page), []);
  await post('/sandbox/clock', { advanceSeconds: 86_401 }, 200);
  await page.clock.fastForward(10_000);
  await notice.waitFor({ state: 'detached' });
  await withdraw.click();
  const next = page.getByRole('dialog').getByRole('button', { name: 'Check details' });
  await next.waitFor();
  assert.equal(await next.isEnabled(), true);
  await site.owner.rows(sql`
    insert into members.suspensions (member_id, reason, severity, suspension_type, created_at, expires_at)
    values (${Number(id)}, 'Shared an account', 'temporary', 'withdrawal_blocked', platform.business_now(),
      platform.business_now() + interval '1 day')`);
  await earn(100);
  await page.getByRole('dialog').getByRole('note').getByText('Shared an account').waitFor();
  assert.equal(await next.isDisabled(), true);
  assert.equal(await next.getAttribute('aria-describedby'), 'withdraw-stopped');
  assert.deepEqual(await violations(page), []);

  await page.goto(`${site.origin}/notices`);
  const told = page.getByRole('listitem');
  const requested = told.filter({ hasText: 'Withdrawal requested' });
  await requested.getByText(/^A withdrawal of 1,000\sP by Litecoin was requested\./).waitFor();
  const link = requested.getByRole('link', { name: 'Withdrawal requested' });
  assert.match((await link.getAttribute('href')) ?? '', /^\/withdrawal#[\da-f-]{36}$/);
  const verified = told.filter({ hasText: 'Phone number verified' });
  await verified.getByText('The number that withdrawals need is verified.').waitFor();
  assert.equal(await verified.getByRole('button').count(), 0, 'it is no change, so there is nothing to deny');
  await context.close();
});

it('follows what a command takes back or gives, and leads to the reason', async () => {
  const { page, context, id, earn } = await visitingMember(site, browser);
  await earn(4_000);
  const config = readConfig({ APP_SECRET: Buffer.alloc(32, 1).toString('base64') });
  const log = createLog('silent');
  const parts = { database: site.owner, config, secrets: secretsOf(config), log };
  const connected = page.waitForEvent('websocket').then((socket) => socket.waitForEvent('framereceived'));
  await page.goto(`${site.origin}/withdrawal`);
  const balance = (points: RegExp) => page.getByRole('banner').getByText(points);
  await Promise.all([balance(/4,000/).waitFor(), connected]);
  assert.equal((await revokeByCommand(parts, [id, '1500', 'Answered by a program'])).code, 0);
  await balance(/2,500/).waitFor();
  assert.equal((await grantByCommand(parts, [id, '70', 'Sorry'])).code, 0);
  await balance(/2,570/).waitFor();
  await bellOf(page, 'Notices, 2 unread').click();
  await page.getByText('Reason: Answered by a program').waitFor();
  await page.getByRole('link', { name: 'Points taken back' }).click();
  await page.getByRole('cell', { name: '1,500' }).waitFor();
  await context.close();
});
