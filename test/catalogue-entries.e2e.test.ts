import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { CatalogueEntry } from '#contract/earning-catalogue-entries.ts';
import { refuseCalls, violations } from './browser.ts';
import { startCatalogue } from './catalogue-browser.ts';

/** Operators keep the catalogue of tasks and surveys, with the demo world. */
const {
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
} = await startCatalogue({ after });

describe('the catalogue of operators', () => {
  it('is in Korean first, in the members’ order, and sound in both languages, sizes and schemes', async () => {
    await page.goto(catalogue);
    await page.getByRole('heading', { level: 1, name: '할 일·설문' }).waitFor();
    await rows().nth(5).waitFor();
    await speak('en');
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Catalogue' }).waitFor();
    await showsOrder();
    await page
      .getByLabel('Totals')
      .locator('div')
      .filter({ hasText: new RegExp(`^Shown to members${(await seen()).length}$`) })
      .waitFor();
    await page.getByRole('link', { name: 'Surveys', exact: true }).click();
    await page.waitForURL(`${catalogue}?kind=survey`);
    const surveys = await seen('cpx-surveys?lang=en');
    await eventually('not the surveys', async () => `${await shownTitles()}` === `${surveys.slice(0, 20)}`);
    assert.equal((await page.locator('tbody [draggable]').count()) > 0, true);
    await page.getByLabel('Find an entry').fill(surveys[1] ?? '');
    await eventually('not found', async () => (await shownTitles()).length < surveys.length);
    assert.equal(await page.locator('tbody [draggable]').count(), 0, 'nothing is moved in a search');
  });

  it('gets an entry with steps by keyboard alone, after each wrong field was named', async () => {
    await page.goto(catalogue);
    await rows().first().waitFor();
    await tabTo(page.getByRole('button', { name: 'Add an entry' }));
    await page.keyboard.press('Enter');
    await dialog().getByText('A new entry is at the top of its list.').waitFor();
    const submit = dialog().getByRole('button', { name: 'Add the entry' });
    await tabTo(submit);
    const isRefused = saved('POST');
    await page.keyboard.press('Enter');
    assert.equal((await isRefused).status(), 400);
    await dialog().getByText('This is needed.').first().waitFor();
    await dialog().getByText('It must be whole minutes from 1 to 100,000.').waitFor();
    await dialog().getByRole('alert').getByText('The entry was not saved. ').waitFor();
    await eventually('the first wrong field has no focus', () =>
      dialog()
        .getByLabel('Title', { exact: true })
        .evaluate((field) => field === document.activeElement),
    );
    await typeIn('Title', 'Brick Saga');
    await typeIn('Title in Korean', '벽돌 이야기');
    await typeIn('Description', 'Two levels, each paid on its own.');
    await typeIn('Time in minutes', '20,160');
    for (const [number, title, points, days] of [
      [1, 'Reach level 5', '200', '7'],
      [2, 'Reach level 12', '4,000', ''],
    ] as const) {
      await tabTo(dialog().getByRole('button', { name: 'Add a step' }));
      await page.keyboard.press('Enter');
      const step = dialog()
        .locator('fieldset li')
        .nth(number - 1);
      await step.getByLabel('What is to be done').focus();
      await page.keyboard.type(title);
      await step.getByLabel('Points').focus();
      await page.keyboard.type(points);
      await step.getByLabel('Within days').focus();
      await page.keyboard.type(days);
    }
    const preview = dialog().getByRole('region', { name: 'As members see it' });
    await preview.getByText('up to 4,200').waitFor();
    await preview.getByText('2 steps').waitFor();
    await preview.getByText('14 days', { exact: true }).waitFor();
    await preview.getByText('Korean', { exact: true }).click();
    await preview.getByText('벽돌 이야기').waitFor();
    await isSound('catalogue-add');
    await tabTo(submit);
    const isAdded = saved('POST');
    await page.keyboard.press('Enter');
    assert.equal((await isAdded).status(), 201);
    await page.getByText('Brick Saga is in the catalogue.').waitFor();
    await dialog().waitFor({ state: 'detached' });
    assert.equal((await showsOrder())[0], 'Brick Saga');
    const [entry] = (await read('q=Brick Saga')) as [CatalogueEntry];
    assert.deepEqual([entry.reward, entry.minutes, entry.steps.length], ['4200', 20_160, 2]);
  });

  it('stores a picture of the right kind and size, and shows it at once', async () => {
    await rows().filter({ hasText: 'Brick Saga' }).getByRole('button').click();
    const choose = (name: string, mimeType: string, buffer: Buffer) =>
      sheet().locator('input[type="file"]').setInputFiles({ name, mimeType, buffer });
    await sheet().getByRole('button', { name: 'Choose a picture' }).waitFor();
    await choose('large.png', 'image/png', Buffer.alloc(70_000));
    await sheet().getByText('The picture has 69 KiB. At most 64 KiB are possible.').waitFor();
    await choose('drawing.svg', 'image/svg+xml', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'));
    await sheet().getByText('The picture must be a PNG, JPEG or WebP file.').waitFor();
    const save = sheet().getByRole('button', { name: 'Save', exact: true });
    await choose('false.png', 'image/png', Buffer.from('no picture'));
    // The browser can't draw it either.
    const isRefused = saved('PUT');
    await save.click();
    assert.equal((await isRefused).status(), 400);
    await sheet().getByText('The picture must be a PNG, JPEG or WebP file.').waitFor();
    const pixel = Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    );
    await choose('pixel.png', 'image/png', pixel);
    await sheet().locator('li img[src^="data:image/png"]').waitFor();
    const isSaved = saved('PUT');
    await save.click();
    const stored: CatalogueEntry = await (await isSaved).json();
    await page.getByText('Brick Saga is saved.').waitFor();
    await rows().locator(`img[src="${stored.imageUrl}"]`).waitFor();
    await isSound('catalogue-sheet');
    const removed = saved('PUT');
    await sheet().getByRole('button', { name: 'Remove the picture' }).click();
    await save.click();
    assert.equal((await (await removed).json()).imageUrl, null);
    complaints.splice(0);
  });

  it('hides an entry, and keeps what another operator changed meanwhile', async () => {
    const [entry] = (await read('q=Brick Saga')) as [CatalogueEntry];
    await page.goto(`${catalogue}?open=${entry.id}`);
    await sheet().getByLabel('Title', { exact: true }).fill('Brick Saga 2');
    const { id, imageUrl, state, createdAt, version, reward, ...fields } = entry;
    const others = await context.request.put(`${site.origin}/api/admin/catalogue/${id}`, {
      data: { ...fields, minutes: 60 },
      headers: { origin: site.origin },
    });
    assert.equal(others.status(), 200);
    const save = sheet().getByRole('button', { name: 'Save', exact: true });
    await save.click();
    await sheet()
      .getByRole('alert')
      .getByText(/Another operator changed/)
      .waitFor();
    await sheet().getByRole('button', { name: 'Show what is stored' }).click();
    await eventually(
      'not what is stored',
      async () => (await sheet().getByLabel('Time in minutes').inputValue()) === '60',
    );
    await sheet().getByRole('switch', { name: 'Show it to members' }).click();
    await sheet().getByLabel('Shown until').fill('2030-01-02T03:04');
    const isSaved = saved('PUT');
    await save.click();
    // The site's zone, not the browser's.
    const [wanted] = new Date(Date.UTC(2030, 0, 2, 3, 4) - 9 * 3_600_000).toISOString().split('.');
    assert.equal((await (await isSaved).json()).expiresAt.split('.')[0], wanted);
    await sheet().getByText('Members don’t see this entry.').waitFor();
    await rows().filter({ hasText: 'Brick Saga' }).getByText('Hidden').waitFor();
    assert.equal((await seen()).includes('Brick Saga'), false);
    complaints.splice(0);
  });

  it('is ordered by keys, by dragging and by the sheet’s buttons', async () => {
    const [entry] = (await read('q=Brick Saga')) as [CatalogueEntry];
    const { id, imageUrl, state, createdAt, version, reward, ...fields } = entry;
    await context.request.put(`${site.origin}/api/admin/catalogue/${id}`, {
      data: { ...fields, isEnabled: true, expiresAt: null },
      headers: { origin: site.origin },
    });
    await page.goto(catalogue);
    const [first, second, third, fourth] = await showsOrder();
    const isAt = async (title: string, place: number) => {
      await eventually(`${title} is not at ${place}`, async () => (await shownTitles())[place] === title);
      assert.equal((await seen())[place], title);
    };
    await rows().first().getByRole('button').focus();
    await page.keyboard.press('Alt+ArrowDown');
    await isAt(first ?? '', 1);
    await page.getByRole('status').getByText(`${first} moved down.`).waitFor({ state: 'attached' });
    await eventually('the row lost the focus', () =>
      rows()
        .nth(1)
        .getByRole('button')
        .evaluate((button) => button === document.activeElement),
    );
    await page.keyboard.press('Alt+ArrowDown');
    await isAt(first ?? '', 2);
    await page.keyboard.press('Alt+ArrowUp');
    await isAt(first ?? '', 1);
    assert.deepEqual((await seen()).slice(0, 4), [second, first, third, fourth]);
    const grip = rows().nth(3).locator('[draggable]');
    const isMoved = saved('POST');
    await grip.dragTo(rows().nth(0), { targetPosition: { x: 200, y: 4 } });
    assert.equal((await isMoved).status(), 200);
    await isAt(fourth ?? '', 0);
    await rows().nth(0).getByRole('button').click();
    await sheet().getByRole('button', { name: 'To the end' }).click();
    await eventually('not at the end', async () => (await seen()).at(-1) === fourth);
    await sheet().getByRole('button', { name: 'To the top' }).click();
    await isAt(fourth ?? '', 0);
    await page.keyboard.press('Escape');
    await refuseCalls(page, '**/move');
    await rows().first().getByRole('button').focus();
    await page.keyboard.press('Alt+ArrowDown');
    await page.getByRole('alert').getByText('The entry was not moved').waitFor();
    await page.unroute('**/move');
    complaints.splice(0);
    await page.keyboard.press('Shift+Slash');
    await dialog().getByText('Move the entry down').waitFor();
    await page.keyboard.press('Escape');
  });

  it('loses an entry only after a confirmation, and leads from the audit trail', async () => {
    const [{ id }] = (await read('q=Brick Saga')) as [CatalogueEntry];
    await page.goto(`${site.origin}/management-panel-x7k9w/audit?action=catalogue.add`);
    await rows().first().getByRole('button').click();
    await sheet().locator('a[href*="/catalogue?"]').first().click();
    await page.waitForURL((url) => url.pathname.endsWith('/catalogue') && url.search.includes(id));
    await eventually(
      'another entry',
      async () => (await sheet().getByLabel('Title', { exact: true }).inputValue()) === 'Brick Saga',
    );
    await sheet().getByRole('button', { name: 'Take off…' }).click();
    await dialog().getByText('What they have begun or earned at the provider stays.').waitFor();
    assert.deepEqual(await violations(page), []);
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    assert.equal((await read('q=Brick Saga')).length, 1);
    await sheet().getByRole('button', { name: 'Take off…' }).click();
    const isGone = saved('DELETE');
    await dialog().getByRole('button', { name: 'Take it off' }).click();
    assert.equal((await isGone).status(), 204);
    await page.getByText('Brick Saga was taken off the catalogue.').waitFor();
    assert.deepEqual(await read('q=Brick Saga'), []);
  });

  it('is found by G and E and in the rail, and says that it did not load', async () => {
    await page.goto(`${site.origin}/management-panel-x7k9w/books`);
    await page.getByRole('link', { name: 'Catalogue', exact: true }).waitFor();
    await page.locator('h1').waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('e');
    await page.waitForURL(catalogue);
    await refuseCalls(page, '**/api/admin/catalogue?*');
    await page.goto(catalogue);
    await page.getByText('The catalogue didn’t load').waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    complaints.splice(0);
  });
});

it('leaves no error in the console', () => assert.deepEqual(complaints, []));
