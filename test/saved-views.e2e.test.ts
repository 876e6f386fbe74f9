import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { violations } from './browser.ts';
import { operatorPage } from './operator-browser.ts';

/** The views of operators' lists: saved under a name, opened by a click or a number, replaced and removed. */
const { site, panel, page, complaints } = await operatorPage({ after }, { language: 'en' });
await page.setViewportSize({ width: 1440, height: 900 });

const QUEUE = '/management-panel-x7k9w/withdrawals';
const views = page.getByRole('navigation', { name: 'Views of the list' });
const current = views.locator('[aria-current]');
const dialog = page.getByRole('dialog');
const open = async (query = '') => {
  await page.goto(`${site.origin}${QUEUE}${query}`);
  await views.waitFor();
};
const query = () => new URL(page.url()).search;

async function save(name: string) {
  await page.getByRole('button', { name: 'Save view' }).click();
  await dialog.getByLabel('Name').and(page.locator(':focus')).waitFor();
  await page.keyboard.type(name);
  const answer = page.waitForResponse((response) => response.url().endsWith('/api/admin/views'));
  await dialog.getByRole('button', { name: 'Save' }).click();
  return (await answer).status();
}

it('offers to save only what is no view yet', async () => {
  await open();
  assert.equal(await current.innerText(), 'Standard');
  assert.equal(await page.getByRole('button', { name: 'Save view' }).count(), 0);
  await open('?status=all&sort=-amount');
  await page.getByRole('button', { name: 'Save view' }).waitFor();
  assert.equal(await current.count(), 0);
});

it('saves the filters under a name, and opens them by a click and by the number', async () => {
  await open('?sort=-amount&status=all&page=1');
  assert.equal(await save('Largest of all'), 201);
  await views.getByRole('link', { name: 'Largest of all' }).and(page.locator('[aria-current]')).waitFor();
  assert.deepEqual(await violations(page), []);
  await page.keyboard.press('1');
  await page.waitForURL((url) => url.search === '');
  await page.keyboard.press('2');
  await page.waitForURL((url) => url.searchParams.get('sort') === '-amount');
  await page.keyboard.press('1');
  await page.waitForURL((url) => url.search === '');
  await views.getByRole('link', { name: 'Largest of all' }).click();
  await page.waitForURL((url) => url.searchParams.get('status') === 'all');
  await page.reload();
  await views.getByRole('link', { name: 'Largest of all' }).and(page.locator('[aria-current]')).waitFor();
});

it('says that a view of the same name gets the new filters, and asks for a name', async () => {
  await open('?status=approved');
  await page.getByRole('button', { name: 'Save view' }).click();
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Enter a name.').waitFor();
  await dialog.getByLabel('Name').fill('Largest of all');
  await dialog.getByText('A view has this name. It gets these filters.').waitFor();
  assert.deepEqual(await violations(page), []);
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await open('?status=approved');
  assert.equal(await current.innerText(), 'Largest of all');
});

it('keeps the views of a screen to that screen', async () => {
  await page.goto(`${panel}/payouts?state=failed`);
  const payouts = page.getByRole('navigation', { name: 'Payouts by state' });
  await payouts.waitFor();
  assert.equal(await save('Failed ones'), 201);
  await payouts.getByRole('link', { name: 'Failed ones' }).and(page.locator('[aria-current]')).waitFor();
  assert.equal(await payouts.locator('[aria-current]').count(), 1);
  await open();
  assert.equal(await views.getByRole('link', { name: 'Failed ones' }).count(), 0);
});

it('removes a view, and brings it back', async () => {
  await open('?status=approved');
  await page.getByRole('button', { name: 'Remove view' }).click();
  await page.getByText('View “Largest of all” removed').waitFor();
  await views.getByRole('link', { name: 'Largest of all' }).waitFor({ state: 'detached' });
  assert.match(query(), /status=approved/);
  await page.keyboard.press('z');
  await views.getByRole('link', { name: 'Largest of all' }).waitFor();
});

it('leaves no complaint in the console', () => assert.deepEqual(complaints, []));
