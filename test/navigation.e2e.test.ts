import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Locator, Page, WebSocketRoute } from 'playwright-core';
import { openBrowser, openPage, settle, violations, visit } from './browser.ts';
import { demoSite } from './running-site.ts';
import { signIn } from './sign-in.ts';
import { visitingMember } from './visiting-member.ts';

/**
 * Navigation: the top bar and its menu, the phone's menu and bottom bar, the footer, the gate before the operators'
 * area, the language, the toasts, and the pages of text. The cases of one reader go on in one page.
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
/** Goes to a screen within the app, and waits until the page has its title. */
const goTo = async (page: Page, path: string, title: string) => {
  await visit(page, site.origin + path);
  await page.waitForFunction((start) => document.title.startsWith(`${start} · `), title, { timeout: 5_000 });
};

const member = await visitingMember(site, browser, still);
describe('in a member’s window', () => {
  const { page, context, complaints, email, earn } = member;
  after(() => context.close());

  it('§1-2 navigation: links to every screen and marks the current one, / only on an exact match', async () => {
    await earn(1_234);
    const nav = page.getByRole('navigation', { name: 'Main', exact: true });
    await open(page, '/');
    const targets = ['/', '/earn', '/history', '/withdrawal', '/referrals'];
    assert.deepEqual(await targetsOf(nav.getByRole('link')), targets);
    for (const path of targets) {
      await visit(page, site.origin + path);
      await nav.locator(`a[href="${path}"][aria-current=page]`).waitFor();
      assert.deepEqual(await currentOf(nav), [path]);
    }
    for (const [path, title] of [
      ['/settings', 'Settings'],
      ['/chargeback-history', 'Chargeback history'],
    ] as const) {
      await goTo(page, path, title);
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      assert.deepEqual(await currentOf(nav), []);
    }
    await goTo(page, '/history?tab=withdrawals', 'History');
    await nav.locator('a[aria-current=page]').waitFor();
    assert.deepEqual(await currentOf(nav), ['/history']);
    await page
      .locator('header')
      .getByText(/1,234\sP/)
      .waitFor();
    assert.deepEqual(complaints, []);
  });

  it('§1-9 toasts: shows the newest toast alone, for five seconds', async () => {
    await goTo(page, '/settings', 'Settings');
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
  });

  it('§1-4 live connection: refetches nothing by itself, and reconnects three seconds after a loss', async () => {
    const page = await context.newPage();
    const sockets: WebSocketRoute[] = [];
    const { promise: isConnected, resolve: connect } = Promise.withResolvers<void>();
    await page.routeWebSocket('**/ws', (socket) => {
      sockets.push(socket);
      socket.connectToServer().onMessage((frame) => {
        socket.send(frame);
        connect();
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
    await page.close();
  });

  it('§1-2 footer: links to seven existing pages and to support in the footer', async () => {
    const footer = page.getByRole('contentinfo');
    const targets = await targetsOf(footer.getByRole('link'));
    const pages = ['/earn', '/withdrawal', '/referrals', '/history', '/faq', '/privacy', '/terms'];
    assert.deepEqual(targets.slice(0, 7), pages);
    assert.match(targets[7] ?? '', /^mailto:.+@/);
    for (const path of pages)
      assert.equal((await context.request.get(site.origin + path)).status(), 200, path);
    await footer.getByRole('link', { name: 'FAQ' }).click();
    await page.waitForURL('**/faq');
    await page.getByRole('heading', { level: 1, name: 'Frequently asked questions' }).waitFor();
  });

  it('shows the brand’s whole name or only its mark beside a long balance', async () => {
    await page.route('**/api/user/stats', async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), balance: '1234567890' } });
    });
    await open(page, '/history');
    for (const [width, isWhole] of [
      [360, false],
      [768, false],
      [1440, true],
    ] as const) {
      await page.setViewportSize({ width, height: 800 });
      await page
        .locator('header')
        .getByText(/1,234,567,890/)
        .waitFor();
      await settle(page);
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
  });

  it('shows the name in the top bar’s menu, and links to profile, settings and sign-out', async () => {
    complaints.length = 0;
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
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('§1-4 logout: ends the session at sign-out and opens the front page', async () => {
    await open(page, '/history');
    await page.getByRole('button', { name: /Your account/ }).click();
    await page.getByRole('menuitem', { name: 'Log out' }).click();
    await page.waitForURL(`${site.origin}/`);
    await page.getByRole('link', { name: 'Get started' }).first().waitFor();
    assert.equal((await context.request.get(`${site.origin}/api/user`)).status(), 401);
  });
});

const onPhone = await visitingMember(site, browser, phone);
describe('on a member’s phone', () => {
  const { page, context, complaints } = onPhone;
  after(() => context.close());

  it('§1-2 navigation: has every screen and sign-out in the phone’s menu, and returns the focus', async () => {
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
  });

  it('has the main screens in the bottom bar, marks the current one, and has no button without an effect', async () => {
    const bar = page.getByRole('navigation', { name: 'Main, bottom' });
    await bar.waitFor();
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
  });
});

const operator = await openPage(browser, still);
describe('in an operator’s window', () => {
  const { page, context, complaints } = operator;
  after(() => context.close());

  it('§1-6 operators’ gate: opens the gate for the right key, clears a wrong one, and links home', async () => {
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
    await visit(page, `${site.origin}/admin-key`);
    await page.getByRole('heading', { level: 1, name: '운영자 로그인' }).waitFor();
  });

  it('links to the panel in an operator’s menu, on a phone too', async () => {
    await goTo(page, '/settings', 'Settings');
    for (const [width, name, role] of [
      [1440, /Your account/, 'menuitem'],
      [390, 'Menu', 'link'],
    ] as const) {
      await page.setViewportSize({ width, height: 844 });
      await page.getByRole('button', { name }).click();
      const link = page.getByRole(role, { name: 'Operators' });
      assert.equal(await link.getAttribute('href'), '/management-panel-x7k9w');
      await page.keyboard.press('Escape');
      await link.waitFor({ state: 'detached' });
    }
  });
});

const visitor = await openPage(browser, { ...still, locale: 'ko-KR' });
describe('in a visitor’s window', () => {
  const { page, context } = visitor;
  after(() => context.close());

  it('§1-4 language: starts in the browser’s language, and stores a choice', async () => {
    await page.goto(`${site.origin}/auth`);
    await page.getByRole('heading', { level: 1, name: '다시 오셨네요' }).waitFor();
    assert.equal(await page.evaluate(() => localStorage.getItem('language')), 'ko');
    await page.getByRole('button', { name: 'English' }).click();
    await page.getByRole('heading', { level: 1, name: 'Welcome back' }).waitFor();
    assert.equal(await page.evaluate(() => localStorage.getItem('language')), 'en');
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Welcome back' }).waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.lang), 'en');
  });

  it('titles an unknown page below a known one as not found', async () => {
    await page.evaluate(() => localStorage.setItem('operatorLanguage', 'en'));
    for (const path of ['/history/nope', '/management-panel-x7k9w/nope']) {
      await goTo(page, '/auth', 'Log in');
      await goTo(page, path, 'Page not found');
      await page.getByText('Page not found', { exact: true }).waitFor();
    }
  });

  it('§1-2 unknown paths: shows the not-found page in Korean and English, with links home and back', async () => {
    await goTo(page, '/auth', 'Log in');
    await page.goto(`${site.origin}/nothing-here`);
    await page.getByRole('heading', { level: 1, name: '페이지를 찾을 수 없습니다' }).waitFor();
    await page.getByText('Page not found', { exact: true }).waitFor();
    assert.match(await page.title(), /^Page not found · /);
    assert.equal(await page.getByRole('link', { name: /홈으로/ }).getAttribute('href'), '/');
    await page.getByRole('button', { name: /뒤로 가기/ }).click();
    await page.waitForURL(`${site.origin}/auth`);
  });
});

it('§1-2 front page: links visitors to login and registration, and members back', async () => {
  const { page, context } = await openPage(browser);
  await page.goto(`${site.origin}/help`);
  await page.getByRole('link', { name: 'Get started' }).waitFor();
  assert.equal(await page.getByRole('link', { name: 'Back to your account' }).isVisible(), false);
  await signIn(context, site, site.member);
  await page.reload();
  assert.equal(await page.getByRole('link', { name: 'Get started' }).isVisible(), false);
  await page.getByRole('link', { name: '한국어' }).first().click();
  await page.getByRole('heading', { level: 1, name: '도움말' }).waitFor();
  await page.getByRole('link', { name: '내 계정으로' }).click();
  await page.getByRole('heading', { level: 1, name: /Jiwoo/ }).waitFor();
  await context.close();
});

it('changes a text page’s language by a link without a script, and opens its questions', async () => {
  const { page, context } = await openPage(browser, { javaScriptEnabled: false });
  await page.goto(`${site.origin}/faq`);
  await page.getByRole('link', { name: '한국어' }).first().click();
  await page.getByRole('heading', { level: 1, name: '자주 묻는 질문' }).waitFor();
  await page.getByText('포인트 하나는 얼마인가요?').click();
  await page.getByText('1,000포인트는 언제나 1달러입니다.').waitFor();
  await context.close();
});
