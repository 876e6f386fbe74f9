import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { openBrowser, openPage, violations } from './browser.ts';
import { demoSite } from './running-site.ts';
import { signIn } from './sign-in.ts';

/** The operators' books, with the movements of the demo world. */
const site = await demoSite({ after });
const browser = await openBrowser({ after });
const { page, context, complaints } = await openPage(browser, { viewport: { width: 1440, height: 900 } });
after(() => context.close());

await signIn(context, site, site.operator);

describe('the books', () => {
  it('show the trial balance, and the result of an audit that the operator asks for', async () => {
    await page.goto(`${site.origin}/management-panel-x7k9w/books`);
    await page.getByRole('heading', { level: 1, name: '장부' }).waitFor();
    await page.getByRole('button', { name: 'English' }).click();
    await page.getByRole('heading', { level: 1, name: 'Books' }).waitFor();
    await page.getByRole('row', { name: /^members/ }).waitFor();
    await page.getByRole('row', { name: /^provider:cpx −[\d,]+$/ }).waitFor();
    await page.getByText('Balances', { exact: true }).waitFor();
    // The audit of the start runs first. It gives way to other work, so it takes long on a busy machine.
    await page.getByRole('button', { name: 'Audit now' }).click({ timeout: 60_000 });
    await page.getByRole('button', { name: 'Audit under way' }).waitFor();
    await page.getByText('Asked for by an operator').waitFor({ timeout: 60_000 });
    await page.getByText('No difference').waitFor();
    await page.getByRole('button', { name: 'Audit now' }).waitFor();
  });

  it('have no violation of accessibility, also on a phone and in the dark', async () => {
    const { SCREENSHOTS: folder } = process.env;
    for (const [width, colorScheme] of [
      [1440, 'light'],
      [1440, 'dark'],
      [390, 'light'],
    ] as const) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      assert.deepEqual(await violations(page), []);
      const scrollWidth = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(scrollWidth <= width, `${scrollWidth} px wide on ${width}`);
      if (folder) await page.screenshot({ path: `${folder}/books-${width}-${colorScheme}.png` });
    }
    assert.deepEqual(complaints, []);
  });
});
