import assert from 'node:assert/strict';
import type { CatalogueEntry } from '#contract/earning-catalogue-entries.ts';
import { violations, widerThanWindow } from './browser.ts';
import { ofTurn } from './combinations.ts';
import { operatorPage } from './operator-browser.ts';

const looks = [
  [390, 'light'],
  [1440, 'dark'],
  [390, 'dark'],
  [1440, 'light'],
] as const;

type Lifetime = { after: (callback: () => Promise<void>) => void };

/** The operators' screen of the catalogue in a browser, with the demo world, and what a member sees of it. */
export async function startCatalogue(lifetime: Lifetime) {
  const { site, panel, page, context, complaints, asMember } = await operatorPage(lifetime);
  const member = await asMember();

  const catalogue = `${panel}/catalogue`;
  const rows = () => page.locator('tbody').getByRole('row');
  const sheet = () => page.getByRole('complementary');
  const dialog = () => page.getByRole('dialog');
  const read = async (search = ''): Promise<CatalogueEntry[]> =>
    (await context.request.get(`${site.origin}/api/admin/catalogue?limit=100&${search}`)).json();
  const titlesOf = (entries: { title: string }[]) => entries.map(({ title }) => title);
  /** What a member sees, in this order. */
  const seen = async (path = 'tasks?lang=en'): Promise<string[]> =>
    titlesOf(await (await member.get(`${site.origin}/api/${path}`)).json());
  const speak = (language: string) =>
    page.evaluate((chosen) => localStorage.setItem('operatorLanguage', chosen), language);
  const shownTitles = () => rows().locator('td:nth-child(2) button').allInnerTexts();

  async function eventually(what: string, isSo: () => Promise<boolean>): Promise<void> {
    for (let tries = 0; tries < 100; tries += 1) {
      if (await isSo()) return;
      await new Promise((done) => setTimeout(done, 50));
    }
    assert.fail(what);
  }

  /** The list shows the members' order. */
  const showsOrder = async () => {
    const wanted = await seen();
    await eventually('the list has another order', async () => {
      const shown = await shownTitles();
      return `${shown}` === `${wanted.slice(0, shown.length)}`;
    });
    return wanted;
  };

  let turn = 0;
  /** Axe and the width of the page: in `npm test` in one size and scheme, in turn, in the campaign in all. */
  async function isSound(name: string): Promise<void> {
    const { SCREENSHOTS: folder } = process.env;
    for (const [width, colorScheme] of ofTurn(looks, turn)) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      assert.deepEqual(await violations(page), []);
      assert.equal(await widerThanWindow(page), 0, `${name} on ${width} px`);
      if (folder) await page.screenshot({ path: `${folder}/${name}-${width}-${colorScheme}.png` });
    }
    for (const width of [360, ...ofTurn([600, 768, 1024, 1280, 1920], turn), 1440]) {
      await page.setViewportSize({ width, height: 900 });
      assert.equal(await widerThanWindow(page), 0, `${name} on ${width} px`);
    }
    turn += 1;
  }

  /** Presses Tab until this is focused. */
  async function tabTo(target: ReturnType<typeof page.getByRole>): Promise<void> {
    await target.and(page.locator(':enabled')).waitFor();
    for (let presses = 0; presses < 80; presses += 1) {
      if (await target.evaluate((element) => element === document.activeElement)) return;
      await page.keyboard.press('Tab');
    }
    assert.fail('The keyboard did not reach it');
  }

  async function typeIn(label: string, text: string): Promise<void> {
    await tabTo(dialog().getByLabel(label, { exact: false }).first());
    await page.keyboard.type(text);
  }

  const saved = (method: string) =>
    page.waitForResponse(
      (answer) => answer.request().method() === method && answer.url().includes('/api/admin/catalogue'),
    );
  return {
    site,
    page,
    context,
    complaints,
    catalogue,
    rows,
    sheet,
    dialog,
    read,
    seen,
    speak,
    shownTitles,
    eventually,
    showsOrder,
    isSound,
    tabTo,
    typeIn,
    saved,
  };
}
