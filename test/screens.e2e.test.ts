import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { openBrowser, openPage, violations, widerThanWindow } from './browser.ts';
import { ofTurn } from './combinations.ts';
import { type Account, demoSite } from './running-site.ts';
import { signIn } from './sign-in.ts';

/**
 * Every screen: no findings of axe, no errors in the console, nothing wider than the window from 360 to 1920 px, and no
 * layout shift while it loads. `npm test` shows each screen in one combination of language, colour scheme and device,
 * in turn, and at two widths. `npm run campaign -- screens` shows each in all combinations and at all widths.
 */
const rounds = Number(process.env.CAMPAIGN_RUNS ?? 1);
const site = await demoSite({ after });
const browser = await openBrowser({ after });

type Screen = { path: string; who: 'visitor' | 'member' | 'operator'; isMissing?: true };
const screens: Screen[] = [
  { path: '/', who: 'visitor' },
  { path: '/auth', who: 'visitor' },
  { path: '/auth?error=google-denied', who: 'visitor' },
  { path: '/reset-password?token=a-link-that-came-by-mail', who: 'visitor' },
  { path: '/verify-email?token=a-link-that-came-by-mail', who: 'visitor' },
  { path: '/not-me?token=a-link-that-came-by-mail', who: 'visitor' },
  { path: '/admin-login', who: 'visitor' },
  { path: '/secret-admin', who: 'visitor' },
  { path: '/admin-key', who: 'visitor' },
  { path: '/nothing-here', who: 'visitor', isMissing: true },
  { path: '/', who: 'member' },
  { path: '/earn', who: 'member' },
  { path: '/tasks', who: 'member' },
  { path: '/surveys', who: 'member' },
  { path: '/cpx-surveys', who: 'member' },
  { path: '/kiwiwall-offers', who: 'visitor' },
  { path: '/kiwiwall-offers', who: 'member' },
  { path: '/history', who: 'member' },
  { path: '/history?tab=withdrawals', who: 'member' },
  { path: '/chargeback-history', who: 'member' },
  { path: '/withdrawal', who: 'member' },
  { path: '/coin-flip/verify', who: 'visitor' },
  { path: '/coin-flip/verify', who: 'member' },
  { path: '/notices', who: 'member' },
  { path: '/referrals', who: 'member' },
  { path: '/profile', who: 'member' },
  { path: '/settings', who: 'member' },
  { path: '/wallet-settings', who: 'member' },
  { path: '/management-panel-x7k9w', who: 'member' },
  { path: '/management-panel-x7k9w', who: 'operator' },
  { path: '/management-panel-x7k9w/withdrawals', who: 'operator' },
  { path: '/management-panel-x7k9w/support', who: 'operator' },
  { path: '/management-panel-x7k9w/approvals', who: 'operator' },
  { path: '/management-panel-x7k9w/registrations', who: 'operator' },
  { path: '/management-panel-x7k9w/manual-rewards', who: 'operator' },
  { path: '/management-panel-x7k9w/payouts', who: 'operator' },
  { path: '/management-panel-x7k9w/books', who: 'operator' },
  { path: '/management-panel-x7k9w/catalogue', who: 'operator' },
  { path: '/management-panel-x7k9w/audit', who: 'operator' },
  { path: '/management-panel-x7k9w/users', who: 'operator' },
  { path: '/management-panel-x7k9w/users/member', who: 'operator' },
];

type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>;

/** Signs in once; each page gets the session's cookies. */
async function cookiesOf(account: Account): Promise<Cookies> {
  const context = await browser.newContext();
  await signIn(context, site, account);
  const cookies = await context.cookies();
  await context.close();
  return cookies;
}
const cookies = {
  visitor: [],
  member: await cookiesOf(site.member),
  operator: await cookiesOf(site.operator),
};

/** A page uses one core about half of the time, so two pages are tested at once. */
const beside = { concurrency: 2 };

const devices = {
  desktop: { viewport: { width: 1440, height: 900 } },
  phone: { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true },
} satisfies Record<string, BrowserContextOptions>;
type Combination = { locale: 'en-US' | 'ko-KR'; colorScheme: 'dark' | 'light'; device: keyof typeof devices };

/** Each differs from the next in its language, so that screens of one kind, which follow each other, have both. */
const combinations: Combination[] = [
  { locale: 'en-US', colorScheme: 'dark', device: 'desktop' },
  { locale: 'ko-KR', colorScheme: 'light', device: 'phone' },
  { locale: 'en-US', colorScheme: 'light', device: 'desktop' },
  { locale: 'ko-KR', colorScheme: 'dark', device: 'phone' },
  { locale: 'en-US', colorScheme: 'dark', device: 'phone' },
  { locale: 'ko-KR', colorScheme: 'light', device: 'desktop' },
  { locale: 'en-US', colorScheme: 'light', device: 'phone' },
  { locale: 'ko-KR', colorScheme: 'dark', device: 'desktop' },
];

/** Most that is too wide is so at the narrowest width, so each screen has it. */
const NARROWEST = 360;
const widths = [414, 600, 768, 1024, 1199, 1280, 1920];

/** The browser's layout shift score while the screen loaded. */
type Shifting = { shifts: number[] };
const watchShifts = (page: Page) =>
  page.addInitScript(() => {
    const shifts: number[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) shifts.push((entry as unknown as { value: number }).value);
    }).observe({ type: 'layout-shift', buffered: true });
  });
const shiftOf = (page: Page) =>
  page.evaluate(() => (window as unknown as Shifting).shifts.reduce((sum, value) => sum + value, 0));

/**
 * Waits until the screen's requests have finished. On a busy machine the network may be quiet before the screen is
 * complete.
 */
async function settle(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor({ state: 'attached' });
  await page.waitForLoadState('networkidle');
  await page.waitForFunction(() => document.querySelector('.mantine-Skeleton-root') === null);
  await page.evaluate(() => document.fonts.ready);
}

/** Words of one language on a page of the other, recognised by their script. */
const hangul = (page: Page) => page.evaluate(() => (document.body.innerText.match(/[가-힣]/g) ?? []).length);

async function judge(page: Page, { path, isMissing }: Screen, { locale }: Combination, turn: number) {
  const answer = await page.goto(site.origin + path);
  assert.equal(answer?.status(), isMissing ? 404 : 200);
  await settle(page);
  const shift = await shiftOf(page);
  assert.ok(shift < 0.02, `layout shift ${shift}`);
  assert.equal(await widerThanWindow(page), 0, 'wider than the window');
  assert.deepEqual(await violations(page), []);
  assert.ok((await page.title()).length > 3);
  const isKorean = locale === 'ko-KR' || path.startsWith('/management') || isMissing;
  if (isKorean) assert.ok((await hangul(page)) > 10, 'not in Korean');
  for (const width of [NARROWEST, ...ofTurn(widths, turn)]) {
    await page.setViewportSize({ width, height: 900 });
    assert.equal(await widerThanWindow(page), 0, `${width} px`);
  }
}

describe('a screen', beside, () => {
  const shown = Array.from({ length: rounds }, () => [...screens.entries()]).flat();
  for (const [turn, screen] of shown)
    for (const combination of ofTurn(combinations, turn)) {
      const { locale, colorScheme, device } = combination;
      const { path, who, isMissing } = screen;
      it(`§1-2 every screen: is sound: ${path} of a ${who}, ${locale}, ${colorScheme}, ${device}`, async () => {
        const { page, context, complaints } = await openPage(browser, {
          ...devices[device],
          locale,
          colorScheme,
          reducedMotion: 'reduce',
        });
        await context.addCookies(cookies[who]);
        await watchShifts(page);
        await judge(page, screen, combination, turn);
        // The browser itself logs the document's 404.
        assert.deepEqual(
          complaints.filter((text) => !(isMissing && text.includes('404'))),
          [],
        );
        await context.close();
      });
    }
});
