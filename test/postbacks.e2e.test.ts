import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { refuseCalls, violations, widerThanWindow } from './browser.ts';
import { operatorPage } from './operator-browser.ts';

/** Operators look at providers' calls, replay one, and resolve the quarantine, with the demo world. */
const { site, panel, read, page, context, complaints } = await operatorPage({ after });

const rows = () => page.locator('tbody').getByRole('row');
const sheet = () => page.getByRole('complementary');
/** A button of the sheet that takes presses. It takes none that were meant for what was there before. */
const enabled = (text: string) => sheet().locator('button:enabled', { hasText: text });
const dialog = () => page.getByRole('dialog');
const api = (path: string) => `${site.origin}/api/admin/${path}`;
const speak = (language: string) =>
  page.evaluate((chosen) => localStorage.setItem('operatorLanguage', chosen), language);
const idOf = async (name: string): Promise<string> => (await read(`users?q=${name}`))[0].id;

const secret = 'a secret of the test';
async function give(value: string): Promise<void> {
  const answer = await context.request.put(api('providers/cpx'), {
    data: { isEnabled: true, apiKey: 'app', secret: value },
    headers: { origin: site.origin },
  });
  assert.equal(answer.status(), 200);
}
/** Sends a credit of CPX. Returns its status. */
async function send(transaction: string, member: string, signedWith = secret): Promise<number> {
  const hash = createHash('md5').update(`${transaction}-${signedWith}`).digest('hex');
  const query = `status=1&trans_id=${transaction}&user_id=${member}&amount_local=180&secure_hash=${hash}`;
  return (await fetch(`${site.origin}/api/webhooks/postback/cpx?${query}`)).status;
}

/** Axe and the width of the page. */
async function looksSound(name: string): Promise<void> {
  const { SCREENSHOTS: folder } = process.env;
  assert.deepEqual(await violations(page), []);
  assert.equal(await widerThanWindow(page), 0, name);
  if (folder) await page.screenshot({ path: `${folder}/${name}.png` });
}

/** The same in both sizes. */
async function isSound(name: string): Promise<void> {
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    await looksSound(`${name}-${width}`);
  }
}

const noah = await idOf('noah');
const lost = `${noah.slice(0, 8)}${(Number(noah) + 1) % 10}`;
await give(secret);
for (const transaction of ['e2e-wrong-1', 'e2e-wrong-2', 'e2e-wrong-3'])
  assert.equal(await send(transaction, noah, 'what CPX uses'), 403);

describe('the postbacks', () => {
  it('are in Korean first, and sound in both languages and sizes', async () => {
    await page.goto(`${panel}/postbacks`);
    await page.getByRole('heading', { level: 1, name: '포스트백' }).waitFor();
    await rows().first().getByText('서명 불일치').waitFor();
    await isSound('postbacks-ko');
    await speak('en');
    await page.reload();
    await page.getByRole('heading', { level: 1, name: 'Postbacks' }).waitFor();
    await rows().first().getByText('Wrong signature').waitFor();
    await page.getByRole('button', { name: 'CPX Research: every signature is wrong' }).click();
    await dialog()
      .getByText(/3 calls of CPX Research in a row were refused/)
      .waitFor();
    assert.deepEqual(await violations(page), []);
    await dialog().getByRole('button', { name: 'Show these calls' }).click();
    await page.waitForURL(/outcome=refused/);
    await isSound('postbacks-en');
  });

  it('show each step of a call with the text that was signed, and no secret', async () => {
    await page.goto(`${panel}/postbacks?q=e2e-wrong-1`);
    await rows().first().getByRole('button').press('Enter');
    await sheet().getByText('doesn’t match').waitFor();
    await sheet().getByText('MD5 over exactly this text, 12 bytes, and the secret after it:').waitFor();
    await sheet().getByText('e2e-wrong-1-', { exact: true }).waitFor();
    assert.equal(await sheet().getByText('not reached').count(), 4);
    assert.ok(!(await sheet().innerText()).includes(secret));
    await isSound('postback-sheet');
  });

  it('are replayed by keyboard alone: a dry run, a reason, booked once', async () => {
    await give('what CPX uses');
    await page.goto(`${panel}/postbacks?q=e2e-wrong-1`);
    const before = (await read(`users?q=${noah}`))[0].balance;
    await rows().first().getByRole('button').press('Enter');
    await sheet().getByText('It matches the secret of today.').waitFor();
    await page.keyboard.press('d');
    await sheet().getByRole('cell', { name: 'matches', exact: true }).waitFor();
    await sheet()
      .getByText(/^Booked, Noah .* \+180 P$/)
      .waitFor();
    assert.equal((await read(`users?q=${noah}`))[0].balance, before);
    await enabled('Replay 180 P…').press('Enter');
    await dialog().getByRole('button', { name: 'Replay 180 P' }).press('Enter');
    await dialog().getByText('Please provide a reason').waitFor();
    await dialog().getByLabel('Reason').fill('The secret was wrong');
    await dialog().getByRole('button', { name: 'Replay 180 P' }).press('Enter');
    await page.getByText('The call was replayed: Booked.').waitFor();
    await sheet()
      .getByText(/^Replayed .*: Booked\.$/)
      .waitFor();
    assert.equal(Number((await read(`users?q=${noah}`))[0].balance), Number(before) + 180);
    assert.equal(await send('e2e-wrong-1', noah, 'what CPX uses'), 200);
    assert.equal(Number((await read(`users?q=${noah}`))[0].balance), Number(before) + 180);
  });

  it('are sound as a dry run and as its dialog, on a phone too', async () => {
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto(`${panel}/postbacks?q=e2e-wrong-2`);
      await page.locator('[id^="row-"]').first().click();
      await page.getByText('Dry run of today').click();
      await page.getByText(/^Booked, Noah .* \+180 P$/).waitFor();
      await looksSound(`postback-dry-run-${width}`);
      await page.getByRole('button', { name: 'Replay 180 P…' }).click();
      await page.getByLabel('Reason').waitFor();
      await looksSound(`postback-replay-${width}`);
    }
  });

  it('are not booked when the outcome is another one by now', async () => {
    await page.goto(`${panel}/postbacks?q=e2e-wrong-2`);
    await rows().first().getByRole('button').click();
    await sheet().getByText('Dry run of today').click();
    await sheet().getByRole('button', { name: 'Replay 180 P…' }).click();
    await dialog().getByLabel('Reason').fill('The secret was wrong');
    assert.equal(await send('e2e-wrong-2', noah, 'what CPX uses'), 200);
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

  it('are found by their transaction in the palette', async () => {
    await page.goto(panel);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+KeyK');
    await dialog().getByRole('combobox').fill('e2e-wrong-3');
    await dialog().getByRole('option').filter({ hasText: 'Postback e2e-wrong-3' }).click();
    await page.waitForURL(/postbacks\?.*e2e-wrong-3/);
    await sheet().getByText('Wrong signature').waitFor();
  });

  it('say that they did not load', async () => {
    await refuseCalls(page, '**/api/admin/postbacks?*');
    await page.goto(`${panel}/postbacks`);
    await page.getByText('The postbacks didn’t load').waitFor();
    assert.deepEqual(await violations(page), []);
    await page.unrouteAll({ behavior: 'wait' });
    await page.goto(`${panel}/postbacks?open=999999999`);
    await sheet().getByText('This call is not stored.').waitFor();
    complaints.splice(0);
  });
});

describe('the quarantine', () => {
  it('is reached by its count, and books a call to the member that was meant', async () => {
    assert.equal(await send('e2e-lost-1', lost, 'what CPX uses'), 200);
    assert.equal(await send('e2e-lost-2', 'nobody', 'what CPX uses'), 200);
    const before = Number((await read(`users?q=${noah}`))[0].balance);
    await page.goto(panel);
    await page
      .getByRole('main')
      .getByRole('link', { name: /Quarantine/ })
      .click();
    await page.waitForURL(/postbacks\/quarantine/);
    await page.getByRole('heading', { level: 1, name: 'Quarantine' }).waitFor();
    const rail = page.getByRole('navigation', { name: 'Operator menu' });
    const markOf = (name: string) => rail.getByRole('link', { name }).getAttribute('aria-current');
    assert.deepEqual([await markOf('Quarantine'), await markOf('Postbacks')], ['page', null]);
    await isSound('quarantine');
    await page.goto(`${panel}/postbacks/quarantine?q=e2e-lost-1`);
    await rows().first().getByRole('button').press('Enter');
    await sheet().getByText(`No member has the id ${lost}.`).waitFor();
    await sheet().getByLabel('Book to a member').check();
    await enabled('Book 180 P').press('Enter');
    await sheet().getByText('Choose a member, or enter a nine-digit id').waitFor();
    await sheet().getByText('Please provide a reason').waitFor();
    await sheet()
      .getByLabel(/^Noah /)
      .check();
    await sheet().getByLabel('Note').fill('One digit was wrong');
    await looksSound('quarantine-book-1440');
    await enabled('Book 180 P').press('Enter');
    await page.getByText('The call is booked.').waitFor();
    assert.equal(Number((await read(`users?q=${noah}`))[0].balance), before + 180);
  });

  it('dismisses a call with a note, in Korean', async () => {
    await speak('ko');
    await page.goto(`${panel}/postbacks/quarantine?q=e2e-lost-2`);
    await rows().first().getByRole('button').click();
    await isSound('quarantine-sheet-ko');
    await sheet().getByLabel('메모').fill('없는 회원');
    await sheet().getByRole('button', { name: '180 P 기각' }).click();
    await page.getByText('호출을 기각했습니다. 기록한 것은 없습니다.').waitFor();
    assert.deepEqual(await read('quarantine?q=e2e-lost-2'), []);
    await speak('en');
  });
});

it('leaves no error in the console', () => assert.deepEqual(complaints, []));
