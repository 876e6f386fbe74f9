import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, describe, it } from 'node:test';
import type { BrowserContext, BrowserContextOptions, Page } from 'playwright-core';
import { sql } from '#platform/database.ts';
import { hashPassword } from '../server/access/passwords.ts';
import { openSession } from '../server/access/sessions.ts';
import { refreshDisplayRates } from '../server/members/display-rates.ts';
import { buildWebIfStale } from '../web/build/build.ts';
import { openBrowser, violations } from './browser.ts';
import { openAs } from './open-as.ts';
import { type Person, testSite } from './site.ts';

/** Profile and settings in Chromium, all their messages, and the effect of a member's choices on other screens. */
await buildWebIfStale();
const site = await testSite({ after });
const browser = await openBrowser({ after });
const PASSWORD = 'a quiet river 7';
const passwordHash = await hashPassword(PASSWORD);

async function somebody(balancePoints = 12_480n): Promise<Person> {
  const person = await site.member({ balancePoints });
  await site.owner.rows(sql`
    update members.members set password_hash = ${passwordHash}, first_name = 'Mina', last_name = 'Kim'
    where id = ${person.id}`);
  return person;
}

const browse = (person: Person, path: string, options: BrowserContextOptions = {}) =>
  openAs(browser, site, person, path, options);

async function elsewhere(person: Person): Promise<Person> {
  const token = await site.database.transaction((tx) =>
    openSession(tx, person.id, 'Firefox/145.0', '127.0.0.1'),
  );
  return { ...person, cookie: `sid=${token}` };
}

const settingsOf = async (as: Person) => (await site.call('GET', '/api/user/settings', { as })).body;
const isSignedIn = async (as: Person) => (await site.call('GET', '/api/user', { as })).status === 200;

/** Every call to a path fails as if the server can't answer. */
const cutOff = (page: Page, path: string, method: string) =>
  page.route(`**${path}`, (route) =>
    route.request().method() === method ? route.abort() : route.fallback(),
  );

async function closed(context: BrowserContext, complaints: string[] = []): Promise<void> {
  await context.close();
  assert.deepEqual(complaints, []);
}

describe('the profile', () => {
  it('§2-2 profile: shows the name, the sums, the account and the chat theme', async () => {
    const person = await somebody();
    const { page, context, complaints } = await browse(person, '/profile');
    await page.getByRole('heading', { level: 1, name: 'Profile' }).waitFor();
    await page.getByRole('heading', { name: 'Mina Kim' }).waitFor();
    const text = await page.locator('main').innerText();
    const user = (await site.call('GET', '/api/user', { as: person })).body;
    for (const part of [
      person.email,
      'User',
      'Joined ',
      user.referralCode,
      String(person.id),
      'Active',
      'Blue',
    ])
      assert.ok(text.includes(part), `${part} is not in ${text}`);
    const figures = page.getByRole('region', { name: 'Your figures' });
    assert.match(
      (await figures.innerText()).replaceAll('\u00a0', ' '),
      /Balance\s+12,480 P\s+\$12\.48\s+Total earned\s+12,480 P\s.*Today’s earnings\s+12,480 P\s+Completed tasks\s+0/s,
    );
    await closed(context, complaints);
  });
  it('§1-2 profile: shows Administrator for an operator, Generating... without a code, and 0 for a debt', async () => {
    const operator = await site.member({ role: 'admin' });
    await site.owner.rows(sql`
      select ledger.post_one(${operator.id}, ${`test:debt:${operator.id}`}, 'reversal', -500, 'provider:cpx',
        'Chargeback', 'cpx', 'debt', false)`);
    await site.owner.rows(sql`update members.members set referral_code = '' where id = ${operator.id}`);
    const { page, context } = await browse(operator, '/profile');
    await page.getByText('Administrator').waitFor();
    await page.getByText('Generating...').waitFor();
    const figures = page.getByRole('region', { name: 'Your figures' });
    await figures.getByText('Completed tasks').waitFor();
    assert.match((await figures.innerText()).replaceAll('\u00a0', ' '), /Balance\s+0 P/);
    await closed(context);
  });
});

describe('the chat theme', () => {
  it('§2-2 chat theme: is chosen among twelve, previewed, stored, and closes the dialog after 1.5 s', async () => {
    const person = await somebody();
    const { page, context, complaints } = await browse(person, '/profile');
    await page.getByRole('button', { name: 'Change Theme' }).click();
    const dialog = page.getByRole('dialog', { name: 'Chat theme' });
    await dialog.waitFor();
    assert.equal(await dialog.getByRole('radio').count(), 12);
    await dialog.getByRole('radio', { name: 'Yellow' }).check({ force: true });
    assert.equal(await dialog.getByRole('textbox', { name: /^Bubble colour/ }).inputValue(), '#FACC15');
    assert.equal(await dialog.getByRole('textbox', { name: /^Text colour/ }).inputValue(), '#000000');
    assert.deepEqual(await violations(page), []);
    const saved = page.waitForResponse('**/api/user/chat-theme');
    await dialog.getByRole('button', { name: 'Apply Theme' }).click();
    await saved;
    const savedAt = performance.now();
    await dialog.getByText('Theme saved').waitFor();
    await dialog.waitFor({ state: 'detached' });
    assert.ok(performance.now() - savedAt > 1_300, 'closed too early');
    await page.getByRole('region', { name: 'Chat theme' }).getByText('Yellow').waitFor();
    const { chatTheme, chatBubbleColor, chatTextColor } = (
      await site.call('GET', '/api/user', { as: person })
    ).body;
    assert.deepEqual([chatTheme, chatBubbleColor, chatTextColor], ['yellow', '#FACC15', '#000000']);
    await closed(context, complaints);
  });
  it('§2-4 chat theme: takes a custom colour, warns of low contrast, and refuses an incomplete colour', async () => {
    const person = await somebody();
    const { page, context } = await browse(person, '/profile');
    await page.getByRole('button', { name: 'Change Theme' }).click();
    const dialog = page.getByRole('dialog', { name: 'Chat theme' });
    const bubble = dialog.getByRole('textbox', { name: /^Bubble colour/ });
    await bubble.fill('#12');
    await dialog.getByText('Use six digits, such as #3B82F6').waitFor();
    assert.ok(await dialog.getByRole('button', { name: 'Apply Theme' }).isDisabled());
    await bubble.fill('ffff00');
    assert.equal(await bubble.inputValue(), '#ffff00');
    await dialog.getByText('The text is hard to read on this colour.').waitFor();
    assert.equal(await dialog.getByRole('radio', { checked: true }).count(), 0);
    await dialog.getByRole('textbox', { name: /^Text colour/ }).fill('#000000');
    await dialog.getByText('The text is hard to read').waitFor({ state: 'detached' });
    // The pickers can be moved by keys.
    const hue = dialog.getByRole('slider', { name: 'Hue' }).first();
    await hue.focus();
    await hue.press('ArrowRight');
    assert.notEqual((await bubble.inputValue()).toLowerCase(), '#ffff00');
    await dialog.getByRole('button', { name: 'Apply Theme' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('region', { name: 'Chat theme' }).getByText('Custom').waitFor();
    await closed(context);
  });
  it('§2-8 chat theme: stays unchanged after Cancel, and shows if it could not be stored', async () => {
    const person = await somebody();
    const { page, context } = await browse(person, '/profile');
    await page.getByRole('button', { name: 'Change Theme' }).click();
    const dialog = page.getByRole('dialog', { name: 'Chat theme' });
    await dialog.getByRole('radio', { name: 'Teal' }).check({ force: true });
    await cutOff(page, '/api/user/chat-theme', 'PUT');
    await dialog.getByRole('button', { name: 'Apply Theme' }).click();
    const toast = page.getByRole('alert').filter({ hasText: 'Theme Save Failed' });
    await toast.getByText('An error occurred while saving the theme.').waitFor();
    await dialog.getByText('The server isn’t answering.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal((await site.call('GET', '/api/user', { as: person })).body.chatTheme, 'default');
    await closed(context);
  });
});

describe('the settings', () => {
  it('§1-2 settings: store the language for every device', async () => {
    const person = await somebody();
    const { page, context, complaints } = await browse(person, '/settings');
    await page.getByText('한국어', { exact: true }).first().click();
    await page.getByText('설정을 저장했습니다').waitFor();
    await page.getByRole('heading', { level: 1, name: '설정' }).waitFor();
    const other = await browse(await elsewhere(person), '/settings', { locale: 'en-US' });
    await other.page.getByRole('heading', { level: 1, name: '설정' }).waitFor();
    assert.equal(await other.page.evaluate(() => document.documentElement.lang), 'ko');
    // A choice in the footer counts too.
    await other.page.getByRole('contentinfo').getByRole('button', { name: 'English' }).click();
    await other.page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor();
    await other.page.waitForLoadState('networkidle');
    assert.equal((await settingsOf(person)).language, 'en');
    await closed(other.context, other.complaints);
    await closed(context, complaints);
  });
  it('show times in the chosen zone on every screen', async () => {
    const person = await somebody();
    await site.owner.rows(sql`
      update ledger.movements set posted_at = '2026-03-04T23:30:00Z' where member_id = ${person.id}`);
    const { page, context, complaints } = await browse(person, '/settings');
    const zone = page.getByRole('combobox', { name: 'Time zone' });
    assert.equal(await zone.inputValue(), 'Asia/Seoul');
    await zone.selectOption('America/New_York');
    await page.getByText('Settings saved successfully').waitFor();
    assert.equal((await settingsOf(person)).timezone, 'America/New_York');
    await page.getByRole('link', { name: 'History', exact: true }).first().click();
    await page.getByRole('heading', { level: 1, name: 'History' }).waitFor();
    const time = page.locator('main time').first();
    await time.waitFor();
    assert.match((await time.innerText()).replaceAll('\u202f', ' '), /^Mar 4, .*6:30 PM$/);
    await site.call('PUT', '/api/user/settings', { as: person, body: { timezone: 'Asia/Seoul' } });
    await page.reload();
    await time.waitFor();
    assert.match((await time.innerText()).replaceAll('\u202f', ' '), /^Mar 5, .*8:30 AM$/);
    await closed(context, complaints);
  });
  it('show the value of points in the chosen currency by today’s rate, else in dollars', async () => {
    const person = await somebody();
    const { page, context, complaints } = await browse(person, '/settings');
    await page.getByText('KRW', { exact: true }).click();
    await page.getByText('No rate of today is known, so dollars are shown.').waitFor();
    await refreshDisplayRates(site.platform);
    await page.getByText('EUR', { exact: true }).click();
    await page.getByText(/1 USD is €0\.92 as of/).waitFor();
    await page.getByText('KRW', { exact: true }).click();
    await page.getByText(/1 USD is ₩1,390 as of/).waitFor();
    await page.goto(`${site.origin}/profile`);
    await page.getByText('≈\u00a0₩17,347').first().waitFor();
    await page.goto(site.origin);
    await page.getByText('≈\u00a0₩17,347').first().waitFor();
    await closed(context, complaints);
  });
  it('switch e-mail notifications off by keyboard, and show if a change was not stored', async () => {
    const person = await somebody();
    const { page, context } = await browse(person, '/settings');
    const notifications = page.getByRole('switch', { name: 'E-mail notifications' });
    await notifications.focus();
    await page.keyboard.press('Space');
    await page.getByText('Settings saved successfully').waitFor();
    assert.equal((await settingsOf(person)).emailNotifications, false);
    await cutOff(page, '/api/user/settings', 'PUT');
    await notifications.press('Space');
    await page.getByText('Failed to save settings').waitFor();
    assert.equal(await notifications.isChecked(), false);
    await closed(context);
  });
  it('show an error if they could not be read, and load at the next attempt', async () => {
    const { page, context } = await browse(await somebody(), '/profile');
    await cutOff(page, '/api/user/settings', 'GET');
    await cutOff(page, '/api/user/sessions', 'GET');
    await page.goto(`${site.origin}/settings`);
    await page.getByText('Your settings didn’t load').waitFor();
    await page.getByText('Your sign-ins didn’t load').waitFor();
    await page.unroute('**/api/user/settings');
    await page.getByRole('button', { name: 'Try again' }).first().click();
    await page.getByRole('combobox', { name: 'Time zone' }).waitFor();
    await cutOff(page, '/api/user/stats', 'GET');
    await page.goto(`${site.origin}/profile`);
    await page.getByText('Your figures didn’t load').waitFor();
    await closed(context);
  });
});

describe('changing the password', () => {
  const fill = async (page: Page, current: string, next: string, confirmation: string) => {
    await page.getByLabel('Current password').fill(current);
    await page.getByLabel(/^New password/).fill(next);
    await page.getByLabel('Confirm new password').fill(confirmation);
  };
  const button = (page: Page) => page.getByRole('button', { name: 'Change password' });

  it('§1-5 password change: requires every field, and checks length and confirmation', async () => {
    const { page, context } = await browse(await somebody(), '/settings');
    await page.getByLabel('Current password').waitFor();
    for (const [current, next, confirmation] of [
      ['', '', ''],
      [PASSWORD, '', ''],
      [PASSWORD, 'a louder river 8', ''],
      ['', 'a louder river 8', 'a louder river 8'],
    ] as const) {
      await fill(page, current, next, confirmation);
      assert.ok(await button(page).isDisabled());
    }
    await fill(page, PASSWORD, '12345', '12345');
    await button(page).click();
    await page.getByText('Password must be at least 6 characters').waitFor();
    await fill(page, PASSWORD, 'a louder river 8', 'a louder river 9');
    await button(page).click();
    await page.getByText('Passwords do not match').waitFor();
    await closed(context);
  });
  it('refuses a wrong current password, then changes it and ends the other sessions', async () => {
    const person = await somebody();
    const phone = await elsewhere(person);
    const { page, context } = await browse(person, '/settings');
    await page.getByText('Firefox').waitFor();
    await fill(page, 'not this one', 'a louder river 8', 'a louder river 8');
    await button(page).click();
    await page.getByText('Failed to change password').waitFor();
    await page.getByText('The password is wrong.').first().waitFor();
    await fill(page, PASSWORD, 'a louder river 8', 'a louder river 8');
    await button(page).click();
    await page.getByText('Password changed successfully').waitFor();
    assert.equal(await page.getByLabel('Current password').inputValue(), '');
    await page.getByText('Firefox').waitFor({ state: 'detached' });
    assert.deepEqual([await isSignedIn(person), await isSignedIn(phone)], [true, false]);
    await closed(context);
  });
  it('sets the first password if there is none', async () => {
    const person = await somebody();
    await site.owner.rows(sql`update members.members set password_hash = null where id = ${person.id}`);
    const { page, context } = await browse(person, '/settings');
    await page.getByRole('heading', { name: 'Set a password' }).waitFor();
    assert.ok(await page.getByRole('button', { name: 'Delete account' }).isDisabled());
    await page.getByText('Set a password first').waitFor();
    const set = page.getByRole('button', { name: 'Set password' });
    await page.getByLabel(/^New password/).fill('password1');
    await page.getByLabel('Confirm new password').fill('password1');
    await set.click();
    await page.getByText('Failed to set password').waitFor();
    await page.getByLabel(/^New password/).fill('a louder river 8');
    await page.getByLabel('Confirm new password').fill('a louder river 8');
    await set.click();
    await page.getByText('Password set.').waitFor();
    await page.getByLabel('Current password').waitFor();
    assert.ok(await page.getByRole('button', { name: 'Delete account' }).isEnabled());
    await closed(context);
  });
});

it('lists the sessions, and ends one of them or all others', async () => {
  const person = await somebody();
  const [one, two, three] = [await elsewhere(person), await elsewhere(person), await elsewhere(person)];
  const { page, context, complaints } = await browse(person, '/settings');
  const card = page.getByRole('region', { name: 'Where you are logged in' });
  await card.getByText('This device').waitFor();
  const out = card.getByRole('button', { name: /^Log out Firefox/ });
  assert.equal(await out.count(), 3);
  await out.first().click();
  await page.getByText('Logged out.').waitFor();
  const left = (await Promise.all([one, two, three].map(isSignedIn))).filter(Boolean);
  assert.equal(left.length, 2);
  await card.getByRole('button', { name: 'Log out all others' }).click();
  await page.getByText('All other devices are logged out.').waitFor();
  await out.first().waitFor({ state: 'detached' });
  assert.deepEqual(await Promise.all([person, one, two, three].map(isSignedIn)), [true, false, false, false]);
  await closed(context, complaints);
});

it('downloads everything about a member as a file', async () => {
  const person = await somebody();
  const { page, context, complaints } = await browse(person, '/settings');
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: 'Download my data' }).click(),
  ]);
  assert.equal(download.suggestedFilename(), `account-${person.id}.json`);
  const data = JSON.parse(readFileSync(await download.path(), 'utf8'));
  assert.equal(data.profile.email, person.email);
  assert.equal(data.movements[0].amount, '12480');
  await closed(context, complaints);
});

describe('deleting the account', () => {
  const leaving = somebody();
  it('§1-5 account deletion: shows what it deletes, in numbers, asks the password, refuses a wrong one', async () => {
    const person = await leaving;
    const { page, context } = await browse(person, '/settings');
    await page.getByRole('button', { name: 'Delete account' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
    await dialog.getByText('12,480\u00a0P stay behind.').waitFor();
    await dialog.getByText('1 device is logged out at once.').waitFor();
    await dialog.getByText('In 7 days').waitFor();
    assert.deepEqual(await violations(page), []);
    const confirm = dialog.getByRole('button', { name: 'Delete account for good' });
    await confirm.click();
    await dialog.getByText('Password is required').waitFor();
    await dialog.getByLabel('Your password').fill('not this one');
    await confirm.click();
    await dialog.getByText('Failed to delete account. The password is wrong.').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    assert.ok(await isSignedIn(person));
    await closed(context);
  });
  it('§2-2 settings: ends on the visitors’ front page, and the account can’t sign in any more', async () => {
    const person = await leaving;
    const { page, context } = await browse(person, '/settings');
    await page.getByRole('button', { name: 'Delete account' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete your account?' });
    await dialog.getByLabel('Your password').fill(PASSWORD);
    await dialog.getByRole('button', { name: 'Delete account for good' }).click();
    await page.getByText('Account deleted successfully').waitFor();
    await page.waitForURL(`${site.origin}/`);
    await page
      .getByRole('link', { name: /log in/i })
      .first()
      .waitFor();
    assert.equal(await isSignedIn(person), false);
    const login = await site.call('POST', '/api/auth/login', {
      body: { email: person.email, password: PASSWORD },
    });
    assert.equal(login.problem.code, 'invalid-credentials');
    await closed(context);
  });
  it('is not offered to an operator', async () => {
    const { page, context } = await browse(await site.member({ role: 'admin' }), '/settings');
    await page.getByText('An operator’s account can’t be deleted.').waitFor();
    assert.ok(await page.getByRole('button', { name: 'Delete account' }).isDisabled());
    await closed(context);
  });
});
