import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { BrowserContextOptions } from 'playwright-core';
import { openBrowser } from './browser.ts';
import { demoSite } from './running-site.ts';
import { signedInContext } from './sign-in.ts';

/** The outlines of Home and of the operators' queue in their skeletons, and the ground of a list that failed. */
const locales = ['en-US', 'ko-KR'];

const site = await demoSite({ after });
const browser = await openBrowser({ after });

const newest = await (await fetch(`${site.origin}/api/announcements/latest`)).json();

/** A context that has seen the newest announcement, whose banner the document's skeleton does not have. */
async function openContext(options: BrowserContextOptions = {}, account = site.member) {
  const context = await signedInContext(browser, site, account, options);
  await context.addInitScript(`
    localStorage.setItem('lastSeenAnnouncementId', '${newest.id}');
    localStorage.setItem('operatorLanguage', 'en');
  `);
  return context;
}

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
  for (const width of [390, 900, 1440])
    it(`has the frame and outline of the operators’ lists in their documents (${width} px)`, async () => {
      const context = await openContext({ viewport: { width, height: 900 } }, site.operator);
      const path = '/management-panel-x7k9w/withdrawals';
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
