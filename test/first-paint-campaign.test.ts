import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { BrowserContextOptions, Locator, Page } from 'playwright-core';
import { openBrowser } from './browser.ts';
import { demoSite } from './running-site.ts';
import { signedInContext } from './sign-in.ts';

/**
 * The outlines of all screens in their documents' skeletons, in both languages and at three widths, and the ground
 * of a list that failed.
 */
const locales = ['en-US', 'ko-KR'];

const site = await demoSite({ after });
const browser = await openBrowser({ after });

type Box = { y: number; height: number };

const openContext = (options: BrowserContextOptions = {}, account = site.member) =>
  signedInContext(browser, site, account, options);

describe('the skeleton of a document', () => {
  for (const locale of locales)
    for (const width of [390, 1440])
      it(`has the balance card in the same place as the app (${locale}, ${width} px)`, async () => {
        const boxes = [];
        for (const javaScriptEnabled of [false, true]) {
          const context = await openContext({
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
  for (const locale of locales)
    it(`has the outline of screens in their skeletons (${locale})`, async () => {
      const context = await openContext({ locale });
      const [waiting, app] = [await context.newPage(), await context.newPage()];
      await waiting.route(/\/assets\/.*\.js$/, (route) => route.abort());
      for (const [path, { hasHeight }] of Object.entries(places)) {
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
      const context = await openContext({ viewport: { width, height: 900 } }, site.operator);
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
});

it('shows a failed list of the operators on the ground of its rows', async () => {
  const context = await openContext({ viewport: { width: 1440, height: 844 } }, site.operator);
  const page = await context.newPage();
  await page.route('**/api/admin/withdrawals-data*', (route) => route.abort());
  await page.goto(`${site.origin}/management-panel-x7k9w/withdrawals`);
  const retry = page.locator('#main').getByRole('button', { name: 'Try again' });
  await retry.waitFor();
  assert.equal(
    await retry.evaluate((button) => {
      let ground = button.parentElement;
      while (ground !== null && getComputedStyle(ground).backgroundColor === 'rgba(0, 0, 0, 0)')
        ground = ground.parentElement;
      const paper = getComputedStyle(document.body).backgroundColor;
      return ground !== null && getComputedStyle(ground).backgroundColor !== paper;
    }),
    true,
  );
  await context.close();
});
