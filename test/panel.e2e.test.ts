import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { openPage, pressInTurn, violations, widerThanWindow } from './browser.ts';
import { operatorPage } from './operator-browser.ts';
import { signIn } from './sign-in.ts';
import { root } from './source-tree.ts';
import { wordAt, wordsOf } from './words.ts';

/** The frame of the operators' screens, with the demo world. */
const { site, panel, browser, openOperator, asMember, page, context, complaints } = await operatorPage(
  { after },
  { reducedMotion: 'reduce' },
);

const rail = page.getByRole('navigation').first();
const labelOf = (name: string, language: 'en' | 'ko') =>
  wordAt(wordsOf(language), `panel.places.${name}`) as string | undefined;
// Not a plain import, because this file is compiled without the web's settings.
const address = join(root, 'web/screens.ts');
const { operatorScreens } = (await import(address)) as { operatorScreens: Record<string, { path: string }> };
const names = Object.keys(operatorScreens).filter((name) => labelOf(name, 'en') !== undefined);

type Waiting = { withdrawals: number; approvals: number; tickets: number };
const readWaiting = async () =>
  (await (await context.request.get(`${site.origin}/api/admin/waiting`)).json()) as Waiting;

/** Opens a screen of operators in a language. */
async function openIn(language: 'en' | 'ko', path = '/withdrawals'): Promise<void> {
  await page.goto(`${site.origin}/faq`);
  await page.evaluate((chosen) => localStorage.setItem('operatorLanguage', chosen), language);
  await page.goto(panel + path);
  await page.getByRole('heading', { level: 1 }).waitFor();
}

describe('the rail', () => {
  it('leads to every place, and marks the open one', async () => {
    await openIn('ko');
    assert.ok(names.length >= 3);
    for (const name of names) {
      const link = rail.getByRole('link', { name: new RegExp(`^${labelOf(name, 'ko')}( [\\d,+]+)?$`) });
      await link.click();
      await page.waitForURL(`${site.origin}${operatorScreens[name]?.path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      assert.equal(await link.getAttribute('aria-current'), 'page');
      // The overview is above the groups.
      const count = name === 'overview' ? 0 : 1;
      assert.equal(await rail.getByRole('group').locator('[aria-current]').count(), count);
    }
  });

  it('counts what waits, and shows no zero', async () => {
    await page.routeWebSocket('**/ws', (socket) => socket.close());
    await openIn('en');
    const { withdrawals, tickets } = await readWaiting();
    assert.ok(withdrawals > 0 && tickets > 0);
    await rail.getByRole('link', { name: `Withdrawals ${withdrawals}`, exact: true }).waitFor();
    await rail.getByRole('link', { name: `Tickets ${tickets}`, exact: true }).waitFor();
    await rail.getByRole('link', { name: 'Books', exact: true }).waitFor();
    await page.route('**/api/admin/waiting', (route) =>
      route.fulfill({ json: { withdrawals: 0, approvals: 0, tickets: 1_000, grants: 0 } }),
    );
    // Without the live connection the next poll brings the counts.
    await rail.getByRole('link', { name: 'Withdrawals', exact: true }).waitFor();
    await rail.getByRole('link', { name: 'Tickets 999+', exact: true }).waitFor();
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('hears of what waits over the live connection, and then polls seldom', async () => {
    const { page: own, context: theirs } = await openOperator('en');
    const isConnected = own.waitForEvent('websocket').then((socket) => socket.waitForEvent('framereceived'));
    await own.goto(`${panel}/support`);
    await isConnected;
    const { tickets } = await readWaiting();
    const link = (count: number) => own.getByRole('link', { name: `Tickets ${count}`, exact: true }).first();
    await link(tickets).waitFor();
    // The reading at the opening is over.
    await own.waitForTimeout(1_000);
    const readAt: number[] = [];
    own.on('request', (request) => {
      if (request.url().endsWith('/api/admin/waiting')) readAt.push(Date.now());
    });
    await own.waitForTimeout(4_000);
    assert.deepEqual(readAt, [], 'polled although the connection is open');
    const member = await asMember();
    const asked = await member.post(`${site.origin}/api/support/tickets`, {
      headers: { origin: site.origin },
      data: { subject: 'A live question', message: 'Where are my points?' },
    });
    assert.equal(asked.status(), 201);
    const askedAt = Date.now();
    await link(tickets + 1).waitFor();
    await own.getByText('A live question').first().waitFor();
    assert.ok(Date.now() - askedAt < 5_000, `${Date.now() - askedAt} ms`);
    await theirs.close();
  });

  it('is a menu on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await openIn('ko');
    await page.getByRole('button', { name: '메뉴' }).click();
    const menu = page.getByRole('dialog');
    assert.deepEqual(await violations(page), []);
    await menu.getByRole('link', { name: '장부' }).click();
    await page.waitForURL(`${panel}/books`);
    await menu.waitFor({ state: 'detached' });
    await page.setViewportSize({ width: 1440, height: 900 });
  });
});

const palette = page.getByRole('dialog').filter({ has: page.getByRole('combobox') });
const field = palette.getByRole('combobox');
const options = palette.getByRole('option');
const keys = page.getByRole('dialog', { name: /^(Keys|단축키)$/ });
const openPalette = async () => {
  await page.keyboard.press('Control+KeyK');
  await field.waitFor();
};

describe('the keys', () => {
  it('go to a screen by G and a letter, also with a Korean layout', async () => {
    await openIn('en');
    await pressInTurn(page, 'KeyG', 'KeyB');
    await page.waitForURL(`${panel}/books`);
    await page.evaluate(() => {
      const press = (code: string, key: string) =>
        document.body.dispatchEvent(
          new KeyboardEvent('keydown', { code, key, bubbles: true, cancelable: true }),
        );
      press('KeyG', 'ㅎ');
      press('KeyT', 'ㅅ');
    });
    await page.waitForURL(`${panel}/support`);
    await page.getByRole('heading', { level: 1, name: 'Tickets' }).waitFor();
  });

  it('have one meaning after G: no letter of the list acts too', async () => {
    await openIn('en');
    await page.locator('[id^="row-"]').first().waitFor();
    await page.keyboard.press('KeyJ');
    await pressInTurn(page, 'KeyG', 'KeyX');
    assert.equal(await page.getByRole('checkbox', { checked: true }).count(), 0);
    await page.keyboard.press('KeyX');
    await page.getByRole('checkbox', { checked: true }).first().waitFor();
    await page.keyboard.press('KeyX');
    await page.getByRole('checkbox', { checked: true }).first().waitFor({ state: 'detached' });
  });

  it('are silent while somebody types or composes a syllable', async () => {
    await openIn('en');
    await page.locator('[id^="row-"]').first().waitFor();
    await page.keyboard.press('Slash');
    const search = page.getByRole('textbox', { name: 'Find a withdrawal' });
    await page.waitForFunction(() => document.activeElement?.id === 'list-search');
    await page.keyboard.type('gb?/');
    assert.equal(await search.inputValue(), 'gb?/');
    assert.equal(await keys.count(), 0);
    await page.keyboard.press('Escape');
    await page.evaluate(() => {
      const composing = { code: 'KeyG', key: 'ㅎ', isComposing: true, bubbles: true };
      document.body.dispatchEvent(new KeyboardEvent('keydown', composing));
    });
    await page.keyboard.press('KeyB');
    assert.equal(new URL(page.url()).pathname, '/management-panel-x7k9w/withdrawals');
  });

  it('are shown by ?, those of the screen too', async () => {
    await openIn('en');
    await page.locator('[id^="row-"]').first().waitFor();
    await page.keyboard.press('Shift+Slash');
    await keys.waitFor();
    const { list } = wordsOf('en') as { list: { keys: Record<string, string> } };
    for (const word of ['title', 'move', 'search'])
      await keys.getByText(list.keys[word] ?? '', { exact: true }).waitFor();
    for (const name of names) await keys.getByText(labelOf(name, 'en') ?? '', { exact: true }).waitFor();
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press('Escape');
    await keys.waitFor({ state: 'detached' });
    await pressInTurn(page, 'KeyG', 'KeyB');
    await page.getByRole('heading', { level: 1, name: labelOf('books', 'en') ?? '' }).waitFor();
    await page.keyboard.press('Shift+Slash');
    await keys.waitFor();
    assert.equal(await keys.getByText(list.keys.title ?? '', { exact: true }).count(), 0);
    await page.keyboard.press('Escape');
  });

  it('of a single character can be switched off, which is remembered', async () => {
    await openIn('en');
    await page.keyboard.press('Shift+Slash');
    await keys.getByRole('switch', { name: /^Keys of a single character/ }).click();
    await page.reload();
    await page.locator('[id^="row-"]').first().waitFor();
    for (const key of ['KeyG', 'KeyB', 'KeyJ', 'Slash', 'Shift+Slash']) await page.keyboard.press(key);
    assert.equal(new URL(page.url()).pathname, '/management-panel-x7k9w/withdrawals');
    assert.equal(await keys.count(), 0);
    assert.doesNotMatch(await page.evaluate(() => document.activeElement?.id ?? ''), /^(row-|list-search)/);
    // The palette still opens, and leads to the sheet with the switch.
    await openPalette();
    await page.keyboard.type('keys');
    await page.keyboard.press('Enter');
    await keys.getByRole('switch').click();
    await page.keyboard.press('Escape');
    await keys.waitFor({ state: 'detached' });
    await pressInTurn(page, 'KeyG', 'KeyB');
    await page.waitForURL(`${panel}/books`);
  });
});

type Row = { id: string; userId: string; userEmail: string; address: string };
const readFirst = async (query: string): Promise<Row> => {
  const answer = await context.request.get(`${site.origin}/api/admin/withdrawals-data?limit=1&${query}`);
  const [row] = ((await answer.json()) as { withdrawals: Row[] }).withdrawals;
  assert.ok(row);
  return row;
};

describe('the palette', () => {
  it('opens a pasted address where it belongs, by keys alone, and remembers it', async () => {
    const row = await readFirst('status=pending&method=litecoin');
    await openIn('en', '/books');
    await openPalette();
    assert.ok((await options.count()) > 5);
    await page.keyboard.insertText(row.address);
    await options.filter({ hasText: row.id }).waitFor();
    assert.equal(await options.first().getAttribute('aria-selected'), 'true');
    assert.equal(await field.getAttribute('aria-activedescendant'), await options.first().getAttribute('id'));
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.searchParams.get('open') !== null);
    await page.getByRole('complementary').waitFor();
    await openPalette();
    assert.match(await options.first().innerText(), / P\nWithdrawal /);
    await page.keyboard.press('Escape');
    await palette.waitFor({ state: 'detached' });
  });

  it('finds a member by e-mail address and by id, also as members only', async () => {
    const row = await readFirst('status=approved');
    await openIn('en');
    await openPalette();
    await page.keyboard.insertText(`@${row.userEmail}`);
    await options.filter({ hasText: row.userId }).waitFor();
    assert.equal(await options.count(), 1);
    await field.fill(row.userId);
    await options.filter({ hasText: row.userEmail }).click();
    await palette.waitFor({ state: 'detached' });
    await page.waitForURL((url) => url.searchParams.get('id')?.replaceAll('"', '') === row.userId);
    await page.getByText(row.userEmail).first().waitFor();
  });

  it('goes to a place and moves by the arrows', async () => {
    await openIn('en');
    await openPalette();
    await page.keyboard.type('boo');
    await page.getByRole('option', { name: /^Books/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    assert.match(await palette.getByRole('option', { selected: true }).innerText(), /Audit the books/);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${panel}/books`);
  });

  it('says that it searches, that nothing was found, and that there is no connection', async () => {
    await openIn('en');
    await openPalette();
    let answer = () => {};
    const held = new Promise<void>((done) => {
      answer = done;
    });
    await page.route('**/api/admin/search?*', async (route) => {
      await held;
      await route.continue();
    });
    await page.keyboard.insertText('no such id');
    await palette.getByText('Searching').waitFor({ state: 'attached' });
    answer();
    await palette.getByText('No member, payout, earning or postback has this id.').waitFor();
    await page.unrouteAll({ behavior: 'wait' });
    await page.route('**/api/admin/search?*', (route) => route.abort());
    await field.fill('books');
    await palette.getByText('No connection. Places and commands still work.').waitFor();
    await page.getByRole('option', { name: /^Books/ }).waitFor();
    await page.unroute('**/api/admin/search?*');
    complaints.splice(0);
    await page.keyboard.press('Escape');
  });

  it('pauses all payouts only after it asked, and resumes them', async () => {
    await openIn('en');
    for (const { typed, title, button, done } of [
      {
        typed: '>pause',
        title: 'Pause payouts?',
        button: 'Pause payouts',
        done: 'Payouts are paused.',
      },
      {
        typed: '>resume',
        title: 'Resume payouts?',
        button: 'Resume payouts',
        done: 'Payouts are resumed.',
      },
    ]) {
      await openPalette();
      await page.keyboard.type(typed);
      assert.equal(await field.inputValue(), typed);
      await options.filter({ hasText: 'asks first' }).waitFor();
      assert.equal(await options.count(), 1);
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog', { name: title });
      await dialog.waitFor();
      assert.deepEqual(await violations(page), []);
      await dialog.getByRole('button', { name: button }).click();
      await dialog.getByText('Reason is required').waitFor();
      await dialog.getByLabel('Reason').fill('The wallet is moved');
      await dialog.getByRole('button', { name: button }).click();
      await page.getByText(done).waitFor();
      await dialog.waitFor({ state: 'detached' });
    }
  });

  it('fills a phone’s screen, in Korean and in the dark', async () => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await page.setViewportSize({ width: 390, height: 844 });
    await openIn('ko');
    await page.getByRole('button', { name: '찾기, 이동' }).click();
    await field.waitFor();
    await options.filter({ hasText: '장부' }).first().waitFor();
    assert.equal(await widerThanWindow(page), 0);
    const box = await palette.boundingBox();
    assert.deepEqual([box?.width, box?.height], [390, 844]);
    for (const option of await options.all()) assert.ok(((await option.boundingBox())?.height ?? 0) >= 44);
    await options.filter({ hasText: '장부' }).first().click();
    await page.waitForURL(`${panel}/books`);
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.emulateMedia({ colorScheme: 'light' });
  });
});

describe('the wallet settings', () => {
  it('§2-2 wallet settings: tell a member that permission is required, and lead an operator to the panel', async () => {
    const member = await openPage(browser, { reducedMotion: 'reduce' });
    await signIn(member.context, site, site.member);
    await member.page.goto(`${site.origin}/wallet-settings`);
    await member.page.getByRole('heading', { level: 2, name: 'Access denied' }).waitFor();
    await member.page.getByText(/^Admin permission is required/).waitFor();
    assert.deepEqual(member.complaints, []);
    await member.context.close();
    await page.goto(`${site.origin}/wallet-settings`);
    await page.waitForURL(`${panel}/wallets`);
  });
});

describe('the console', () => {
  it('has no complaint', () => assert.deepEqual(complaints, []));
});
