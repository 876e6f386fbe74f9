import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, describe, it } from 'node:test';
import { sql } from '#platform/database.ts';
import { hashPassword } from '../server/access/passwords.ts';
import { openSession } from '../server/access/sessions.ts';
import { refreshDisplayRates } from '../server/members/display-rates.ts';
import { buildWebIfStale } from '../web/build/build.ts';
import { openBrowser, openConnected, openPage, violations, visit } from './browser.ts';
import { sessionCookies } from './open-as.ts';
import { type Person, testSite } from './site.ts';

/**
 * Profile and settings in Chromium, and the effect of a member's choices on other screens. A load of the app costs most
 * of a test, so one member goes through one page, each case where the last one ended.
 */
await buildWebIfStale();
const site = await testSite({ after });
const browser = await openBrowser({ after });
const { page, context, complaints } = await openPage(browser, { reducedMotion: 'reduce' });
const PASSWORD = 'a quiet river 7';
const NEW_PASSWORD = 'a louder river 8';
const passwordHash = await hashPassword(PASSWORD);

async function somebody(): Promise<Person> {
  const person = await site.member({ balancePoints: 12_480n });
  await site.owner.rows(sql`
    update members.members set password_hash = ${passwordHash}, first_name = 'Mina', last_name = 'Kim'
    where id = ${person.id}`);
  return person;
}

async function elsewhere(person: Person): Promise<Person> {
  const token = await site.database.transaction((tx) =>
    openSession(tx, person.id, 'Firefox/145.0', '127.0.0.1'),
  );
  return { ...person, cookie: `sid=${token}` };
}

/** Loads a screen with the session of a person, in a browser that keeps nothing else. */
async function enter(person: Person, path: string): Promise<void> {
  if (page.url().startsWith(site.origin)) await page.evaluate(() => localStorage.clear());
  await context.clearCookies();
  await context.addCookies(sessionCookies(person, site.origin));
  await page.goto(site.origin + path);
}
const show = (path: string) => visit(page, site.origin + path);

const settingsOf = async (as: Person) => (await site.call('GET', '/api/user/settings', { as })).body;
const userOf = async (as: Person) => (await site.call('GET', '/api/user', { as })).body;
const isSignedIn = async (as: Person) => (await site.call('GET', '/api/user', { as })).status === 200;

/** Every call to a path fails as if the server can't answer. */
const cutOff = (path: string, method: string) =>
  page.route(`**${path}`, (route) =>
    route.request().method() === method ? route.abort() : route.fallback(),
  );

/** Waits until the settings are stored. The words about it may be those of the change before. */
async function saving(act: () => Promise<unknown>): Promise<void> {
  const isSaved = page.waitForResponse(
    (answer) => answer.url().endsWith('/api/user/settings') && answer.request().method() === 'PUT',
  );
  await act();
  assert.equal((await isSaved).status(), 200);
}

/** Runs in the page: for how long its dialog says something before it closes. */
const saidMs = (words: string) =>
  new Promise<number>((done) => {
    let since: number | undefined;
    const look = () => {
      const isSaid = document.querySelector('[role=dialog]')?.textContent?.includes(words) ?? false;
      if (isSaid) since ??= performance.now();
      if (isSaid || since === undefined) return;
      observer.disconnect();
      done(performance.now() - since);
    };
    const observer = new MutationObserver(look);
    observer.observe(document.body, { childList: true, subtree: true, characterData: true });
  });

const mina = await somebody();
const phone = await elsewhere(mina);

it('shows an error if settings or figures could not be read, and loads them at the next attempt', async () => {
  for (const path of ['settings', 'sessions', 'stats']) await cutOff(`/api/user/${path}`, 'GET');
  await openConnected(page, () => enter(mina, '/settings'));
  await page.getByText('Your settings didn’t load').waitFor();
  await page.getByText('Your logins didn’t load').waitFor();
  await page.unroute('**/api/user/settings');
  await page.getByRole('button', { name: 'Try again' }).first().click();
  await page.getByRole('combobox', { name: 'Time zone' }).waitFor();
  await show('/profile');
  await page.getByText('Your figures didn’t load').waitFor();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('region', { name: 'Your figures' }).getByText('Completed tasks').waitFor();
  complaints.splice(0);
});

it('§2-2 profile: shows the name, the sums, the account and the chat theme', async () => {
  await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor();
  await page.getByRole('heading', { name: 'Mina Kim' }).waitFor();
  const text = await page.locator('main').innerText();
  const { referralCode } = await userOf(mina);
  for (const part of [mina.email, 'User', 'Joined ', referralCode, String(mina.id), 'Active', 'Blue'])
    assert.ok(text.includes(part), `${part} is not in ${text}`);
  const figures = page.getByRole('region', { name: 'Your figures' });
  assert.match(
    (await figures.innerText()).replaceAll('\u00a0', ' '),
    /Balance\s+12,480 P\s+\$12\.48\s+Total earned\s+12,480 P\s.*Today’s earnings\s+12,480 P\s+Completed tasks\s+0/s,
  );
});

describe('the chat theme', () => {
  const dialog = page.getByRole('dialog', { name: 'Chat theme' });
  const apply = dialog.getByRole('button', { name: 'Apply Theme' });
  const bubble = dialog.getByRole('textbox', { name: /^Bubble colour/ });
  const text = dialog.getByRole('textbox', { name: /^Text colour/ });
  const open = () => page.getByRole('button', { name: 'Change Theme' }).click();

  it('§2-8 chat theme: stays unchanged after Cancel, and shows if it could not be stored', async () => {
    await open();
    await dialog.getByRole('radio', { name: 'Teal' }).check({ force: true });
    await cutOff('/api/user/chat-theme', 'PUT');
    await apply.click();
    const toast = page.getByRole('alert').filter({ hasText: 'Theme Save Failed' });
    await toast.getByText('An error occurred while saving the theme.').waitFor();
    await dialog.getByText('The server isn’t answering.').waitFor();
    await page.unrouteAll();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal((await userOf(mina)).chatTheme, 'default');
    complaints.splice(0);
  });
  it('§2-4 chat theme: takes a custom colour, warns of low contrast, and refuses an incomplete colour', async () => {
    await open();
    await bubble.fill('#12');
    await dialog.getByText('Use six digits, such as #3B82F6').waitFor();
    assert.ok(await apply.isDisabled());
    await bubble.fill('ffff00');
    assert.equal(await bubble.inputValue(), '#ffff00');
    await dialog.getByText('The text is hard to read on this colour.').waitFor();
    assert.equal(await dialog.getByRole('radio', { checked: true }).count(), 0);
    await text.fill('#000000');
    await dialog.getByText('The text is hard to read').waitFor({ state: 'detached' });
    // The pickers can be moved by keys.
    const hue = dialog.getByRole('slider', { name: 'Hue' }).first();
    await hue.focus();
    await hue.press('ArrowRight');
    assert.notEqual((await bubble.inputValue()).toLowerCase(), '#ffff00');
    await apply.click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('region', { name: 'Chat theme' }).getByText('Custom').waitFor();
  });
  it('§2-2 chat theme: is chosen among twelve, previewed, stored, and closes the dialog after 1.5 s', async () => {
    await open();
    await dialog.waitFor();
    assert.equal(await dialog.getByRole('radio').count(), 12);
    await dialog.getByRole('radio', { name: 'Yellow' }).check({ force: true });
    assert.equal(await bubble.inputValue(), '#FACC15');
    assert.equal(await text.inputValue(), '#000000');
    assert.deepEqual(await violations(page), []);
    // The page measures it, because a busy test is told late. The first frame that shows it may come late too.
    const shown = page.evaluate(saidMs, 'Theme saved');
    await apply.click();
    const shownMs = await shown;
    assert.ok(shownMs > 1_000, `closed after ${shownMs} ms`);
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('region', { name: 'Chat theme' }).getByText('Yellow').waitFor();
    const { chatTheme, chatBubbleColor, chatTextColor } = await userOf(mina);
    assert.deepEqual([chatTheme, chatBubbleColor, chatTextColor], ['yellow', '#FACC15', '#000000']);
  });
});

describe('the settings', () => {
  it('switch e-mail notifications off by keyboard, and show if a change was not stored', async () => {
    await show('/settings');
    const notifications = page.getByRole('switch', { name: 'E-mail notifications' });
    await notifications.focus();
    await page.keyboard.press('Space');
    await page.getByText('Settings saved successfully').waitFor();
    assert.equal((await settingsOf(mina)).emailNotifications, false);
    await cutOff('/api/user/settings', 'PUT');
    await notifications.press('Space');
    await page.getByText('Failed to save settings').waitFor();
    assert.equal(await notifications.isChecked(), false);
    await page.unrouteAll();
    complaints.splice(0);
  });
  it('show the value of points in the chosen currency by today’s rate, else in dollars', async () => {
    const choose = (currency: string) => saving(() => page.getByText(currency, { exact: true }).click());
    await choose('KRW');
    await page.getByText('No rate of today is known, so dollars are shown.').waitFor();
    await refreshDisplayRates(site.platform);
    await choose('EUR');
    await page.getByText(/1 USD is €0\.92 as of/).waitFor();
    await choose('KRW');
    await page.getByText(/1 USD is ₩1,390 as of/).waitFor();
    await show('/profile');
    await page.getByText('≈\u00a0₩17,347').first().waitFor();
    await show('/');
    await page.getByRole('heading', { level: 1, name: /Mina/ }).waitFor();
    await page.getByText('≈\u00a0₩17,347').first().waitFor();
  });
  it('show times in the chosen zone on every screen', async () => {
    await site.owner.rows(sql`
      update ledger.movements set posted_at = '2026-03-04T23:30:00Z' where member_id = ${mina.id}`);
    await show('/settings');
    const zone = page.getByRole('combobox', { name: 'Time zone' });
    await zone.waitFor();
    assert.equal(await zone.inputValue(), 'Asia/Seoul');
    await saving(() => zone.selectOption('America/New_York'));
    assert.equal((await settingsOf(mina)).timezone, 'America/New_York');
    await page.getByRole('link', { name: 'History', exact: true }).first().click();
    await page.getByRole('heading', { level: 1, name: 'History' }).waitFor();
    const time = page.locator('main time').first();
    await time.waitFor();
    assert.match((await time.innerText()).replaceAll('\u202f', ' '), /^Mar 4, .*6:30 PM$/);
  });
  it('download everything about a member as a file', async () => {
    await show('/settings');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download my data' }).click(),
    ]);
    assert.equal(download.suggestedFilename(), `account-${mina.id}.json`);
    const data = JSON.parse(readFileSync(await download.path(), 'utf8'));
    assert.equal(data.profile.email, mina.email);
    assert.equal(data.movements[0].amount, '12480');
  });
});

describe('changing the password', () => {
  const current = page.getByLabel('Current password');
  const fill = async (now: string, next: string, confirmation: string) => {
    await current.fill(now);
    await page.getByLabel(/^New password/).fill(next);
    await page.getByLabel('Confirm new password').fill(confirmation);
  };
  const button = page.getByRole('button', { name: 'Change password' });

  it('§1-5 password change: requires every field, and checks length and confirmation', async () => {
    for (const [now, next, confirmation] of [
      ['', '', ''],
      [PASSWORD, '', ''],
      [PASSWORD, NEW_PASSWORD, ''],
      ['', NEW_PASSWORD, NEW_PASSWORD],
    ] as const) {
      await fill(now, next, confirmation);
      assert.ok(await button.isDisabled());
    }
    await fill(PASSWORD, '12345', '12345');
    await button.click();
    await page.getByText('Password must be at least 6 characters').waitFor();
    await fill(PASSWORD, NEW_PASSWORD, 'a louder river 9');
    await button.click();
    await page.getByText('Passwords do not match').waitFor();
  });
  it('refuses a wrong current password, then changes it and ends the other sessions', async () => {
    await page.getByText('Firefox').waitFor();
    await fill('not this one', NEW_PASSWORD, NEW_PASSWORD);
    await button.click();
    await page.getByText('Failed to change password').waitFor();
    await page.getByText('The password is wrong.').first().waitFor();
    await fill(PASSWORD, NEW_PASSWORD, NEW_PASSWORD);
    await button.click();
    await page.getByText('Password changed successfully').waitFor();
    assert.equal(await current.inputValue(), '');
    await page.getByText('Firefox').waitFor({ state: 'detached' });
    assert.deepEqual([await isSignedIn(mina), await isSignedIn(phone)], [true, false]);
    complaints.splice(0);
  });
});

describe('the settings on another device', () => {
  let device: Person;
  let others: Person[] = [];

  it('§1-2 settings: store the language for every device', async () => {
    await saving(() => page.getByText('한국어', { exact: true }).first().click());
    await page.getByText('설정을 저장했습니다').waitFor();
    await page.getByRole('heading', { level: 1, name: '설정' }).waitFor();
    // The cases below read these with the load of this one.
    await site.owner.rows(sql`update members.members set password_hash = null where id = ${mina.id}`);
    others = [await elsewhere(mina), await elsewhere(mina), await elsewhere(mina)];
    device = await elsewhere(mina);
    await enter(device, '/settings');
    await page.getByRole('heading', { level: 1, name: '설정' }).waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.lang), 'ko');
    // A choice in the footer counts too.
    await saving(() => page.getByRole('contentinfo').getByRole('button', { name: 'English' }).click());
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    assert.equal((await settingsOf(mina)).language, 'en');
  });
  it('list the sessions, and end one of them or all others', async () => {
    const card = page.getByRole('region', { name: 'Where you are logged in' });
    await card.getByText('This device').waitFor();
    const out = card.getByRole('button', { name: /^Log out Firefox/ });
    assert.equal(await out.count(), 3);
    await out.first().click();
    await page.getByText('Logged out.').waitFor();
    assert.equal((await Promise.all(others.map(isSignedIn))).filter(Boolean).length, 2);
    await card.getByRole('button', { name: 'Log out all others' }).click();
    await page.getByText('All other devices are logged out.').waitFor();
    await out.first().waitFor({ state: 'detached' });
    const left = await Promise.all([device, mina, ...others].map(isSignedIn));
    assert.deepEqual(left, [true, false, false, false, false]);
  });
  it('set the first password if there is none', async () => {
    const remove = page.getByRole('button', { name: 'Delete account' });
    const set = page.getByRole('button', { name: 'Set password' });
    const choose = async (password: string) => {
      await page.getByLabel(/^New password/).fill(password);
      await page.getByLabel('Confirm new password').fill(password);
      await set.click();
    };
    await page.getByRole('heading', { name: 'Set a password' }).waitFor();
    await page.getByText('Set a password first').waitFor();
    assert.ok(await remove.isDisabled());
    await choose('password1');
    await page.getByText('Failed to set password').waitFor();
    await choose(NEW_PASSWORD);
    await page.getByText('Password set.').waitFor();
    await page.getByLabel('Current password').waitFor();
    assert.ok(await remove.isEnabled());
    complaints.splice(0);
  });
});

it('§1-2 profile: shows Administrator for an operator, Generating... without a code, and 0 for a debt', async () => {
  const operator = await site.member({ role: 'admin' });
  await site.owner.rows(sql`
    select ledger.post_one(${operator.id}, ${`test:debt:${operator.id}`}, 'reversal', -500, 'provider:cpx',
      'Chargeback', 'cpx', 'debt', false)`);
  await site.owner.rows(sql`update members.members set referral_code = '' where id = ${operator.id}`);
  await enter(operator, '/profile');
  await page.getByText('Administrator').waitFor();
  await page.getByText('Generating...').waitFor();
  const figures = page.getByRole('region', { name: 'Your figures' });
  await figures.getByText('Completed tasks').waitFor();
  assert.match((await figures.innerText()).replaceAll('\u00a0', ' '), /Balance\s+0 P/);
});

describe('deleting the account', () => {
  const begin = page.getByRole('button', { name: 'Delete account' });
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
  const confirm = dialog.getByRole('button', { name: 'Delete account for good' });
  let leaving: Person;

  it('is not offered to an operator', async () => {
    await show('/settings');
    await page.getByText('An operator’s account can’t be deleted.').waitFor();
    assert.ok(await begin.isDisabled());
  });
  it('§1-5 account deletion: shows what it deletes, in numbers, asks the password, refuses a wrong one', async () => {
    leaving = await somebody();
    await enter(leaving, '/settings');
    await begin.click();
    await dialog.getByText('12,480\u00a0P stay behind.').waitFor();
    await dialog.getByText('1 device is logged out at once.').waitFor();
    await dialog.getByText('In 7 days').waitFor();
    assert.deepEqual(await violations(page), []);
    await confirm.click();
    await dialog.getByText('Password is required').waitFor();
    await dialog.getByLabel('Your password').fill('not this one');
    await confirm.click();
    await dialog.getByText('Failed to delete account. The password is wrong.').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    assert.ok(await isSignedIn(leaving));
    complaints.splice(0);
  });
  it('§2-2 settings: ends on the visitors’ front page, and the account can’t sign in any more', async () => {
    await begin.click();
    await dialog.getByLabel('Your password').fill(PASSWORD);
    await confirm.click();
    await page.getByText('Account deleted successfully').waitFor();
    await page.waitForURL(`${site.origin}/`);
    await page
      .getByRole('link', { name: /log in/i })
      .first()
      .waitFor();
    assert.equal(await isSignedIn(leaving), false);
    const login = await site.call('POST', '/api/auth/login', {
      body: { email: leaving.email, password: PASSWORD },
    });
    assert.equal(login.problem.code, 'invalid-credentials');
  });
});

it('leaves no error in the console', () => assert.deepEqual(complaints, []));
