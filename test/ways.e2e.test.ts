import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { openBrowser, openPage, violations, visit } from './browser.ts';
import { completeOffer } from './complete-offer.ts';
import { freePort } from './free-port.ts';
import { startOidcProvider } from './oidc-provider.ts';
import { demoSite } from './running-site.ts';
import { signIn } from './sign-in.ts';

/**
 * Less usual ways through a site: from outside, to lost pages, and without a server. The site has analytics, whose
 * events are read by a stand-in for the vendor’s host. A stand-in for the vendor’s script sends them.
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

async function fillSignIn(page: Page): Promise<void> {
  await page.getByLabel('E-mail').fill(site.member.email);
  await page
    .getByLabel(/^Password/)
    .first()
    .fill(site.member.password);
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
}

const isHome = (page: Page) => page.getByRole('heading', { level: 1, name: /Jiwoo/ }).waitFor();

describe('a visitor', () => {
  let opened: Awaited<ReturnType<typeof openCounted>>;

  it('is asked whether visits are counted until there is an answer, and nothing is loaded or sent', async () => {
    opened = await openCounted(null);
    const { page, complaints, loaded, sent } = opened;
    for (const path of ['/', '/auth?referral=FRIEND42']) {
      await page.goto(site.origin + path);
      await question(page).waitFor();
    }
    assert.deepEqual(await violations(page), []);
    await question(page).getByRole('button', { name: 'No' }).click();
    await question(page).waitFor({ state: 'detached' });
    assert.deepEqual([loaded, sent, complaints], [[], [], []]);
  });

  it('finds the URL’s referral code in the form', async () => {
    assert.equal(await opened.page.getByLabel('Referral code').inputValue(), 'FRIEND42');
  });

  it('§2-2 operators’ login: gets no gate before the operators’ form if no key is set', async () => {
    const { page, complaints } = opened;
    for (const path of ['/secret-admin', '/admin-key']) {
      await visit(page, site.origin + path);
      await page.getByRole('heading', { level: 1, name: '운영자 로그인' }).waitFor();
      await visit(page, `${site.origin}/auth`);
      await page.getByLabel('E-mail').waitFor();
    }
    assert.deepEqual(complaints, []);
  });

  it('is not asked again as a member', async () => {
    const { page, context, complaints, loaded, sent } = opened;
    await signIn(context, site, site.member);
    await page.goto(`${site.origin}/`);
    await isHome(page);
    await page.waitForLoadState('networkidle');
    assert.equal(await question(page).isVisible(), false);
    assert.deepEqual([loaded, sent, complaints], [[], [], []]);
  });

  it('sees and changes the answer on the cookies page, and a refusal removes what was stored', async () => {
    const { page, context, complaints, loaded, sent } = opened;
    await page.goto(`${site.origin}/cookies`);
    await page.getByText('Your visits are not counted. You said no.').waitFor();
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

const { page, context, complaints } = await openCounted('denied');

describe('a member', () => {
  it('§1-2 login view: sees the login view at a member’s URL, and that page after signing in', async () => {
    await page.goto(`${site.origin}/withdrawal`);
    await fillSignIn(page);
    await page.getByRole('heading', { level: 1, name: 'Withdraw' }).waitFor();
    assert.equal(new URL(page.url()).pathname, '/withdrawal');
    assert.deepEqual(complaints, []);
  });

  it('sees the whole withdrawal summary in the dialog at every width', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' });
    await page.getByRole('button', { name: 'Withdraw', exact: true }).click();
    const summary = page.getByRole('dialog').getByRole('complementary', { name: 'Withdrawal slip' });
    await summary.waitFor();
    for (const width of [360, 767, 768, 1023, 1024, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      // While the dialog grows to the full screen, its place changes for a moment.
      await page.waitForFunction(() => {
        const edgeOf = (query: string) => document.querySelector(query)?.getBoundingClientRect().right ?? 0;
        return Math.abs(edgeOf('[role=dialog] aside') - edgeOf('[role=dialog]')) < 1;
      });
    }
    await page.keyboard.press('Escape');
    await summary.waitFor({ state: 'detached' });
  });

  it('sees an error in place of a page that did not load, and can try again, also of a list', async () => {
    await page.route('**/assets/history-screen*', (route) => route.abort());
    await visit(page, `${site.origin}/history?page=none`);
    await page.getByText('This page didn’t load').waitFor();
    assert.deepEqual(await violations(page), []);
    await page.unroute('**/assets/history-screen*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { level: 1, name: 'History' }).waitFor();
    await page.getByText('CPX Research').first().waitFor();
  });

  it('closes a wall with the browser’s Back, and never opens it again by Back', async () => {
    await visit(page, `${site.origin}/`);
    await isHome(page);
    await page.getByRole('link', { name: 'Earn', exact: true }).first().click();
    const opener = page.getByRole('button', { name: /CPX Research/ });
    const dialog = page.getByRole('dialog', { name: 'CPX Research' });
    const isAt = async (pathAndSearch: string) => assert.equal(page.url(), site.origin + pathAndSearch);
    await opener.click();
    await dialog.waitFor();
    await page.goBack();
    await dialog.waitFor({ state: 'detached' });
    await isAt('/earn');
    await page.goForward();
    await dialog.waitFor();
    await isAt('/earn?wall=cpx');
    await page.reload();
    // A step inside the frame adds a history entry to the browser.
    await completeOffer(page);
    await dialog.getByRole('button', { name: 'Close CPX Research' }).click();
    await dialog.waitFor({ state: 'detached' });
    await isAt('/earn');
    await page.goBack();
    await isHome(page);
    await isAt('/');
    await page.goto(`${site.origin}/earn?wall=bitlabs`);
    await page
      .getByRole('dialog', { name: 'BitLabs' })
      .getByRole('button', { name: /^Close/ })
      .click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await isAt('/earn');
  });

  it('§1-2 earn: gets a message that a wall without an answer is slow, and can leave it', async () => {
    await visit(page, `${site.origin}/earn`);
    await page.route('**/sandbox/wall/**', () => undefined);
    await page.getByRole('button', { name: /BitLabs/ }).click();
    await page.getByText('This is taking long').waitFor({ timeout: 15_000 });
    await page.getByRole('button', { name: 'Close', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Earn' }).waitFor();
    await context.close();
  });
});

describe('after consent', () => {
  let opened: Awaited<ReturnType<typeof openCounted>>;

  it('nothing is loaded for operators, and on pages whose URL has a token of a mail', async () => {
    opened = await openCounted('granted');
    const { page, complaints, loaded, sent } = opened;
    for (const path of ['/admin-login', `/reset-password?token=${'a'.repeat(43)}`]) {
      await page.goto(site.origin + path);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.waitForLoadState('networkidle');
    }
    assert.deepEqual([loaded, sent, complaints], [[], [], []]);
  });

  it('§1-7 analytics: counts a registration by invitation once, without personal data', async () => {
    const { page, context, complaints, sent } = opened;
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

  it('§1-2 sign-in page: is redirected from /login to the form, and onwards when signed in', async () => {
    opened = await openCounted('granted');
    const { page, sent } = opened;
    await page.goto(`${site.origin}/login`);
    await page.waitForURL('**/auth');
    await fillSignIn(page);
    await isHome(page);
    assert.equal((await waitForEvent(sent, 'login')).method, 'email');
    await page.goto(`${site.origin}/auth`);
    await isHome(page);
    assert.equal(new URL(page.url()).pathname, '/');
  });

  it('counts signing in, opening a wall, earning and withdrawing once each', async () => {
    const { page, context, complaints, sent } = opened;
    await visit(page, `${site.origin}/earn?wall=cpx`);
    assert.equal((await waitForEvent(sent, 'offerwall_click')).provider, 'cpx');
    await completeOffer(page);
    const earned = await waitForEvent(sent, 'points_earned');
    assert.equal(earned.provider, 'cpx');
    assert.ok(Number(earned.points) > 0);
    assert.match(earned.transaction_id ?? '', /^cpx:.+/);

    await visit(page, `${site.origin}/withdrawal`);
    await page.getByRole('button', { name: 'Withdraw', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Amount').fill('1000');
    await dialog.getByLabel('Litecoin address').fill('ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9');
    await dialog.getByRole('button', { name: 'Check details' }).click();
    await dialog.getByRole('button', { name: 'Withdraw 1,000 P' }).click();
    const request = await waitForEvent(sent, 'withdrawal_request');
    assert.deepEqual([request.method, request.points], ['litecoin', '1000']);
    // Another screen and a load read the same rows again.
    await visit(page, `${site.origin}/history`);
    await page.getByText('CPX Research').first().waitFor();
    await page.goto(`${site.origin}/`);
    await page.getByText('CPX Research').first().waitFor();
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
});
