import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { CatalogueEntry } from '#contract/earning-catalogue-entries.ts';
import { sql } from '#platform/database.ts';
import { refuseCalls, violations, visit } from './browser.ts';
import { importFile, pixel, startCatalogue } from './catalogue-browser.ts';
import { cpxCalls } from './cpx-calls.ts';
import { eventually, hasFocus } from './earning-browser.ts';

/** What operators keep of earning, with the demo world: the catalogue, its import, and the providers’ calls. */
const started = await startCatalogue({ after });
const { site, panel, page, context, complaints, read, readAdmin, seen } = started;
const { catalogue, rows, sheet, dialog, shownTitles, showsOrder } = started;
const { isSound, tabTo, typeIn, addStep, saved } = started;

describe('the catalogue of operators', () => {
  it('is in the members’ order by kind, and nothing is moved in a search', async () => {
    await page.goto(catalogue);
    await page.getByRole('heading', { level: 1, name: 'Catalogue' }).waitFor();
    await showsOrder();
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
    await visit(page, catalogue);
    await rows().first().waitFor();
    await page.getByRole('button', { name: 'Add an entry' }).press('Enter');
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
      hasFocus(dialog().getByLabel('Title', { exact: true })),
    );
    await typeIn('Title', 'Brick Saga');
    await typeIn('Title in Korean', '벽돌 이야기');
    await typeIn('Description', 'Two levels, each paid on its own.');
    await typeIn('Time (minutes)', '20,160');
    await addStep(1, ['Reach level 5', '200', '7']);
    await addStep(2, ['Reach level 12', '4,000', '']);
    const preview = dialog().getByRole('region', { name: 'As members see it' });
    await preview.getByText('up to 4,200').waitFor();
    await preview.getByText('2 steps').waitFor();
    await preview.getByText('14 days', { exact: true }).waitFor();
    await preview.getByText('Korean', { exact: true }).click();
    await preview.getByText('벽돌 이야기').waitFor();
    await isSound('catalogue-add');
    await page.keyboard.press('Escape');
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Cancel' }).press('Enter');
    await question.waitFor({ state: 'detached' });
    assert.equal(await dialog().getByLabel('Title', { exact: true }).inputValue(), 'Brick Saga');
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
    const save = sheet().getByRole('button', { name: 'Save', exact: true });
    await choose('false.png', 'image/png', Buffer.from('no picture'));
    // The browser can't draw it either.
    const isRefused = saved('PUT');
    await save.click();
    assert.equal((await isRefused).status(), 400);
    await sheet().getByText('The picture must be a PNG, JPEG or WebP file.').waitFor();
    await choose('pixel.png', 'image/png', Buffer.from(pixel, 'base64'));
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

  it('is ordered by keys, by dragging and by the sheet’s buttons', async () => {
    await visit(page, catalogue);
    const [first, second, third, fourth] = await showsOrder();
    const isAt = async (title: string, place: number) => {
      await eventually(`${title} is not at ${place}`, async () => (await shownTitles())[place] === title);
      assert.equal((await seen())[place], title);
    };
    await rows().first().getByRole('button').focus();
    await page.keyboard.press('Alt+ArrowDown');
    await isAt(first ?? '', 1);
    await page.getByRole('status').getByText(`${first} moved down.`).waitFor({ state: 'attached' });
    await eventually('the row lost the focus', () => hasFocus(rows().nth(1).getByRole('button')));
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
  });

  it('hides an entry, and keeps what another operator changed meanwhile', async () => {
    const [entry] = (await read('q=Brick Saga')) as [CatalogueEntry];
    await visit(page, `${catalogue}?open=${entry.id}`);
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
      async () => (await sheet().getByLabel('Time (minutes)').inputValue()) === '60',
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

  it('loses an entry only after a confirmation, and leads from the audit trail', async () => {
    const [{ id }] = (await read('q=Brick Saga')) as [CatalogueEntry];
    await visit(page, `${panel}/audit?action=catalogue.add`);
    await rows().first().getByRole('button').click();
    await sheet().locator('a[href*="/catalogue?"]').first().click();
    await page.waitForURL((url) => url.pathname.endsWith('/catalogue') && url.search.includes(id));
    await eventually(
      'another entry',
      async () => (await sheet().getByLabel('Title', { exact: true }).inputValue()) === 'Brick Saga',
    );
    await sheet().getByRole('button', { name: 'Take off…' }).click();
    await dialog().getByText('What they have begun or earned at the provider stays.').waitFor();
    assert.deepEqual(await violations(page, { part: '[role=dialog]' }), []);
    await dialog().getByRole('button', { name: 'Cancel' }).click();
    assert.equal((await read('q=Brick Saga')).length, 1);
    await sheet().getByRole('button', { name: 'Take off…' }).click();
    const isGone = saved('DELETE');
    await dialog().getByRole('button', { name: 'Take it off' }).click();
    assert.equal((await isGone).status(), 204);
    await page.getByText('Brick Saga was taken off the catalogue.').waitFor();
    assert.deepEqual(await read('q=Brick Saga'), []);
  });
});

describe('an import of the catalogue in the browser', () => {
  it('imports a file only when each of its lines fits, and names the others by their line', async () => {
    const wrong = {
      3: 'task,game,kiwiwall,Row 2,Text,many,5',
      500: 'task,game,nobody,Row 499,Text,100,5',
      601: 'task,game,kiwiwall,Row 600,Text,100',
    };
    const choose = (buffer: Buffer, name = 'rows.csv') =>
      dialog().locator('input[type="file"]').setInputFiles({ name, mimeType: 'text/csv', buffer });
    const shownLines = () => dialog().locator('tbody tr').allInnerTexts();
    const run = dialog().getByRole('button', { name: /^Import/ });
    const before = await read();
    await visit(page, catalogue);
    await page.getByRole('button', { name: 'Import…' }).press('Enter');
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
    await choose(importFile(wrong));
    await dialog().getByRole('status').getByText('Checking rows.csv. Nothing is changed yet.').waitFor();
    goOn();
    await dialog().getByText('3 lines are wrong, so nothing is imported.').waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    assert.deepEqual(
      (await shownLines()).map((line) => line.replace(/\s+/g, ' ')),
      [
        '3 reward: It must be whole points, from 1 on.',
        '500 provider: There is no provider “nobody”.',
        '601 The line has 6 cells instead of 7.',
      ],
    );
    assert.equal(await run.isDisabled(), true);
    await isSound('catalogue-import');
    assert.deepEqual(await read(), before);
    await choose(importFile({}));
    await dialog().getByText('Every line fits. Nothing was changed yet.').waitFor();
    assert.deepEqual(await read(), before);
    await tabTo(dialog().getByRole('button', { name: 'Import 600 rows' }));
    const isImported = saved('POST');
    await page.keyboard.press('Enter');
    assert.equal((await isImported).status(), 200);
    await page.getByText('Imported: 600 new, 0 changed.').waitFor();
    await dialog().waitFor({ state: 'detached' });
    await page.getByLabel('Totals').getByText('only the first 500 are listed').waitFor();
    assert.deepEqual((await seen()).slice(0, 3), ['Row 1', 'Row 2', 'Row 3']);
    await showsOrder();
  });

  it('imports nothing if the catalogue changed after the check', async () => {
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
  });
});

/** A button of the sheet that takes presses. It takes none that were meant for what was there before. */
const enabled = (text: string) => sheet().locator('button:enabled', { hasText: text });

const [secret, theirs] = ['a secret of the test', 'what CPX uses'];
const { give, send } = cpxCalls(site.origin, context);
const noah: string = (await readAdmin('users?q=noah'))[0].id;
const lost = `${noah.slice(0, 8)}${(Number(noah) + 1) % 10}`;
const balance = async () => Number((await readAdmin(`users?q=${noah}`))[0].balance);
const movements = () =>
  site.owner.rows(sql`select key from ledger.movements where member_id = ${Number(noah)} order by seq`);
await give(secret);
for (const transaction of ['e2e-wrong-1', 'e2e-wrong-2', 'e2e-wrong-3'])
  assert.equal(await send(transaction, noah, theirs), 403);

describe('the postbacks', () => {
  it('say that every signature of a provider is wrong, and lead to its calls', async () => {
    await visit(page, `${panel}/postbacks`);
    await rows().first().getByText('Wrong signature').waitFor();
    await page.getByRole('button', { name: 'CPX Research: every signature is wrong' }).click();
    await dialog()
      .getByText(/3 calls of CPX Research in a row were refused/)
      .waitFor();
    assert.deepEqual(await violations(page, { part: '[role=dialog]' }), []);
    await dialog().getByRole('button', { name: 'Show these calls' }).click();
    await page.waitForURL(/outcome=refused/);
  });

  it('show each step of a call with the text that was signed, and no secret', async () => {
    await visit(page, `${panel}/postbacks?q=e2e-wrong-3`);
    await rows().first().getByRole('button').press('Enter');
    await sheet().getByText('doesn’t match').waitFor();
    await sheet().getByText('MD5 over exactly this text, 12 bytes, and the secret after it:').waitFor();
    await sheet().getByText('e2e-wrong-3-', { exact: true }).waitFor();
    assert.equal(await sheet().getByText('not reached').count(), 4);
    assert.ok(!(await sheet().innerText()).includes(secret));
    await isSound('postback-sheet');
  });

  it('are replayed by keyboard alone: a dry run, a reason, booked once', async () => {
    await give(theirs);
    const { length: former } = await movements();
    await visit(page, `${panel}/postbacks?q=e2e-wrong-1`);
    const before = await balance();
    await rows().first().getByRole('button').press('Enter');
    await sheet().getByText('It matches the current secret.').waitFor();
    await page.keyboard.press('d');
    await sheet().getByRole('cell', { name: 'matches', exact: true }).waitFor();
    const rehearsed = sheet().getByText(/^Booked, Noah .* \+180 P$/);
    await rehearsed.waitFor();
    assert.equal(await balance(), before);
    await enabled('Replay 180 P…').press('Enter');
    await dialog().getByRole('button', { name: 'Replay 180 P' }).press('Enter');
    await dialog().getByText('Please provide a reason').waitFor();
    assert.deepEqual(await violations(page, { part: '[role=dialog]' }), []);
    await dialog().getByLabel('Reason').fill('The secret was wrong');
    await dialog().getByRole('button', { name: 'Replay 180 P' }).press('Enter');
    await page.getByText('The call was replayed: Booked.').waitFor();
    const replayed = sheet().getByText(/^Replayed .*: Booked\.$/);
    await replayed.waitFor();
    assert.equal(await balance(), before + 180);
    assert.equal(await send('e2e-wrong-1', noah, theirs), 200);
    assert.deepEqual((await movements()).slice(former), [{ key: 'cpx:e2e-wrong-1:credit' }]);
    assert.equal(await balance(), before + 180);
  });

  it('are not booked when the outcome is another one by now', async () => {
    await visit(page, `${panel}/postbacks?q=e2e-wrong-2`);
    await rows().first().getByRole('button').click();
    await sheet().getByText('Dry run of today').click();
    await sheet().getByRole('button', { name: 'Replay 180 P…' }).click();
    await dialog().getByLabel('Reason').fill('The secret was wrong');
    assert.equal(await send('e2e-wrong-2', noah, theirs), 200);
    await dialog().getByRole('button', { name: 'Replay 180 P' }).click();
    const said = dialog().getByText(/^Nothing was booked\. The outcome is another one by now/);
    await said.waitFor();
    // The sheet looks again, and the dialog still says why nothing was booked.
    await page.getByText('A replay would change nothing.').waitFor();
    assert.ok(await said.isVisible());
    await page.keyboard.press('Escape');
    await dialog().waitFor({ state: 'detached' });
    complaints.splice(0);
  });
});

describe('the quarantine', () => {
  it('is reached by its count, and books a call to the member that was meant', async () => {
    assert.equal(await send('e2e-lost-1', lost, theirs), 200);
    assert.equal(await send('e2e-lost-2', 'nobody', theirs), 200);
    const before = await balance();
    await visit(page, panel);
    await page
      .getByRole('main')
      .getByRole('link', { name: /Quarantine/ })
      .click();
    await page.waitForURL(/postbacks\/quarantine/);
    await page.getByRole('heading', { level: 1, name: 'Quarantine' }).waitFor();
    await visit(page, `${panel}/postbacks/quarantine?q=e2e-lost-1`);
    await rows().first().getByRole('button').press('Enter');
    await sheet().getByText(`No member has the ID ${lost}.`).waitFor();
    await sheet().getByLabel('Book to a member').check();
    await enabled('Book 180 P').press('Enter');
    await sheet().getByText('Choose a member, or enter a nine-digit ID').waitFor();
    await sheet().getByText('Please provide a reason').waitFor();
    await sheet()
      .getByLabel(/^Noah /)
      .check();
    await sheet().getByLabel('Note').fill('One digit was wrong');
    assert.deepEqual(await violations(page, { part: 'aside' }), []);
    await enabled('Book 180 P').press('Enter');
    await page.getByText('The call is booked.').waitFor();
    assert.equal(await balance(), before + 180);
  });

  it('dismisses a call with a note', async () => {
    await visit(page, `${panel}/postbacks/quarantine?q=e2e-lost-2`);
    await rows().first().getByRole('button').click();
    await sheet().getByLabel('Note').fill('No such member');
    await sheet().getByRole('button', { name: 'Dismiss 180 P' }).click();
    await page.getByText('The call is dismissed. Nothing was booked.').waitFor();
    assert.deepEqual(await readAdmin('quarantine?q=e2e-lost-2'), []);
  });
});

it('leaves no error in the console', () => assert.deepEqual(complaints, []));
