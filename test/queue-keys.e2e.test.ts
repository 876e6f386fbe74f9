import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { pressInTurn, violations } from './browser.ts';
import { operatorPage } from './operator-browser.ts';
import { signIn } from './sign-in.ts';

/** The operators' queue by keyboard: what each key does, and how many presses twenty decisions take. */
const { site, headers, panel, asMember, page, context, complaints } = await operatorPage(
  { after },
  { language: 'en', payoutDelaySeconds: 3_600 },
);

await context.grantPermissions(['clipboard-read', 'clipboard-write']);
await page.setViewportSize({ width: 1440, height: 900 });

const WAITING = 20;
type Listed = { id: string; status: string; address: string };
const listed = async (status: string) => {
  const path = `/api/admin/withdrawals-data?status=${status}&sort=createdAt&limit=100`;
  const answer = await context.request.get(site.origin + path);
  return ((await answer.json()) as { withdrawals: Listed[] }).withdrawals;
};

const A_DAY = { advanceSeconds: 86_400 };

/** Asks for withdrawals as the demo member until twenty wait. A member may ask five times a day. */
async function fillQueue() {
  const member = await asMember();
  const recipientInfo = { address: 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9' };
  const data = { amountPoints: '1000', method: 'litecoin', recipientInfo };
  const points = { userId: site.member.email, amount: WAITING * 1_000, reason: 'For a full queue' };
  const given = await context.request.post(`${site.origin}/api/admin/give-points`, { headers, data: points });
  assert.equal(given.status(), 201, await given.text());
  for (let count = (await listed('pending')).length; count < WAITING; ) {
    const asked = await member.post(`${site.origin}/api/withdrawal`, { headers, data });
    if (asked.status() === 201) count += 1;
    else {
      assert.equal(asked.status(), 429, await asked.text());
      await member.post(`${site.origin}/sandbox/clock`, { headers, data: A_DAY });
    }
  }
}
await fillQueue();
// The days that passed have ended the operator's session.
await signIn(context, site, site.operator);
complaints.splice(0);

const rows = page.locator('tbody').getByRole('row');
const sheet = page.getByRole('complementary');
const approve = sheet.getByRole('button', { name: /^Approve/ });
const opened = () => new URL(page.url()).searchParams.get('open');
const open = async () => {
  await page.goto(`${panel}/withdrawals`);
  await rows.first().waitFor();
};

it('copies the address, goes to the member, and opens the form of a rejection, each by its letter', async () => {
  await open();
  const [first] = await listed('pending');
  assert.ok(first);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await sheet.getByRole('button', { name: 'Reject…' }).and(page.locator(':enabled')).waitFor();
  await page.keyboard.press('c');
  await sheet.getByRole('button', { name: 'Copied' }).waitFor();
  assert.equal(await page.evaluate(() => navigator.clipboard.readText()), first.address);
  await page.keyboard.press('r');
  await page.getByRole('dialog').getByLabel('Reason').waitFor();
  await page.getByRole('dialog').getByLabel('Reason').focus();
  // What is typed there is no key.
  await page.keyboard.type('amr');
  assert.equal(await page.getByRole('dialog').getByLabel('Reason').inputValue(), 'amr');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.keyboard.press('m');
  await page.waitForURL('**/users/member?id=*');
  await page.goBack();
  await sheet.waitFor();
  assert.equal(opened(), first.id);
  assert.deepEqual(await violations(page), []);
});

it('shows the keys of the open sheet below the list, and all of them behind the question mark', async () => {
  await open();
  const strip = page.getByText('All keys');
  await strip.waitFor();
  const text = () => strip.locator('..').innerText();
  assert.doesNotMatch(await text(), /Reject…/);
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await strip.locator('..').getByText('Reject…').waitFor();
  assert.match(await text(), /Enter\s+Approve\s/);
  await page.keyboard.press('Shift+?');
  const dialog = page.getByRole('dialog', { name: 'Keys' });
  for (const label of ['Select all to here', 'Copy the address', 'Filters', 'Undo, while it can be'])
    await dialog.getByText(label, { exact: true }).waitFor();
  assert.deepEqual(await violations(page), []);
});

it('selects a range with Shift X, and goes to the filters with F', async () => {
  await open();
  for (const key of ['j', 'j', 'x', 'j', 'j', 'j', 'Shift+X']) await page.keyboard.press(key);
  await page.getByText('4 selected', { exact: false }).first().waitFor();
  const checked = await rows.getByRole('checkbox', { checked: true }).count();
  assert.equal(checked, 4);
  await page.keyboard.press('f');
  await page.waitForFunction(() => document.activeElement?.textContent?.startsWith('State'));
});

it('gives Approve the focus with A and presses nothing, and takes an approval back with Z', async () => {
  await open();
  const [first] = await listed('pending');
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await approve.waitFor();
  await page.keyboard.press('a');
  await page.waitForFunction(() => document.activeElement?.textContent?.match(/^Approve [\d,]+.P, next$/));
  assert.equal((await listed('pending')).length, WAITING);
  await page.keyboard.press('Enter');
  await page.waitForURL((url) => url.searchParams.get('open') !== first?.id);
  assert.equal((await listed('pending')).length, WAITING - 1);
  await page.keyboard.press('z');
  // The open sheet says that an approval can be taken back, so only the message of the act tells that it was.
  await page.getByText(/ is pending again\. Nothing was sent\.$/).waitFor();
  assert.equal((await listed('pending')).length, WAITING);
});

it('keeps what is typed after Ctrl K for the palette, and no key of the list acts meanwhile', async () => {
  const script = /\/palette[^/]*\.js$/;
  const { promise: isHeld, resolve: release } = Promise.withResolvers<void>();
  await page.route(script, async (route) => {
    await isHeld;
    await route.continue();
  });
  await open();
  const address = page.url();
  const field = page.getByRole('combobox');
  await page.locator('[id^="row-"]').first().focus();
  const isFetched = page.waitForRequest(script);
  const typed = ['x', 'Backspace', ...'>pause'];
  await page.keyboard.press('Control+KeyK');
  await pressInTurn(page, ...typed, 'Enter');
  await isFetched;
  release();
  await page.unrouteAll({ behavior: 'wait' });
  // The second time, the script is there.
  for (const again of [false, true]) {
    if (again) {
      await page.keyboard.press('Control+KeyK');
      await pressInTurn(page, ...typed);
    }
    await field.and(page.locator(':focus')).waitFor();
    assert.equal(await field.inputValue(), '>pause');
    assert.equal(await page.getByRole('option').count(), 1);
    assert.equal(await page.getByRole('checkbox', { checked: true }).count(), 0);
    await page.keyboard.type('d');
    assert.equal(await field.inputValue(), '>paused', 'the caret is at the end');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Enter');
    await field.waitFor({ state: 'detached' });
    const asked = page.getByRole('dialog', { name: 'Pause payouts?' });
    await asked.waitFor();
    await page.keyboard.press('Escape');
    await asked.waitFor({ state: 'detached' });
  }
  assert.equal(page.url(), address);
});

it('forgets an A that was pressed before the sheet was ready, when the operator goes on', async () => {
  await open();
  const examined = '**/api/admin/withdrawals/*';
  await page.route(examined, async (route) => {
    await new Promise((done) => setTimeout(done, 700));
    await route.continue();
  });
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await sheet.waitFor();
  await page.keyboard.press('a');
  await page.keyboard.press('Shift');
  await approve.and(page.locator(':enabled')).waitFor();
  assert.equal(await approve.evaluate((button) => button === document.activeElement), false);
  await page.unrouteAll({ behavior: 'wait' });
});

it('decides twenty requests one by one with at most 45 presses and no reload', async () => {
  await open();
  await page.evaluate(() => Object.assign(window, { isSamePage: true }));
  let pressCount = 0;
  const press = async (key: string) => {
    pressCount += 1;
    await page.keyboard.press(key);
  };
  await press('j');
  await press('Enter');
  for (let decided = 0; decided < WAITING; decided += 1) {
    await approve.waitFor();
    const current = opened();
    await press('a');
    await page.waitForFunction(() => document.activeElement?.textContent?.startsWith('Approve'));
    await press('Enter');
    await page.waitForURL((url) => url.searchParams.get('open') !== current);
    await page.locator(`[aria-current] #row-${current}`).waitFor({ state: 'detached' });
  }
  assert.deepEqual(await listed('pending'), []);
  assert.ok(pressCount <= 45, `${pressCount} presses`);
  assert.equal(await page.evaluate(() => 'isSamePage' in window), true);
  console.log(`${WAITING} requests decided with ${pressCount} presses`);
});

it('leaves no complaint in the console', () => assert.deepEqual(complaints, []));
