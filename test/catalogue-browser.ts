import assert from 'node:assert/strict';
import type { CatalogueEntry } from '#contract/earning-catalogue-entries.ts';
import { violations, widerThanWindow } from './browser.ts';
import { ofTurn } from './combinations.ts';
import { eventually } from './earning-browser.ts';
import { operatorPage } from './operator-browser.ts';

const looks = [
  [390, 'light'],
  [1440, 'dark'],
  [390, 'dark'],
  [1440, 'light'],
] as const;

/** A picture of one pixel, in base64. */
export const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

/** A file of 600 entries to import. `changed` has other lines, by their number. */
export function importFile(changed: Record<number, string>): Buffer {
  const head = 'kind,category,provider,title,description,reward,minutes';
  const lineOf = (number: number) => `task,game,kiwiwall,Row ${number},Text,100,5`;
  const lines = Array.from({ length: 600 }, (_, index) => changed[index + 2] ?? lineOf(index + 1));
  return Buffer.from([head, ...lines].join('\n'));
}

type Lifetime = { after: (callback: () => Promise<void>) => void };

/** An operator’s page in English with the demo world, the screen of the catalogue, and what a member sees of it. */
export async function startCatalogue(lifetime: Lifetime) {
  const opened = await operatorPage(lifetime, { language: 'en' });
  const { site, panel, page, context, complaints, asMember, read: readAdmin } = opened;
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
  const shownTitles = () => rows().locator('td:nth-child(2) button').allInnerTexts();

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
  /**
   * Axe on the open sheet or dialog, and the width of the page: in `npm test` in one size and scheme, in turn, in the
   * campaign in all.
   */
  async function isSound(name: string): Promise<void> {
    const { SCREENSHOTS: folder } = process.env;
    for (const [width, colorScheme] of ofTurn(looks, turn)) {
      await page.setViewportSize({ width, height: 900 });
      await page.emulateMedia({ colorScheme });
      assert.deepEqual(await violations(page, { part: '[role=dialog], aside' }), []);
      assert.equal(await widerThanWindow(page), 0, `${name} on ${width} px`);
      if (folder) await page.screenshot({ path: `${folder}/${name}-${width}-${colorScheme}.png` });
    }
    await page.setViewportSize({ width: 1440, height: 900 });
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
    await page.keyboard.insertText(text);
  }

  /** Adds a step by its button, with its title, points and days. */
  async function addStep(number: number, [title, points, days]: readonly [string, string, string]) {
    await tabTo(dialog().getByRole('button', { name: 'Add a step' }));
    await page.keyboard.press('Enter');
    const step = dialog()
      .locator('fieldset li')
      .nth(number - 1);
    for (const [label, text] of [
      ['What is to be done', title],
      ['Points', points],
      ['Time limit', days],
    ] as const) {
      await step.getByLabel(label).focus();
      await page.keyboard.insertText(text);
    }
  }

  const saved = (method: string) =>
    page.waitForResponse(
      (answer) => answer.request().method() === method && answer.url().includes('/api/admin/catalogue'),
    );
  return {
    site,
    panel,
    page,
    context,
    complaints,
    catalogue,
    rows,
    sheet,
    dialog,
    read,
    readAdmin,
    seen,
    shownTitles,
    showsOrder,
    isSound,
    tabTo,
    typeIn,
    addStep,
    saved,
  };
}
