import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { openBrowser, openPage, violations } from './browser.ts';
import { completeOffer } from './complete-offer.ts';
import { freePort } from './free-port.ts';
import { startOidcProvider } from './oidc-provider.ts';
import { demoSite } from './running-site.ts';
import { signIn } from './sign-in.ts';

/**
 * The events of a site with analytics, read by a stand-in for the vendor's host. A stand-in for the vendor's script
 * sends them.
 */
const port = String(await freePort());
const provider = await startOidcProvider({ after }, `http://localhost:${port}/api/auth/google/callback`);
const site = await demoSite(
  { after },
  { PORT: port, ANALYTICS_MEASUREMENT_ID: 'G-STANDIN1', ...provider.environment },
);
const browser = await openBrowser({ after });

type Sent = Record<string, string>;

/**
 * Acts like the vendor's script: reads the commands that the page queues before and after its load, and sends each
 * event.
 */
const vendorScript = `{
  const facts = {};
  const take = ([command, first, second]) => {
    if (command === 'set') Object.assign(facts, first);
    if (command !== 'event') return;
    const sent = new URLSearchParams({ en: first, dl: facts.page_location, ...second });
    fetch('https://region1.google-analytics.com/g/collect?' + sent, { method: 'POST', mode: 'no-cors' });
  };
  const { push } = window.dataLayer;
  window.dataLayer.forEach(take);
  window.dataLayer.push = (...commands) => {
    commands.forEach(take);
    return push.apply(window.dataLayer, commands);
  };
}`;

/** Opens a browser window in which the test answers for the vendor's hosts. */
async function openCounted(answer: 'granted' | 'denied' | null) {
  const { page, context, complaints } = await openPage(browser);
  const loaded: string[] = [];
  const sent: Sent[] = [];
  await context.route(/googletagmanager\.com|google-analytics\.com/, async (route) => {
    const url = new URL(route.request().url());
    if (url.pathname === '/gtag/js') {
      loaded.push(url.search);
      await route.fulfill({ contentType: 'text/javascript', body: vendorScript });
      return;
    }
    sent.push(Object.fromEntries(url.searchParams));
    await route.fulfill({ status: 204 });
  });
  if (answer !== null) await context.addCookies([{ name: 'analytics', value: answer, url: site.origin }]);
  await page.addInitScript(() => {
    if (document.cookie.includes('analytics=granted'))
      localStorage.analyticsSince ??= new Date(Date.now() - 1_000).toISOString();
  });
  return { page, context, complaints, loaded, sent };
}

const named = (sent: readonly Sent[], name: string) => sent.filter(({ en }) => en === name);

/** Waits for an event. The test checks at its end that no event came twice. */
async function waitForEvent(sent: readonly Sent[], name: string): Promise<Sent> {
  for (let tries = 0; tries < 100; tries += 1) {
    const found = named(sent, name)[0];
    if (found !== undefined) return found;
    await setTimeout(100);
  }
  throw new Error(`${name} was not sent: ${JSON.stringify(sent)}`);
}

const question = (page: Page) => page.getByRole('region', { name: 'Counting visits' });

describe('before consent', () => {
  it('loads and sends nothing, and asks until there is an answer', async () => {
    const { page, context, complaints, loaded, sent } = await openCounted(null);
    for (const path of ['/', '/faq', '/auth']) {
      await page.goto(site.origin + path);
      await question(page).waitFor();
      assert.deepEqual(await violations(page), []);
    }
    await question(page).getByRole('button', { name: 'No' }).click();
    await question(page).waitFor({ state: 'detached' });
    await signIn(context, site, site.member);
    for (const path of ['/', '/history', '/about']) {
      await page.goto(site.origin + path);
      await page.waitForLoadState('networkidle');
      assert.equal(await question(page).isVisible(), false);
    }
    assert.deepEqual([loaded, sent, complaints], [[], [], []]);
    await context.close();
  });
  it('shows and changes the answer on the cookies page, and removes stored data on refusal', async () => {
    const { page, context, complaints, loaded, sent } = await openCounted('denied');
    await page.goto(`${site.origin}/cookies`);
    await page.getByText('Your visits are not counted. You said no.').waitFor();
    assert.deepEqual(await violations(page), []);
    await page.getByRole('button', { name: 'Yes, count' }).click();
    await page.getByText('Your visits are counted. You said yes.').waitFor();
    await waitForEvent(sent, 'page_view');
    assert.deepEqual(loaded, ['?id=G-STANDIN1']);
    await context.addCookies([{ name: '_ga', value: 'GA1.1.1', url: site.origin }]);
    await page.getByRole('button', { name: 'No' }).click();
    await page.getByText('Your visits are not counted. You said no.').waitFor();
    await page.waitForLoadState('networkidle');
    assert.deepEqual(
      (await context.cookies()).filter(({ name }) => name.startsWith('_ga')),
      [],
    );
    assert.equal(await page.evaluate(() => localStorage.getItem('analyticsSince')), null);
    assert.equal(loaded.length, 1);
    assert.deepEqual(complaints, []);
    await context.close();
  });
});

describe('after consent', () => {
  it('§1-7 analytics: counts a registration by invitation once, without personal data', async () => {
    const { page, context, complaints, sent } = await openCounted('granted');
    const asMember = await browser.newContext();
    await signIn(asMember, site, site.member);
    const me = await (await asMember.request.get(`${site.origin}/api/user`)).json();
    await asMember.close();
    await page.goto(`${site.origin}/auth?ref=${me.referralCode}`);
    await page.getByLabel('First name').fill('Mina');
    await page.getByLabel('E-mail').fill('mina.counted@example.com');
    await page.getByLabel('Password', { exact: false }).first().fill('a quiet river 7');
    await page.getByLabel('Confirm password').fill('a quiet river 7');
    await page.getByRole('checkbox', { name: 'I am human' }).check();
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.getByRole('heading', { level: 1, name: /Mina/ }).waitFor();
    await waitForEvent(sent, 'referral_used');
    await page.waitForLoadState('networkidle');
    assert.equal(named(sent, 'sign_up').length, 1);
    assert.equal(named(sent, 'referral_used').length, 1);
    assert.equal(named(sent, 'login').length, 0);
    assert.deepEqual(
      named(sent, 'page_view').map(({ dl }) => dl),
      [`${site.origin}/auth`, `${site.origin}/`],
    );
    const all = JSON.stringify(sent);
    for (const secret of ['mina', 'Mina', me.referralCode, me.id]) assert.ok(!all.includes(secret), secret);
    assert.deepEqual(complaints, []);
    await context.close();
  });
  it('counts signing in, opening a wall, earning and withdrawing once each', async () => {
    const { page, context, complaints, sent } = await openCounted('granted');
    await page.goto(`${site.origin}/auth`);
    await page.getByLabel('E-mail').fill(site.member.email);
    await page
      .getByLabel(/^Password/)
      .first()
      .fill(site.member.password);
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: /Jiwoo/ }).waitFor();
    assert.equal((await waitForEvent(sent, 'login')).method, 'email');

    await page.goto(`${site.origin}/earn?wall=cpx`);
    assert.equal((await waitForEvent(sent, 'offerwall_click')).provider, 'cpx');
    await completeOffer(page);
    const earned = await waitForEvent(sent, 'points_earned');
    assert.equal(earned.provider, 'cpx');
    assert.ok(Number(earned.points) > 0);
    assert.match(earned.transaction_id ?? '', /^cpx:.+/);

    // Other screens and a reload read the same row again.
    for (const path of ['/history', '/']) {
      await page.goto(site.origin + path);
      await page.getByText('CPX Research').first().waitFor();
      await page.waitForLoadState('networkidle');
    }

    await page.goto(`${site.origin}/withdrawal`);
    await page.getByRole('button', { name: 'Withdraw', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Amount').fill('1000');
    await dialog.getByLabel('Litecoin address').fill('ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9');
    await dialog.getByRole('button', { name: 'Check details' }).click();
    await dialog.getByRole('button', { name: 'Withdraw 1,000 P' }).click();
    const request = await waitForEvent(sent, 'withdrawal_request');
    assert.deepEqual([request.method, request.points], ['litecoin', '1000']);
    await page.waitForLoadState('networkidle');
    for (const name of ['login', 'offerwall_click', 'points_earned', 'withdrawal_request'])
      assert.equal(named(sent, name).length, 1, name);
    const all = JSON.stringify(sent);
    for (const secret of [site.member.email, 'Jiwoo', 'ltc1', 'wall='])
      assert.ok(!all.includes(secret), secret);
    assert.deepEqual(complaints, []);
    await context.close();
  });
  it('counts a sign-in with Google once, with its method', async () => {
    provider.people.set('counted', {
      email: 'counted@example.com',
      email_verified: true,
      given_name: 'Sora',
    });
    const { page, context, sent } = await openCounted('granted');
    // The script loads only after the click. The click is counted anyway.
    await page.route(/assets\/analytics-/, async (route) => {
      if (new URL(page.url()).pathname === '/auth') await page.waitForURL((url) => url.pathname !== '/auth');
      await route.continue();
    });
    await page.goto(`${site.origin}/auth`);
    await page.getByRole('link', { name: 'Continue with Google' }).click();
    await page.getByPlaceholder('Enter any login').fill('counted');
    await page.getByPlaceholder('and password').fill('any');
    await page.getByRole('button', { name: 'Sign-in' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('heading', { level: 1, name: /Sora/ }).waitFor();
    assert.equal((await waitForEvent(sent, 'login')).method, 'google');
    await page.reload();
    await page.getByRole('heading', { level: 1, name: /Sora/ }).waitFor();
    await page.waitForLoadState('networkidle');
    assert.equal(named(sent, 'login').length, 1);
    assert.ok(!/Sora|counted@/.test(JSON.stringify(sent)));
    await context.close();
  });
  it('counts no operator', async () => {
    const { page, context, loaded, sent } = await openCounted('granted');
    await page.goto(`${site.origin}/admin-login`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    assert.deepEqual([loaded, sent], [[], []]);
    await context.close();
  });
  it('blocks the vendor’s script on pages whose URL has a token of a mail', async () => {
    const { page, context, complaints, loaded, sent } = await openCounted('granted');
    for (const path of ['/reset-password', '/verify-email']) {
      await page.goto(`${site.origin}${path}?token=${'a'.repeat(43)}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
    }
    assert.deepEqual([loaded, sent, complaints], [[], [], []]);
    await page.goto(`${site.origin}/auth`);
    assert.equal((await waitForEvent(sent, 'page_view')).dl, `${site.origin}/auth`);
    await context.close();
  });
});
