import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { openBrowser } from './browser.ts';
import { isCampaign, ofTurn } from './combinations.ts';
import { visit } from './page-visit.ts';
import { demoSite } from './running-site.ts';
import { signIn } from './sign-in.ts';

/**
 * The first paint of a member's Home. These counts don't depend on the machine's speed; figure B19 of `npm run bench`
 * measures the times.
 */
const REQUESTS_MAX = 20;
const BYTES_MAX = 280_000;

/** `npm test` shows each screen in one of them, in turn, and the campaign in both. */
const locales = ['en-US', 'ko-KR'];

const site = await demoSite({ after });
const browser = await openBrowser({ after });

type ContextOptions = {
  javaScriptEnabled?: boolean;
  locale?: string;
  viewport?: { width: number; height: number };
};

type Box = { y: number; height: number };

async function signedInContext(options: ContextOptions = {}, account = site.member) {
  const context = await browser.newContext({
    viewport: { width: 390, height: 844 },
    locale: 'en-US',
    serviceWorkers: 'block',
    ...options,
  });
  await signIn(context, site, account);
  return context;
}

describe('the first paint of a member’s screen', () => {
  it('needs few requests and bytes, and fetches nothing twice', async () => {
    // A busy machine paints later, so later requests come before its paint. The visit with the fewest counts.
    const visits = [];
    for (let round = 0; round < 3; round += 1) {
      const context = await signedInContext();
      visits.push(await visit(context, site.origin));
      await context.close();
    }
    const { requests, bytes, log } = visits.reduce((one, other) =>
      other.requests < one.requests ? other : one,
    );
    assert.ok(requests <= REQUESTS_MAX, `${requests} requests`);
    assert.ok(bytes <= BYTES_MAX, `${bytes} bytes`);
    const first = log.slice(0, requests).map(({ path }) => path);
    assert.deepEqual(first, [...new Set(first)]);
    for (const address of ['/api/user', '/api/config', '/api/user/settings', '/api/user/stats'])
      assert.ok(first.includes(address), address);
  });
  it('has a skeleton without words in the document of every member’s screen', async () => {
    const context = await signedInContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    for (const path of ['/', '/earn', '/history', '/withdrawal', '/settings']) {
      await page.goto(site.origin + path);
      const frame = page.locator('#root [data-waiting]');
      assert.ok(await frame.locator('header').isVisible(), path);
      assert.equal((await frame.innerText()).trim(), '');
      assert.equal(await frame.locator('[data-art]').count(), path === '/' || path === '/withdrawal' ? 1 : 0);
    }
    await context.close();
  });
  it('declares every token that the skeleton uses in the document’s own styles', async () => {
    const context = await signedInContext();
    for (const path of ['/', '/earn', '/history', '/withdrawal', '/settings']) {
      const html = await (await context.request.get(site.origin + path)).text();
      const used = new Set([...html.matchAll(/var\((--e-[a-z0-9-]+)/g)].map(([, name]) => name));
      assert.ok(used.has('--e-coin'), path);
      assert.deepEqual(
        [...used].filter((name) => !html.includes(`${name}:`)),
        [],
        path,
      );
    }
    await context.close();
  });
  it('shows the balance in the site’s font before a style sheet or script of the app is loaded', async () => {
    const context = await signedInContext();
    const page = await context.newPage();
    await page.route(/\.(js|css)$/, (route) => route.abort());
    await page.goto(site.origin, { waitUntil: 'commit' });
    await page.locator('#root [data-waiting] [data-points]').first().waitFor();
    await page.waitForFunction(() =>
      [...document.fonts].some(
        ({ family, status }) => family.includes('Pretendard Variable') && status === 'loaded',
      ),
    );
    assert.equal(
      await page.evaluate(() => document.fonts.check('660 52px "Pretendard Variable"', '0')),
      true,
    );
    await context.close();
  });
  it('shows the same balance in the skeleton as in the app, before a file of the app is loaded', async () => {
    const context = await signedInContext();
    const page = await context.newPage();
    const { promise: isSeen, resolve: markSeen } = Promise.withResolvers<void>();
    await page.route('**/*.js', async (route) => {
      await isSeen;
      await route.continue();
    });
    await page.goto(site.origin, { waitUntil: 'commit' });
    const figures = page.locator('#root [data-waiting] [data-points]');
    await figures.first().waitFor();
    assert.equal(await figures.count(), 2);
    const balance = await figures.first().innerText();
    assert.match(balance, /^[1-9][\d,]*$/);
    markSeen();
    await page.locator('[data-waiting]').waitFor({ state: 'detached' });
    assert.ok((await page.locator('[aria-labelledby="balance"]').innerText()).includes(`${balance}\u00a0P`));
    await context.close();
  });
  for (const [turn, locale] of locales.entries())
    for (const width of ofTurn([390, 1440], turn))
      it(`has the balance card in the same place as the app (${locale}, ${width} px)`, async () => {
        const boxes = [];
        for (const javaScriptEnabled of [false, true]) {
          const context = await signedInContext({
            javaScriptEnabled,
            locale,
            viewport: { width, height: 900 },
          });
          const page = await context.newPage();
          await page.goto(site.origin);
          const card = page.locator(
            javaScriptEnabled ? '[aria-labelledby="balance"]' : 'section:has([data-art])',
          );
          boxes.push(await card.boundingBox());
          await context.close();
        }
        const [frame, app] = boxes;
        assert.ok(frame && app);
        for (const side of ['x', 'y', 'width', 'height'] as const)
          assert.ok(
            Math.abs(frame[side] - app[side]) <= 4,
            `${side}: ${frame[side]} in the frame, ${app[side]}`,
          );
      });
  /**
   * An element of each screen in the skeleton and in the app: the last one whose place does not depend on data. Its top
   * depends on all heights above it.
   */
  const places: Record<string, { skeleton: string; app: string; index: number; hasHeight?: true }> = {
    '/': { skeleton: 'main .card', app: '#main [aria-labelledby="recent"]', index: 0 },
    '/earn': { skeleton: 'main .card', app: '#main article', index: 0 },
    '/tasks': { skeleton: 'main .card', app: '#main section.card', index: -1 },
    '/surveys': { skeleton: 'main .card', app: '#main section.card', index: -1 },
    '/cpx-surveys': { skeleton: 'main .card', app: '#main .card', index: -1, hasHeight: true },
    '/kiwiwall-offers': { skeleton: 'main .card', app: '#main .card', index: -1, hasHeight: true },
    '/coin-flip/verify': { skeleton: 'main .card', app: '#main .card', index: -1, hasHeight: true },
    '/history': { skeleton: 'main .card', app: '#main section.card', index: 0 },
    '/chargeback-history': { skeleton: 'main .card', app: '#main section.card', index: -1 },
    '/withdrawal': { skeleton: 'main .card', app: '#main section.card', index: -1 },
    '/referrals': { skeleton: 'main .card', app: '#main section.card', index: -1 },
    '/profile': { skeleton: 'main .card', app: '#main .card', index: -1, hasHeight: true },
    '/settings': { skeleton: 'main .card', app: '#main .card', index: 1 },
  };
  /** Opens a screen, as its skeleton or as the app, and returns its element. */
  async function openPart(page: Page, path: string, part: 'skeleton' | 'app'): Promise<Locator> {
    await page.goto(site.origin + path, { waitUntil: 'commit' });
    const element = page.locator(places[path]?.[part] ?? '').nth(places[path]?.index ?? 0);
    await element.waitFor();
    await page.evaluate(() => document.fonts.ready);
    return element;
  }
  const boxOf = async (element: Locator): Promise<Box> => {
    const box = await element.boundingBox();
    assert.ok(box, String(element));
    return box;
  };
  /** The app may take another layout a moment after its window was resized, so a wrong place is read again. */
  async function assertPlace(
    element: Locator,
    expected: Box,
    sides: readonly ('y' | 'height')[],
    of: string,
  ) {
    const wrong = (box: Box) => sides.filter((side) => Math.abs(box[side] - expected[side]) > 8);
    let box = await boxOf(element);
    for (let tries = 0; tries < 40 && wrong(box).length > 0; tries += 1) {
      await element.page().waitForTimeout(50);
      box = await boxOf(element);
    }
    for (const side of wrong(box))
      assert.fail(`${of} ${side}: ${expected[side]} px in the skeleton, ${box[side]} px`);
  }
  for (const [turn, locale] of locales.entries())
    it(`has the outline of screens in their skeletons (${locale})`, async () => {
      const context = await signedInContext({ locale });
      const [waiting, app] = [await context.newPage(), await context.newPage()];
      await waiting.route(/\/assets\/.*\.js$/, (route) => route.abort());
      const shown = Object.entries(places).filter((_, index) => isCampaign || index % 2 === turn);
      for (const [path, { hasHeight }] of shown) {
        const skeleton = await openPart(waiting, path, 'skeleton');
        const content = await openPart(app, path, 'app');
        // A change of the width is faster than a load.
        for (const width of [390, 768, 1440]) {
          for (const page of [waiting, app]) await page.setViewportSize({ width, height: 900 });
          const sides = hasHeight ? (['y', 'height'] as const) : (['y'] as const);
          await assertPlace(content, await boxOf(skeleton), sides, `${path} at ${width} px`);
        }
      }
      await context.close();
    });
  for (const width of [390, 900, 1440])
    it(`has the frame and outline of the operators’ lists in their documents (${width} px)`, async () => {
      const context = await signedInContext({ viewport: { width, height: 900 } }, site.operator);
      for (const path of ['/management-panel-x7k9w/withdrawals', '/management-panel-x7k9w/support']) {
        const page = await context.newPage();
        const app = await context.newPage();
        await page.route(/\/assets\/.*\.js$/, (route) => route.abort());
        await page.goto(site.origin + path, { waitUntil: 'commit' });
        const skeleton = page.locator('#root [data-waiting] main > :nth-child(2)');
        await skeleton.waitFor();
        assert.equal((await page.locator('#root').innerText()).trim(), '');
        await app.goto(site.origin + path, { waitUntil: 'commit' });
        const filters = app.locator('main search');
        await filters.waitFor();
        const search = skeleton.locator(':scope > :last-child');
        for (const [inSkeleton, inApp, sides] of [
          [skeleton, filters, ['x', 'y', 'width', 'height']],
          // Its width depends on the words of the chips.
          [search, filters.getByRole('textbox'), ['y', 'height']],
        ] as const) {
          const [before, after] = [await inSkeleton.boundingBox(), await inApp.boundingBox()];
          assert.ok(before && after);
          for (const side of sides)
            assert.ok(
              Math.abs(before[side] - after[side]) <= 8,
              `${path} ${side}: ${before[side]} px in the skeleton, ${after[side]} px`,
            );
        }
      }
      await context.close();
    });
  it('has the same document for a member as for an operator at the operators’ address', async () => {
    const documents = [];
    for (const account of [site.member, site.operator]) {
      const context = await signedInContext({}, account);
      const answer = await context.request.get(`${site.origin}/management-panel-x7k9w`);
      documents.push((await answer.text()).replaceAll(/nonce="[^"]*"/g, ''));
      await context.close();
    }
    assert.match(documents[0] ?? '', /data-waiting/);
    assert.equal(documents[0], documents[1]);
  });
  it('fetches again after signing in what an ended session was refused', async () => {
    const context = await signedInContext();
    const cookies = await context.cookies();
    await context.addCookies(
      cookies.filter(({ httpOnly }) => httpOnly).map((cookie) => ({ ...cookie, value: 'x'.repeat(43) })),
    );
    const page = await context.newPage();
    await page.goto(`${site.origin}/settings`);
    await page.getByLabel('E-mail', { exact: true }).fill(site.member.email);
    await page.getByLabel('Password', { exact: true }).fill(site.member.password);
    const settings = page.waitForResponse((answer) => answer.url().endsWith('/api/user/settings'));
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    assert.equal((await settings).status(), 200);
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await context.close();
  });
  it('runs the app although the call for the balance fails', async () => {
    const context = await signedInContext();
    const page = await context.newPage();
    await page.route('**/api/user/stats', (route) => route.abort());
    await page.goto(site.origin);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await context.close();
  });
  it('has no skeleton for a visitor', async () => {
    const answer = await fetch(`${site.origin}/earn`);
    assert.ok(!(await answer.text()).includes('data-waiting'));
  });
});
