import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, describe, it } from 'node:test';
import type { CatalogueEntry } from '#contract/earning-catalogue-entries.ts';
import { startCatalogue } from './catalogue-browser.ts';

/** Operators import and export the catalogue, with the demo world. */
const {
  site,
  page,
  context,
  complaints,
  catalogue,
  rows,
  dialog,
  read,
  seen,
  speak,
  showsOrder,
  isSound,
  tabTo,
  saved,
} = await startCatalogue({ after });

describe('an import of the catalogue in the browser', () => {
  it('imports a file only when each of its lines fits, and names the others by their line', async () => {
    const lines = Array.from(
      { length: 1_000 },
      (_, index) => `task,game,kiwiwall,Row ${index + 1},Text,100,5`,
    );
    const fileOf = (changed: Record<number, string>) => {
      const all = lines.map((line, index) => changed[index + 2] ?? line);
      return Buffer.from(['kind,category,provider,title,description,reward,minutes', ...all].join('\n'));
    };
    const wrong = {
      3: 'task,game,kiwiwall,Row 2,Text,many,5',
      500: 'task,game,nobody,Row 499,Text,100,5',
      1001: 'task,game,kiwiwall,Row 1000,Text,100',
    };
    const choose = (buffer: Buffer, name = 'rows.csv') =>
      dialog().locator('input[type="file"]').setInputFiles({ name, mimeType: 'text/csv', buffer });
    const shownLines = () => dialog().locator('tbody tr').allInnerTexts();
    const run = dialog().getByRole('button', { name: /^Import/ });
    const before = await read();
    await page.goto(catalogue);
    await page.getByRole('button', { name: '가져오기…' }).click();
    await choose(fileOf(wrong));
    await dialog().getByText('잘못된 행이 3개 있어 가져올 수 없습니다.').waitFor();
    for (const line of await shownLines()) assert.match(line, /[가-힣]{2}/);
    await speak('en');
    await page.reload();
    await tabTo(page.getByRole('button', { name: 'Import…' }));
    await page.keyboard.press('Enter');
    await dialog().getByText('All rows are imported or none.').waitFor();
    assert.equal(await run.isDisabled(), true);
    await choose(Buffer.from([0xc7, 0xd1, 0xb1, 0xdb]));
    await dialog().getByText('The file is not in UTF-8.').waitFor();
    await choose(Buffer.alloc(5 * 1024 * 1024, '"'));
    await dialog().getByText('The file is too large.').waitFor();
    const { promise: isSeen, resolve: goOn } = Promise.withResolvers<void>();
    await page.route('**/catalogue/import*', async (route) => {
      await isSeen;
      await route.continue();
    });
    await choose(fileOf(wrong));
    await dialog().getByRole('status').getByText('Checking rows.csv. Nothing is changed yet.').waitFor();
    goOn();
    await dialog().getByText('3 lines are wrong, so nothing is imported.').waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    assert.deepEqual(
      (await shownLines()).map((line) => line.replace(/\s+/g, ' ')),
      [
        '3 reward: It must be whole points, from 1 on.',
        '500 provider: There is no provider “nobody”.',
        '1,001 The line has 6 cells instead of 7.',
      ],
    );
    assert.equal(await run.isDisabled(), true);
    await isSound('catalogue-import');
    assert.deepEqual(await read(), before);
    await choose(fileOf({}));
    await dialog().getByText('Every line fits. Nothing was changed yet.').waitFor();
    assert.deepEqual(await read(), before);
    await tabTo(dialog().getByRole('button', { name: 'Import 1,000 rows' }));
    const isImported = saved('POST');
    await page.keyboard.press('Enter');
    assert.equal((await isImported).status(), 200);
    await page.getByText('Imported: 1,000 new, 0 changed.').waitFor();
    await dialog().waitFor({ state: 'detached' });
    await page.getByLabel('Totals').getByText('only the first 500 are listed').waitFor();
    await page.getByLabel('Totals').getByText('only the first 500 are listed').waitFor();
    assert.deepEqual((await seen()).slice(0, 3), ['Row 1', 'Row 2', 'Row 3']);
    await showsOrder();
  });

  it('imports nothing if the catalogue changed after the check, and exports what it shows', async () => {
    const [entry] = (await read('q=Row 7')) as [CatalogueEntry];
    const columns = 'id,kind,category,provider,title,description,reward,minutes';
    const file = (id: string) => Buffer.from(`${columns}\n${id},task,game,kiwiwall,Row 7,Text,200,5`);
    await page.getByRole('button', { name: 'Import…' }).click();
    await dialog()
      .locator('input[type="file"]')
      .setInputFiles({ name: 'one.csv', mimeType: 'text/csv', buffer: file(entry.id) });
    await dialog().getByText('Every line fits.').waitFor();
    const gone = await context.request.delete(`${site.origin}/api/admin/catalogue/${entry.id}`, {
      headers: { origin: site.origin },
    });
    assert.equal(gone.status(), 204);
    await dialog().getByRole('button', { name: 'Import 1 row' }).click();
    await dialog().getByRole('alert').getByText('Nothing was imported. ').waitFor();
    await dialog().getByText(`There is no entry ${entry.id}.`).waitFor();
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    await dialog().waitFor({ state: 'detached' });
    complaints.splice(0);
    await page.goto(`${catalogue}?kind=survey`);
    await rows().first().waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export as CSV' }).click(),
    ]);
    const [head, ...exported] = (await readFile(await download.path(), 'utf8')).trim().split('\r\n');
    assert.match(head ?? '', /id,kind,category,provider,title/);
    assert.equal(exported.length, (await seen('cpx-surveys?lang=en')).length);
  });
});

it('leaves no error in the console', () => assert.deepEqual(complaints, []));
