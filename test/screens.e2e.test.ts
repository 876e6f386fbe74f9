import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { staticPages } from '#contract/screens.ts';
import { openBrowser, openPage, violations, widerThanWindow } from './browser.ts';
import { isCampaign, ofTurn } from './combinations.ts';
import { type Account, demoSite } from './running-site.ts';
import { type ScreenVisitor, screenVisitor } from './screen-browser.ts';
import { signIn } from './sign-in.ts';
import { root } from './source-tree.ts';

/**
 * Every screen and page of text: no findings of axe, no errors in the console, nothing wider than the window, no layout
 * shift while it loads, and no jump from its document's skeleton to the app. `npm test` goes to each screen within the
 * app, in one combination of language, colour scheme and device, in turn, and at three widths; it loads the first of
 * each reader. `npm run campaign -- screens` loads each, in all combinations and at all widths.
 */
const rounds = Number(process.env.CAMPAIGN_RUNS ?? 1);
const site = await demoSite({ after });
const browser = await openBrowser({ after });

const readers = ['visitor', 'member', 'operator'] as const;
type Who = (typeof readers)[number];
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
  '/admin-login',
  // On a site without a gate they show the same.
  ...(isCampaign ? ['/secret-admin', '/admin-key'] : []),
];
const screens: Screen[] = [
  { path: '/', who: 'visitor', hasDocument: true },
  { path: '/nothing-here', who: 'visitor', hasDocument: true, isMissing: true },
  ...[...staticPages, '/offline'].map((path): Screen => ({ path, who: 'visitor', hasDocument: true })),
  ...visitorPaths.map((path): Screen => ({ path, who: 'visitor' })),
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

type Visit = { screen: Screen; combination: Combination };

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

type Shown = { page: Page; visitor: ScreenVisitor; complaints: string[]; reader?: Who; isLoaded: boolean };

/** What surrounds the screens of members, and those of operators. It is judged with the first of them only. */
const frame = ['header', 'nav', 'footer'].map((part) => `${part}:not(main *)`);

/** A page for the screens of one language and device. All kinds of readers use it, one after the other. */
async function openFor({ locale, device }: Combination): Promise<Shown> {
  const { page, context, complaints } = await openPage(browser, {
    ...devices[device],
    viewport: { width: device === 'phone' ? NARROWEST : WIDEST, height: 900 },
    locale,
    reducedMotion: 'reduce',
  });
  // The operators' language does not follow the browser's.
  await context.addInitScript(
    (language) => {
      if (window === window.top) localStorage.setItem('operatorLanguage', language);
    },
    locale.slice(0, 2),
  );
  return { page, visitor: await screenVisitor(page), complaints, isLoaded: false };
}

/** Shows a screen, and returns whether its document was loaded. */
async function show(shown: Shown, { path, who, hasDocument, isMissing }: Screen): Promise<boolean> {
  if (shown.reader !== who) {
    const context = shown.page.context();
    await context.clearCookies();
    await context.addCookies(cookies[who]);
    Object.assign(shown, { reader: who, isLoaded: false });
  }
  const isAlone = hasDocument === true && who === 'visitor';
  // Home's skeleton has the places of its cards, so it is looked at in every run.
  const isCompared = hasDocument && (isCampaign || path === '/');
  if (shown.isLoaded && !isAlone && !isCompared) {
    await shown.visitor.go(path);
    return false;
  }
  assert.equal(await shown.visitor.load(site.origin + path), isMissing ? 404 : 200);
  // The front page, the pages of text and that of an unknown address are no documents of the app.
  shown.isLoaded = !isAlone;
  return true;
}

/** Words of one language on a page of the other, recognised by their script. */
const hangul = (page: Page) => page.evaluate(() => (document.body.innerText.match(/[가-힣]/g) ?? []).length);

const schemeOf = (page: Page) => page.evaluate(() => document.documentElement.dataset.mantineColorScheme);

/** Runs in the page. */
function unfold(): void {
  for (const question of document.querySelectorAll('details')) question.open = true;
}

/** What the browser itself logs: the document's 404, and the live connection of a page that is left early. */
const isOfBrowser = (text: string, { isMissing }: Screen) =>
  text.includes('WebSocket is closed before the connection') || (isMissing === true && text.includes('404'));

async function judge(shown: Shown, screen: Screen, { locale, colorScheme }: Combination) {
  const { page, visitor, complaints } = shown;
  await page.emulateMedia({ colorScheme });
  const isLoaded = await show(shown, screen);
  if (isLoaded) assert.equal(await schemeOf(page), colorScheme);
  const { score, moved } = await visitor.shift();
  assert.ok(score <= 0.02, `layout shift ${score}: ${moved}`);
  if (screen.path === '/faq') await page.evaluate(unfold);
  if (isLoaded && screen.who !== 'visitor') assert.deepEqual(await visitor.jumps(), []);
  const isFrameJudged = !isLoaded && screen.who !== 'visitor' && !isCampaign;
  assert.deepEqual(await violations(page, { leftOut: isFrameJudged ? frame : [] }), []);
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

/** The screens of one page, one after the other. A change of the reader costs a load, one of the scheme a new style. */
const orderOf = ({ screen, combination }: Visit) =>
  2 * readers.indexOf(screen.who) + Number(combination.colorScheme === 'light');
const visits = Map.groupBy(
  Array.from({ length: rounds }, () => [...screens.entries()])
    .flat()
    .flatMap(([turn, screen]) =>
      ofTurn(combinations, turn).map((combination): Visit => ({ screen, combination })),
    )
    .sort((one, other) => orderOf(one) - orderOf(other)),
  ({ combination }) => `${combination.locale}, ${combination.device}`,
);

/** A page uses one core about half of the time, so two pages are tested at once. */
describe('a screen is shown without findings', { concurrency: 2 }, () => {
  for (const [where, shownInTurn] of visits)
    describe(where, { concurrency: 1 }, () => {
      let shown: Shown | undefined;
      after(async () => await shown?.page.context().close());
      for (const { screen, combination } of shownInTurn)
        it(`§1-2 every screen: ${screen.path}, ${combination.colorScheme}, to a ${screen.who}`, async () => {
          shown ??= await openFor(combination);
          await judge(shown, screen, combination);
        });
    });
});

it('fits a large sum of waiting requests on a phone of 360 px, and the button that approves it', async () => {
  const { page } = await openFor({ locale: 'en-US', colorScheme: 'light', device: 'phone' });
  await page.context().addCookies(cookies.operator);
  await page.route('**/api/admin/stats', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({
      response: answer,
      json: { ...(await answer.json()), pendingAmount: '1234567890' },
    });
  });
  await page.route('**/api/admin/withdrawals/planned', async (route) => {
    const answer = await route.fetch();
    const { rejection, approval } = (await answer.json()) as { rejection: object; approval: object };
    const json = { rejection, approval: { ...approval, points: '1234567890' } };
    await route.fulfill({ response: answer, json });
  });
  await page.goto(`${site.origin}${panel}/withdrawals`);
  await page.locator('dl').getByText('1,234,567,890').waitFor();
  assert.equal(await widerThanWindow(page), 0);
  await page.getByRole('button', { name: 'More actions' }).click();
  await page.getByRole('menuitem', { name: 'Approve all…' }).click();
  const buttons = page.getByRole('dialog').getByRole('button');
  await buttons.last().waitFor();
  for (const button of await buttons.all()) {
    const box = await button.boundingBox();
    assert.ok(box !== null && box.x >= 0 && box.x + box.width <= 360, await button.innerText());
  }
  assert.equal(await widerThanWindow(page), 0);
  await page.unrouteAll({ behavior: 'wait' });
  await page.context().close();
});
