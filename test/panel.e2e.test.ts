import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { sql } from '#platform/database.ts';
import { pressInTurn, violations, visit } from './browser.ts';
import { operatorPage } from './operator-browser.ts';
import { root } from './source-tree.ts';
import { wordAt, wordsOf } from './words.ts';

/** The frame of the operators' screens, with the demo world, in one page that is loaded once and reloaded once. */
const { site, panel, asMember, page, context, complaints } = await operatorPage(
  { after },
  { language: 'en', reducedMotion: 'reduce' },
);

const rail = page.getByRole('navigation').first();
const labelOf = (name: string) => wordAt(wordsOf('en'), `panel.places.${name}`) as string | undefined;
// Not a plain import, because this file is compiled without the web's settings.
const address = join(root, 'web/screens.ts');
const { operatorScreens } = (await import(address)) as { operatorScreens: Record<string, { path: string }> };
const names = Object.keys(operatorScreens).filter((name) => labelOf(name) !== undefined);

type Waiting = { withdrawals: number; approvals: number; tickets: number };
const readWaiting = async () =>
  (await (await context.request.get(`${site.origin}/api/admin/waiting`)).json()) as Waiting;

const heading = (text: string) =>
  page.getByRole('heading', { level: 1, name: new RegExp(`^${text}`) }).waitFor();

/** Goes to the queue, where the last test may have left it for another place. */
async function toQueue(): Promise<void> {
  await visit(page, `${panel}/withdrawals`);
  await heading('Withdrawal queue');
  await page.locator('[id^="row-"]').first().waitFor();
}

const palette = page.getByRole('dialog').filter({ has: page.getByRole('combobox') });
const field = palette.getByRole('combobox');
const options = palette.getByRole('option');
const keys = page.getByRole('dialog', { name: /^(Keys|단축키)$/ });
const openPalette = async () => {
  // The line below the pointer would be marked.
  await page.mouse.move(0, 0);
  await page.keyboard.press('Control+KeyK');
  await field.waitFor();
};

describe('the rail', () => {
  it('hears of what waits over the live connection, and then polls seldom', async () => {
    const isConnected = page.waitForEvent('websocket').then((socket) => socket.waitForEvent('framereceived'));
    await page.goto(`${panel}/support`);
    await isConnected;
    const { tickets } = await readWaiting();
    const link = (count: number) => rail.getByRole('link', { name: `Tickets ${count}`, exact: true });
    await link(tickets).waitFor();
    let reads = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/api/admin/waiting')) reads += 1;
    });
    // The readings at the opening may take longer than the first. Without the connection none would be free of reads.
    for (let looks = 0; looks < 4; looks += 1) {
      reads = 0;
      await page.waitForTimeout(4_000);
      if (reads === 0) break;
    }
    assert.equal(reads, 0, 'polled although the connection is open');
    const member = await asMember();
    const asked = await member.post(`${site.origin}/api/support/tickets`, {
      headers: { origin: site.origin },
      data: { subject: 'A live question', message: 'Where are my points?' },
    });
    assert.equal(asked.status(), 201);
    const askedAt = Date.now();
    await link(tickets + 1).waitFor();
    await page.getByText('A live question').first().waitFor();
    assert.ok(Date.now() - askedAt < 5_000, `${Date.now() - askedAt} ms`);
  });

  it('has a link to every place, and marks the open one alone', async () => {
    assert.ok(names.length >= 3);
    for (const name of names) {
      const link = rail.getByRole('link', { name: new RegExp(`^${labelOf(name)}( [\\d,+]+)?$`) });
      assert.equal(await link.getAttribute('href'), operatorScreens[name]?.path, name);
    }
    // The address of the overview is the beginning of all others.
    for (const name of ['books', 'overview']) {
      await rail.getByRole('link', { name: labelOf(name) ?? '', exact: true }).click();
      await page.waitForURL(`${site.origin}${operatorScreens[name]?.path}`);
      await heading(labelOf(name) ?? '');
      // The name of the site leads to the overview too.
      const marked = await rail.locator('[aria-current="page"]').allInnerTexts();
      assert.deepEqual(marked.slice(name === 'overview' ? 1 : 0), [labelOf(name)], marked.join());
    }
  });

  it('is a menu on a phone, where the palette fills the screen, in Korean', async () => {
    await rail.getByRole('button', { name: '한국어' }).click();
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByRole('button', { name: '메뉴' }).click();
    const menu = page.getByRole('dialog');
    await menu.getByRole('link', { name: '장부' }).waitFor();
    assert.deepEqual(await violations(page), []);
    await menu.getByRole('link', { name: '장부' }).click();
    await page.waitForURL(`${panel}/books`);
    await menu.waitFor({ state: 'detached' });

    await page.getByRole('button', { name: '찾기, 이동' }).click();
    await field.waitFor();
    const overview = options.filter({ hasText: '개요' }).first();
    await overview.waitFor();
    const box = await palette.boundingBox();
    assert.deepEqual([box?.width, box?.height], [390, 844]);
    const heights = await options.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
    assert.ok(Math.min(...heights) >= 44, heights.join());
    await overview.click();
    await page.waitForURL(panel);
    await page.setViewportSize({ width: 1440, height: 900 });
    await rail.getByRole('button', { name: 'English' }).click();
    await heading('Overview');
  });
});

describe('the keys', () => {
  it('go to a screen by G and a letter, also with a Korean layout', async () => {
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
    await heading('Tickets');
  });

  it('have one meaning after G: no letter of the list acts too', async () => {
    await toQueue();
    await page.keyboard.press('KeyJ');
    await pressInTurn(page, 'KeyG', 'KeyX');
    assert.equal(await page.getByRole('checkbox', { checked: true }).count(), 0);
    await page.keyboard.press('KeyX');
    await page.getByRole('checkbox', { checked: true }).first().waitFor();
    await page.keyboard.press('KeyX');
    await page.getByRole('checkbox', { checked: true }).first().waitFor({ state: 'detached' });
  });

  it('are silent while somebody types or composes a syllable', async () => {
    await toQueue();
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
    await toQueue();
    await page.keyboard.press('Shift+Slash');
    await keys.waitFor();
    const { list } = wordsOf('en') as { list: { keys: Record<string, string> } };
    for (const word of ['title', 'move', 'search'])
      await keys.getByText(list.keys[word] ?? '', { exact: true }).waitFor();
    for (const name of names) await keys.getByText(labelOf(name) ?? '', { exact: true }).waitFor();
    assert.deepEqual(await violations(page), []);
    await page.keyboard.press('Escape');
    await keys.waitFor({ state: 'detached' });
    await pressInTurn(page, 'KeyG', 'KeyB');
    await heading('Books');
    await page.keyboard.press('Shift+Slash');
    await keys.waitFor();
    assert.equal(await keys.getByText(list.keys.title ?? '', { exact: true }).count(), 0);
    await page.keyboard.press('Escape');
  });

  it('of a single character can be switched off, which is remembered', async () => {
    await toQueue();
    await page.keyboard.press('Shift+Slash');
    await keys.getByRole('switch', { name: /^Keys of a single character/ }).click();
    // The rail's counts are polled from here on.
    await page.routeWebSocket('**/ws', (socket) => socket.close());
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

  it('finds a member by two syllables of the name, and says that nobody has one', async () => {
    const { userId } = await readFirst('status=approved');
    const { pathname, search } = new URL(page.url());
    await site.owner.rows(
      sql`update members.members set first_name = '서윤', last_name = '김' where id = ${Number(userId)}`,
    );
    await openPalette();
    await page.keyboard.insertText('서윤');
    await options.filter({ hasText: '김서윤' }).waitFor();
    await field.fill('서');
    await palette.getByText('A name from two letters on').waitFor();
    await field.fill('없는 이름');
    await palette.getByText('No member of this name.').waitFor();
    await page.keyboard.press('Escape');
    await palette.waitFor({ state: 'detached' });
    assert.deepEqual([pathname, search], [new URL(page.url()).pathname, new URL(page.url()).search]);
  });

  it('does what the open sheet does: its dialog opens, its button gets the focus', async () => {
    const row = await readFirst('status=pending&method=litecoin');
    await visit(page, `${panel}/withdrawals?open=${row.id}`);
    const approve = page.getByRole('button', { name: /^Approve .* P/ });
    await approve.waitFor();
    await openPalette();
    await page.keyboard.type('reject');
    await options.filter({ hasText: 'Reject' }).waitFor();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Reject the withdrawal' });
    await dialog.getByLabel('Reason').and(page.locator(':focus')).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await openPalette();
    await page.keyboard.type('approve');
    await options.filter({ hasText: 'Enter presses it' }).waitFor();
    await page.keyboard.press('Enter');
    await page.waitForFunction(() => document.activeElement?.textContent?.startsWith('Approve'));
  });

  it('goes to a place and moves by the arrows', async () => {
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
    await openPalette();
    let answer = () => {};
    const held = new Promise<void>((done) => {
      answer = done;
    });
    await page.route('**/api/admin/search?*', async (route) => {
      await held;
      await route.continue();
    });
    await page.keyboard.insertText('no such id 7');
    await palette.getByText('Searching').waitFor({ state: 'attached' });
    answer();
    await palette.getByText('No member, payout, earning or postback has this ID.').waitFor();
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
      await dialog.getByRole('button', { name: button }).click();
      await dialog.getByText('Reason is required').waitFor();
      await dialog.getByLabel('Reason').fill('The wallet is moved');
      await dialog.getByRole('button', { name: button }).click();
      await page.getByText(done).waitFor();
      await dialog.waitFor({ state: 'detached' });
    }
  });
});

describe('what waits', () => {
  it('is counted without the live connection too, and no zero is shown', async () => {
    const { withdrawals, tickets } = await readWaiting();
    assert.ok(withdrawals > 0 && tickets > 0);
    await rail.getByRole('link', { name: `Withdrawals ${withdrawals}`, exact: true }).waitFor();
    await rail.getByRole('link', { name: `Tickets ${tickets}`, exact: true }).waitFor();
    await page.route('**/api/admin/waiting', (route) =>
      route.fulfill({ json: { withdrawals: 0, approvals: 0, tickets: 1_000, grants: 0 } }),
    );
    await rail.getByRole('link', { name: 'Withdrawals', exact: true }).waitFor();
    await rail.getByRole('link', { name: 'Tickets 999+', exact: true }).waitFor();
    await page.unrouteAll({ behavior: 'wait' });
  });
});

describe('an address that no screen has', () => {
  it('keeps the rail', async () => {
    await visit(page, `${panel}/nope`);
    await heading('Page not found');
    await rail.getByRole('link', { name: /^Withdrawals/ }).waitFor();
    await page.getByRole('link', { name: 'Open the overview' }).click();
    await heading('Overview');
  });
});

describe('the wallet settings', () => {
  it('§2-2 wallet settings: lead an operator from the members’ address to the panel', async () => {
    await visit(page, `${site.origin}/wallet-settings`);
    await page.waitForURL(`${panel}/wallets`);
    await rail.getByRole('link', { name: 'Wallets', exact: true }).waitFor();
  });
});

describe('the console', () => {
  it('has no complaint', () => assert.deepEqual(complaints, []));
});
