import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import type { Locator, Page, WebSocketRoute } from 'playwright-core';
import { openBrowser, openPage, violations } from './browser.ts';
import { demoSite } from './running-site.ts';
import { signIn } from './sign-in.ts';
import { visitingMember } from './visiting-member.ts';

/**
 * Navigation: the top bar and its menu, the phone's menu and bottom bar, the footer, the gate before the operators'
 * area, the language and the toasts.
 */
const GATE_KEY = 'a key that is typed';
const site = await demoSite({ after }, { ADMIN_GATE_KEY: GATE_KEY });
const browser = await openBrowser({ after });
const still = { reducedMotion: 'reduce' } as const;
const phone = { ...still, viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };

const targetsOf = (links: Locator) => links.evaluateAll((all) => all.map((one) => one.getAttribute('href')));
const currentOf = (nav: Locator) => targetsOf(nav.locator('a[aria-current=page]'));
const open = async (page: Page, path: string) => {
  await page.goto(site.origin + path);
  await page.getByRole('heading', { level: 1 }).waitFor();
};

it('§1-2 navigation: links to every screen and marks the current one, / only on an exact match', async () => {
  const { page, context, complaints, earn } = await visitingMember(site, browser, still);
  await earn(1_234);
  const nav = page.getByRole('navigation', { name: 'Main', exact: true });
  await open(page, '/');
  const targets = ['/', '/earn', '/history', '/withdrawal', '/referrals'];
  assert.deepEqual(await targetsOf(nav.getByRole('link')), targets);
  for (const path of targets) {
    await open(page, path);
    assert.deepEqual(await currentOf(nav), [path]);
  }
  for (const path of ['/settings', '/chargeback-history']) {
    await open(page, path);
    assert.deepEqual(await currentOf(nav), []);
  }
  await open(page, '/history?tab=withdrawals');
  assert.deepEqual(await currentOf(nav), ['/history']);
  await page
    .locator('header')
    .getByText(/1,234\sP/)
    .waitFor();
  assert.deepEqual(complaints, []);
  await context.close();
});

it('shows the name in the top bar’s menu, and links to profile, settings and sign-out', async () => {
  const { page, context, complaints, email } = await visitingMember(site, browser, still);
  await open(page, '/history');
  const button = page.getByRole('button', { name: /Your account/ });
  await button.click();
  const menu = page.getByRole('menu');
  await menu.getByText('Mina', { exact: true }).waitFor();
  await menu.getByText(email).waitFor();
  const links = menu.getByRole('menuitem').and(page.locator('a'));
  assert.deepEqual(await targetsOf(links), ['/profile', '/settings'], 'and nothing of operators');
  assert.deepEqual(await violations(page), []);
  await page.keyboard.press('Escape');
  await menu.waitFor({ state: 'detached' });
  await button.click();
  // Signing out leads to the front page even if the server does not answer.
  await page.route('**/api/auth/logout', (route) => route.abort());
  await menu.getByRole('menuitem', { name: 'Log out' }).click();
  await page.waitForURL(`${site.origin}/`);
  assert.deepEqual(
    complaints.filter((text) => !text.includes('ERR_FAILED')),
    [],
  );
  await context.close();
});

it('§1-4 logout: ends the session at sign-out and opens the front page', async () => {
  const { page, context } = await visitingMember(site, browser, still);
  await open(page, '/history');
  await page.getByRole('button', { name: /Your account/ }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await page.waitForURL(`${site.origin}/`);
  await page.getByRole('link', { name: 'Get started' }).first().waitFor();
  assert.equal((await context.request.get(`${site.origin}/api/user`)).status(), 401);
  await context.close();
});

it('links to the panel in an operator’s menu, on a phone too', async () => {
  for (const options of [still, phone]) {
    const { page, context } = await openPage(browser, options);
    const gate = `${site.origin}/api/auth/admin/gate`;
    await context.request.post(gate, { headers: { origin: site.origin }, data: { key: GATE_KEY } });
    await signIn(context, site, site.operator);
    await open(page, '/settings');
    const isPhone = options === phone;
    await page.getByRole('button', { name: isPhone ? 'Menu' : /Your account/ }).click();
    const link = page.getByRole(isPhone ? 'link' : 'menuitem', { name: 'Operators' });
    assert.equal(await link.getAttribute('href'), '/management-panel-x7k9w');
    await context.close();
  }
});

it('§1-2 navigation: has every screen and sign-out in the phone’s menu, and returns the focus', async () => {
  const { page, context, complaints } = await visitingMember(site, browser, phone);
  await open(page, '/history');
  const button = page.getByRole('button', { name: 'Menu' });
  assert.equal(await button.getAttribute('aria-expanded'), 'false');
  await button.click();
  const menu = page.getByRole('dialog', { name: 'Menu' });
  const links = menu.getByRole('navigation').getByRole('link');
  await links.first().waitFor();
  const targets = ['/', '/tasks', '/surveys', '/history', '/withdrawal', '/referrals'];
  assert.deepEqual(await targetsOf(links), [...targets, '/profile', '/settings']);
  assert.deepEqual(await currentOf(menu), ['/history']);
  await menu.getByRole('button', { name: 'Log out' }).waitFor();
  assert.deepEqual(await violations(page), []);
  await page.keyboard.press('Escape');
  await menu.waitFor({ state: 'detached' });
  assert.equal(await button.evaluate((element) => element === document.activeElement), true);
  await button.click();
  await menu.getByRole('link', { name: 'Referrals' }).click();
  await page.waitForURL('**/referrals');
  await menu.waitFor({ state: 'detached' });
  assert.deepEqual(complaints, []);
  await context.close();
});

it('has the main screens in the bottom bar, marks the current one, and has no button without an effect', async () => {
  const { page, context, complaints } = await visitingMember(site, browser, phone);
  const bar = page.getByRole('navigation', { name: 'Main, bottom' });
  await open(page, '/');
  const targets = ['/', '/earn', '/history', '/withdrawal'];
  assert.deepEqual(await targetsOf(bar.getByRole('link')), targets);
  assert.deepEqual(await bar.getByRole('button').allTextContents(), ['Chat']);
  for (const path of targets) {
    await bar.locator(`a[href="${path}"]`).click();
    await page.waitForURL(site.origin + path);
    await bar.locator(`a[href="${path}"][aria-current=page]`).waitFor();
    assert.deepEqual(await currentOf(bar), [path]);
  }
  assert.deepEqual(complaints, []);
  await context.close();
});

it('§1-2 footer: links to seven existing pages and to support in the footer', async () => {
  const { page, context } = await visitingMember(site, browser, still);
  await open(page, '/history');
  const footer = page.getByRole('contentinfo');
  const targets = await targetsOf(footer.getByRole('link'));
  const pages = ['/earn', '/withdrawal', '/referrals', '/history', '/faq', '/privacy', '/terms'];
  assert.deepEqual(targets.slice(0, 7), pages);
  assert.match(targets[7] ?? '', /^mailto:.+@/);
  for (const path of pages) assert.equal((await context.request.get(site.origin + path)).status(), 200, path);
  await footer.getByRole('link', { name: 'FAQ' }).click();
  await page.waitForURL('**/faq');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await context.close();
});

it('§1-6 operators’ gate: opens the gate for the right key, clears a wrong one, and links home', async () => {
  const { page, context, complaints } = await openPage(browser, still);
  await page.goto(`${site.origin}/secret-admin`);
  await page.getByRole('heading', { level: 1, name: '접근 키' }).waitFor();
  const home = page.getByRole('link', { name: '홈으로 돌아가기' });
  assert.equal(await home.getAttribute('href'), '/');
  const key = page.getByLabel('키', { exact: true });
  const go = page.getByRole('button', { name: '계속' });
  assert.equal(await go.isDisabled(), true);
  const focused = page.locator(':focus');
  await key.and(focused).waitFor();
  await page.keyboard.type('another key');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').filter({ hasText: '키가 틀렸습니다.' }).waitFor();
  assert.equal(await key.inputValue(), '');
  await key.and(focused).waitFor();
  complaints.length = 0;
  await page.keyboard.type(GATE_KEY);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: '운영자 로그인' }).waitFor();
  await page.getByLabel('이메일').and(focused).waitFor();
  const signInByForm = async ({ email, password }: { email: string; password: string }) => {
    await page.getByLabel('이메일').fill(email);
    await page.getByLabel('비밀번호', { exact: true }).fill(password);
    await page.getByRole('button', { name: '로그인', exact: true }).click();
  };
  await page.getByRole('button', { name: '로그인', exact: true }).click();
  await page.getByText('올바른 이메일을 입력하세요').waitFor();
  await page.getByText('비밀번호를 입력하세요').waitFor();
  await signInByForm(site.member);
  await page.getByRole('alert').filter({ hasText: '접근 거부' }).waitFor();
  await signInByForm(site.operator);
  await page.waitForURL('**/management-panel-x7k9w');
  assert.deepEqual(complaints, []);
  await page.goto(`${site.origin}/admin-key`);
  await page.getByRole('heading', { level: 1, name: '운영자 로그인' }).waitFor();
  await context.close();
});

it('§1-4 language: starts in the browser’s language, and stores a choice', async () => {
  const { page, context } = await openPage(browser, { ...still, locale: 'ko-KR' });
  await page.goto(`${site.origin}/auth`);
  await page.getByRole('heading', { level: 1, name: '다시 오셨네요' }).waitFor();
  assert.equal(await page.evaluate(() => localStorage.getItem('language')), 'ko');
  await page.getByRole('button', { name: 'English' }).click();
  await page.getByRole('heading', { level: 1, name: 'Welcome back' }).waitFor();
  assert.equal(await page.evaluate(() => localStorage.getItem('language')), 'en');
  await page.reload();
  await page.getByRole('heading', { level: 1, name: 'Welcome back' }).waitFor();
  assert.equal(await page.evaluate(() => document.documentElement.lang), 'en');
  await context.close();
});

it('§1-9 toasts: shows the newest toast alone, for five seconds', async () => {
  const { page, context } = await visitingMember(site, browser, still);
  await open(page, '/settings');
  const toasts = page.getByRole('status').filter({ hasText: 'Settings saved successfully' });
  const notifications = page.getByRole('switch', { name: 'E-mail notifications' });
  for (const state of [false, true]) {
    const saved = page.waitForResponse('**/api/user/settings');
    await notifications.setChecked(state, { force: true });
    await saved;
  }
  await toasts.last().waitFor();
  const begun = performance.now();
  // The previous toast is closing.
  await toasts.nth(1).waitFor({ state: 'detached', timeout: 1_000 });
  await toasts.waitFor({ state: 'detached' });
  const shownMs = performance.now() - begun;
  assert.ok(shownMs > 4_000 && shownMs < 8_000, `${shownMs} ms`);
  await context.close();
});

it('§1-2 unknown paths: shows the not-found page in Korean and English, with links home and back', async () => {
  const { page, context } = await openPage(browser, still);
  await page.goto(`${site.origin}/auth`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.goto(`${site.origin}/nothing-here`);
  await page.getByRole('heading', { level: 1, name: '페이지를 찾을 수 없습니다' }).waitFor();
  await page.getByText('Page not found', { exact: true }).waitFor();
  assert.equal(await page.getByRole('link', { name: /홈으로/ }).getAttribute('href'), '/');
  await page.getByRole('button', { name: /뒤로 가기/ }).click();
  await page.waitForURL(`${site.origin}/auth`);
  await context.close();
});

it('shows the brand’s whole name or only its mark beside a long balance', async () => {
  const { page, context } = await visitingMember(site, browser, still);
  await page.route('**/api/user/stats', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, json: { ...(await response.json()), balance: '1234567890' } });
  });
  for (const [width, isWhole] of [
    [360, false],
    [768, false],
    [1440, true],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await open(page, '/history');
    await page
      .locator('header')
      .getByText(/1,234,567,890/)
      .waitFor();
    const seen = await page
      .locator('header a[href="/"] > span')
      .first()
      .evaluate((brand) => {
        const range = document.createRange();
        range.selectNodeContents(brand.lastChild as Node);
        const [box, name] = [brand.getBoundingClientRect(), range.getBoundingClientRect()];
        return {
          isWhole: name.right <= box.right + 0.5 && name.bottom <= box.bottom + 0.5,
          isHidden: name.top >= box.bottom,
        };
      });
    assert.deepEqual(seen, { isWhole, isHidden: !isWhole }, `${width} px`);
  }
  await page.unrouteAll({ behavior: 'wait' });
  await context.close();
});

it('titles an unknown page below a known one as not found', async () => {
  const { page, context } = await openPage(browser, still);
  await context.addInitScript(() => localStorage.setItem('operatorLanguage', 'en'));
  for (const path of ['/nothing-here', '/history/nope', '/management-panel-x7k9w/nope']) {
    await page.goto(site.origin + path);
    await page.getByText('Page not found', { exact: true }).waitFor();
    await page.waitForFunction(() => document.title.startsWith('Page not found · '), undefined, {
      timeout: 5_000,
    });
  }
  await context.close();
});

it('§1-4 live connection: refetches nothing by itself, and reconnects three seconds after a loss', async () => {
  const { page, context } = await visitingMember(site, browser, still);
  const sockets: WebSocketRoute[] = [];
  const isConnected = new Promise<void>((done) => {
    void page.routeWebSocket('**/ws', (socket) => {
      sockets.push(socket);
      socket.connectToServer().onMessage((frame) => {
        socket.send(frame);
        done();
      });
    });
  });
  await page.route('**/api/user/earnings-chart', (route) => route.abort());
  // The bell's count is read a second after the bar is shown.
  const counted = page.waitForResponse('**/api/notices?*');
  await open(page, '/');
  await page.getByText('The chart didn’t load').waitFor();
  await counted;
  // At the opening of its live connection the page reads its lists again, also the failed one.
  await isConnected;
  await page.waitForLoadState('networkidle');
  await page.waitForTimeout(500);
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'GET' && request.url().includes('/api/')) asked.push(request.url());
  });
  await page.evaluate(() => {
    for (const name of ['visibilitychange', 'focus', 'online']) window.dispatchEvent(new Event(name));
    document.dispatchEvent(new Event('visibilitychange'));
  });
  await page.waitForTimeout(1_000);
  assert.deepEqual(asked, [], 'not even what failed');
  assert.equal(sockets.length, 1);
  const reopened = page.waitForEvent('websocket');
  const begun = performance.now();
  await sockets[0]?.close();
  await reopened;
  const waitedMs = performance.now() - begun;
  assert.ok(waitedMs > 2_500 && waitedMs < 6_000, `${waitedMs} ms`);
  await context.close();
});
