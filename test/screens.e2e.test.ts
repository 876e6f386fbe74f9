import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { openBrowser, openPage, violations, widerThanWindow } from './browser.ts';
import { isCampaign, ofTurn } from './combinations.ts';
import { type Account, demoSite } from './running-site.ts';
import { type ScreenVisitor, screenVisitor } from './screen-browser.ts';
import { signIn } from './sign-in.ts';
import { root } from './source-tree.ts';

/**
 * Every screen: no findings of axe, no errors in the console, nothing wider than the window, no layout shift while it
 * loads, and no jump from its document's skeleton to the app. `npm test` shows each screen in one combination of
 * language, colour scheme and device, in turn, and at three widths. `npm run campaign -- screens` shows each in all
 * combinations and at all widths.
 */
const rounds = Number(process.env.CAMPAIGN_RUNS ?? 1);
const site = await demoSite({ after });
const browser = await openBrowser({ after });

type Who = 'visitor' | 'member' | 'operator';
/** A screen with a document of its own is loaded, and so is the first of a page. The app goes to the others. */
type Screen = { path: string; who: Who; hasDocument?: true; isMissing?: true };

// Not a plain import, because this file is compiled without the web's settings.
type Paths = Record<string, { path: string }>;
const { memberScreens, operatorScreens, mailScreens } = (await import(join(root, 'web/screens.ts'))) as {
  memberScreens: Paths;
  operatorScreens: Paths;
  mailScreens: Paths;
};
const panel = operatorScreens.overview?.path ?? '';

type Cookies = Awaited<ReturnType<BrowserContext['cookies']>>;

/** Signs in once; each page gets the session's cookies. */
async function session(account: Account): Promise<{ cookies: Cookies; id: number }> {
  const context = await browser.newContext();
  await signIn(context, site, account);
  const cookies = await context.cookies();
  const { id } = (await (await context.request.get(`${site.origin}/api/user`)).json()) as { id: number };
  await context.close();
  return { cookies, id };
}
const member = await session(site.member);
const operator = await session(site.operator);
const cookies = { visitor: [], member: member.cookies, operator: operator.cookies };

/** What a screen's address names besides its path, so that it shows something. */
const searches: Record<string, string> = { [`${panel}/users/member`]: `?id=${member.id}` };
const shownTo = (who: Who, screens: Paths, more?: Partial<Screen>) =>
  Object.values(screens).map(({ path }): Screen => ({ path: path + (searches[path] ?? ''), who, ...more }));
const byMail = Object.values(mailScreens).map(({ path }) => `${path}?token=a-link-that-came-by-mail`);
const visitorPaths = [
  '/auth',
  '/auth?tab=register',
  '/auth?error=google-denied',
  '/auth?tab=forgot',
  ...byMail,
  '/kiwiwall-offers',
  '/coin-flip/verify',
];
const screens: Screen[] = [
  { path: '/', who: 'visitor', hasDocument: true },
  { path: '/nothing-here', who: 'visitor', hasDocument: true, isMissing: true },
  ...[...visitorPaths, '/admin-login', '/secret-admin', '/admin-key'].map(
    (path): Screen => ({ path, who: 'visitor' }),
  ),
  ...shownTo('member', memberScreens, { hasDocument: true }),
  { path: '/history?tab=withdrawals', who: 'member' },
  { path: panel, who: 'member' },
  ...shownTo('operator', operatorScreens),
];

const devices = {
  desktop: {},
  phone: { isMobile: true, hasTouch: true },
} satisfies Record<string, BrowserContextOptions>;
type Combination = { locale: 'en-US' | 'ko-KR'; colorScheme: 'dark' | 'light'; device: keyof typeof devices };

const opposite: Combination[] = [
  { locale: 'en-US', colorScheme: 'dark', device: 'desktop' },
  { locale: 'ko-KR', colorScheme: 'light', device: 'phone' },
  { locale: 'en-US', colorScheme: 'light', device: 'desktop' },
  { locale: 'ko-KR', colorScheme: 'dark', device: 'phone' },
];
/** `npm test` has both languages, schemes and devices, and English, whose words are longer, on the phone. */
const combinations: Combination[] = [
  { locale: 'en-US', colorScheme: 'dark', device: 'phone' },
  { locale: 'ko-KR', colorScheme: 'light', device: 'desktop' },
  { locale: 'en-US', colorScheme: 'light', device: 'phone' },
  { locale: 'ko-KR', colorScheme: 'dark', device: 'desktop' },
  ...(isCampaign ? opposite : []),
];
const [NARROWEST, WIDEST] = [360, 1440];
/** A screen is loaded at one end of them and shown at the others in turn, where the next one begins. */
const widths = isCampaign
  ? [NARROWEST, 414, 600, 768, 1024, 1199, 1280, 1920, WIDEST]
  : [NARROWEST, 768, WIDEST];

type Shown = { page: Page; visitor: ScreenVisitor; complaints: string[]; isLoaded: boolean };

/** A page for the screens of one kind of reader, language and device. */
async function openFor(who: Who, { locale, device }: Combination): Promise<Shown> {
  const { page, context, complaints } = await openPage(browser, {
    ...devices[device],
    viewport: { width: device === 'phone' ? NARROWEST : WIDEST, height: 900 },
    locale,
    reducedMotion: 'reduce',
  });
  await context.addCookies(cookies[who]);
  // The operators' language does not follow the browser's.
  await context.addInitScript(
    (language) => {
      if (window === window.top) localStorage.setItem('operatorLanguage', language);
    },
    locale.slice(0, 2),
  );
  return { page, visitor: await screenVisitor(page), complaints, isLoaded: false };
}

async function show(shown: Shown, { path, who, hasDocument, isMissing }: Screen): Promise<void> {
  if (shown.isLoaded && !hasDocument) return await shown.visitor.go(path);
  assert.equal(await shown.visitor.load(site.origin + path), isMissing ? 404 : 200);
  // The front page and the page of an unknown address are no documents of the app.
  shown.isLoaded = !hasDocument || who !== 'visitor';
}

/** Words of one language on a page of the other, recognised by their script. */
const hangul = (page: Page) => page.evaluate(() => (document.body.innerText.match(/[가-힣]/g) ?? []).length);

/** What the browser itself logs: the document's 404, and the live connection of a page that is left early. */
const isOfBrowser = (text: string, { isMissing }: Screen) =>
  text.includes('WebSocket is closed before the connection') || (isMissing === true && text.includes('404'));

async function judge(shown: Shown, screen: Screen, { locale, colorScheme }: Combination) {
  const { page, visitor, complaints } = shown;
  await page.emulateMedia({ colorScheme });
  await show(shown, screen);
  const { score, moved } = await visitor.shift();
  assert.ok(score <= 0.02, `layout shift ${score}: ${moved}`);
  if (screen.hasDocument && screen.who !== 'visitor') assert.deepEqual(await visitor.jumps(), []);
  assert.deepEqual(await violations(page), []);
  assert.ok((await page.title()).length > 3);
  if (locale === 'ko-KR' || screen.isMissing) assert.ok((await hangul(page)) > 10, 'not in Korean');
  const isNarrow = page.viewportSize()?.width === widths[0];
  for (const width of isNarrow ? widths : widths.toReversed()) {
    if (page.viewportSize()?.width !== width) await page.setViewportSize({ width, height: 900 });
    assert.equal(await widerThanWindow(page), 0, `wider than ${width} px`);
  }
  const found = complaints.splice(0).filter((text) => !isOfBrowser(text, screen));
  assert.deepEqual(found, []);
}

/** The screens of one page, one after the other. */
const visits = Map.groupBy(
  Array.from({ length: rounds }, () => [...screens.entries()])
    .flat()
    .flatMap(([turn, screen]) => ofTurn(combinations, turn).map((combination) => ({ screen, combination }))),
  ({ screen, combination }) => `a ${screen.who}, ${combination.locale}, ${combination.device}`,
);

/** A page uses one core about half of the time, so two pages are tested at once. */
describe('a screen is shown without findings', { concurrency: 2 }, () => {
  for (const [reader, shownInTurn] of visits)
    describe(`to ${reader}`, { concurrency: 1 }, () => {
      let shown: Shown | undefined;
      after(async () => await shown?.page.context().close());
      for (const { screen, combination } of shownInTurn)
        it(`§1-2 every screen: ${screen.path}, ${combination.colorScheme}`, async () => {
          shown ??= await openFor(screen.who, combination);
          await judge(shown, screen, combination);
        });
    });
});
