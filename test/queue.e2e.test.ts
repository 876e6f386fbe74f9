import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Locator } from 'playwright-core';
import { pressInTurn, settle, violations, visit } from './browser.ts';
import { operatorPage } from './operator-browser.ts';
import { queueLine } from './queue-line.ts';

/** The operators' queue with the requests of the demo world: decided one by one, by keyboard, and kept up to date. */
const { site, headers, panel, requestWithdrawal, page, context, complaints } = await operatorPage(
  { after },
  { language: 'en', payoutDelaySeconds: 3_600 },
);
await context.grantPermissions(['clipboard-read', 'clipboard-write']);
const line = await queueLine(page);
const queue = `${panel}/withdrawals`;
const made = [
  await requestWithdrawal('1101'),
  await requestWithdrawal('1102'),
  await requestWithdrawal('1103'),
];
const CHECKS = /^Checks \d+ passed/;

type Listed = { id: string; status: string; address: string; rejectionReason: string | null };
const listed = async (status?: 'pending'): Promise<Listed[]> => {
  const path = `/api/admin/withdrawals-data?sort=createdAt&limit=100${status ? `&status=${status}` : ''}`;
  return (await (await context.request.get(site.origin + path)).json()).withdrawals;
};

const rows = page.locator('tbody').getByRole('row');
const sheet = page.getByRole('complementary');
const approve = sheet.getByRole('button', { name: /^Approve/ });
const opened = () => new URL(page.url()).searchParams.get('open');
const idOf = async (row: Locator) =>
  ((await row.getByRole('button').getAttribute('id')) ?? '').replace('row-', '');

/** Goes to the pending requests with the focus on none. Returns them in their order. */
async function open(query = '', sort: 'oldest' | 'newest' = 'oldest'): Promise<Listed[]> {
  const pending = await listed('pending');
  const first = pending.at(sort === 'oldest' ? 0 : -1);
  await visit(page, queue + query);
  await rows.first().locator(`#row-${first?.id}`).waitFor();
  await page.getByRole('heading', { level: 1 }).click();
  return pending;
}

describe('the queue', () => {
  it('states no fact about a method while its facts are not read', async () => {
    const { promise: isSeen, resolve: markSeen } = Promise.withResolvers<void>();
    await page.route('**/api/withdrawal/rails', async (route) => {
      await isSeen;
      await route.continue();
    });
    await page.goto(`${queue}?status=approved&method=litecoin`);
    await rows.first().getByRole('button').click();
    await sheet.getByText('Payout', { exact: true }).waitFor();
    assert.doesNotMatch(await sheet.innerText(), /LTC|^\d+\.\d+ *$/m);
    markSeen();
    await sheet.getByText(/^[\d.]+ LTC$/).waitFor();
    await page.unrouteAll({ behavior: 'wait' });
  });

  it('§2-2 withdrawals: rejects a request with a reason, and refuses to without one', async () => {
    await visit(page, queue);
    const row = rows.filter({ hasText: 'Dash' }).first();
    const id = await idOf(row);
    await row.getByRole('button').click();
    await sheet.getByRole('button', { name: 'Reject…' }).click();
    const dialog = page.getByRole('dialog');
    const reject = dialog.getByRole('button', { name: /^Reject [\d,]+/ });
    await reject.click();
    await dialog.getByText('Reason is required').waitFor();
    assert.deepEqual(await violations(page), []);
    await dialog.getByLabel('Reason').fill('The address belongs to another account.');
    await reject.click();
    await page.getByText('The points are back.').waitFor();
    await dialog.waitFor({ state: 'detached' });
    const decided = (await listed()).find((request) => request.id === id);
    assert.equal(decided?.status, 'rejected');
    assert.equal(decided?.rejectionReason, 'The address belongs to another account.');
  });

  it('rejects with a former reason at four presses', async () => {
    await visit(page, `${queue}?open=${made[2]}`);
    await sheet.getByRole('button', { name: 'Reject…' }).and(page.locator(':enabled')).waitFor();
    const reason = page.getByRole('dialog').getByLabel('Reason').and(page.locator(':focus'));
    await page.keyboard.press('KeyR');
    await reason.waitFor();
    await pressInTurn(page, 'Tab', 'Enter');
    await reason.waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const reasons = (await listed()).map(({ rejectionReason }) => rejectionReason);
    assert.equal(reasons.filter((text) => text === 'The address belongs to another account.').length, 2);
  });

  it('fetches the open request by its id and not by a search', async () => {
    // Nobody opened this one before.
    const id = (await open())[2]?.id;
    const read = page.waitForResponse((answer) => answer.url().includes(`&id=${id}`));
    await rows.nth(2).getByRole('button').click();
    const { withdrawals } = (await (await read).json()) as { withdrawals: Listed[] };
    assert.deepEqual(
      withdrawals.map((request) => request.id),
      [id],
    );
    await page.keyboard.press('Escape');
  });
});

describe('the sheet of a request', () => {
  it('keeps the address in its place while the rest is read and refused, and reads it again at a press', async () => {
    const calls = /\/api\/admin\/withdrawals\/[0-9a-f-]{36}$/;
    for (const [at, width] of [1440, 390].entries()) {
      // One that was not opened before.
      const id = made[at];
      const shown = page.getByRole(width < 1024 ? 'dialog' : 'complementary');
      const place = async () => {
        await settle(page);
        return (await shown.locator('.mono').first().boundingBox())?.y;
      };
      const { promise: isHeld, resolve: release } = Promise.withResolvers<void>();
      await page.route(calls, async (route) => {
        await isHeld;
        await route.fulfill({
          status: 429,
          json: { status: 429, code: 'rate-limited', detail: 'Too many.' },
        });
      });
      await page.setViewportSize({ width, height: 900 });
      await visit(page, `${queue}?open=${id}`);
      await shown.getByRole('status').first().waitFor();
      const decide = shown.getByRole('button', { name: /^Approve/ });
      await decide.waitFor();
      const before = await place();
      assert.ok(before !== undefined);
      release();
      await shown.getByText('What is known of this request could not be fetched').waitFor();
      assert.equal(await place(), before, `refused, ${width} px`);
      assert.equal(await decide.isDisabled(), true, 'nothing is decided unread');
      await page.unroute(calls);
      // A click would scroll to the button.
      await shown.getByRole('button', { name: 'Try again' }).dispatchEvent('click');
      await shown.getByRole('heading', { name: CHECKS }).waitFor();
      assert.equal(await place(), before, `read, ${width} px`);
    }
    await page.setViewportSize({ width: 1440, height: 900 });
    complaints.splice(0);
  });

  it('tells who decided and when once it is decided, and opens another withdrawal of the member', async () => {
    const [linked = ''] = made;
    await visit(page, `${queue}?status=all&open=${linked}`);
    const data = { reason: 'The account belongs to somebody else.' };
    await sheet.getByRole('heading', { name: CHECKS }).waitFor();
    const path = `${site.origin}/api/admin/withdrawals/${linked}/reject`;
    assert.equal((await context.request.post(path, { headers, data })).status(), 200);
    const step = sheet.getByRole('listitem').filter({ hasText: 'Withdrawal rejected' });
    await step.getByText(site.operator.email).waitFor();
    await step.getByText(data.reason).waitFor();
    await sheet.getByRole('heading', { name: CHECKS }).waitFor({ state: 'detached' });
    const former = sheet
      .getByRole('region', { name: 'History' })
      .getByRole('link', { name: /\sP, / })
      .first();
    await former.click();
    await page.waitForURL((url) => !url.searchParams.get('open')?.includes(linked));
    await former.waitFor();
  });
});

describe('the keys of the queue', () => {
  it('move, select, open, close, and go to the filters, except in text fields', async () => {
    const [first, second, third] = await open();
    const focusOn = (id: string | undefined) =>
      page.waitForFunction((id) => document.activeElement?.id === id, `row-${id}`);
    await page.keyboard.press('j');
    await focusOn(first?.id);
    for (const key of ['x', 'j', 'j']) await page.keyboard.press(key);
    await focusOn(third?.id);
    await page.keyboard.press('Shift+X');
    await page.getByText('3 selected', { exact: false }).first().waitFor();
    assert.equal(await rows.getByRole('checkbox', { checked: true }).count(), 3);
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    await sheet.waitFor();
    await page.waitForURL(`**?open=${second?.id}`);
    await page.keyboard.press('k');
    await page.waitForURL(`**?open=${first?.id}`);
    await page.keyboard.press('Escape');
    await sheet.waitFor({ state: 'detached' });
    await focusOn(first?.id);
    await page.keyboard.press('f');
    await page.waitForFunction(() => document.activeElement?.textContent?.startsWith('State'));
    const field = page.getByRole('textbox', { name: 'Find a withdrawal' });
    await field.fill('');
    await page.keyboard.type('jxk');
    await page.getByText('Nobody of this name in this list').waitFor();
    assert.equal(await field.inputValue(), 'jxk');
    assert.equal(new URL(page.url()).searchParams.get('q'), 'jxk');
  });

  it('copy the address, go to the member, and open the form of a rejection, each by its letter', async () => {
    const [first] = await open();
    assert.ok(first);
    const strip = page.getByText('All keys').locator('..');
    assert.doesNotMatch(await strip.innerText(), /Reject…/);
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await sheet.getByRole('button', { name: 'Reject…' }).and(page.locator(':enabled')).waitFor();
    await strip.getByText('Reject…').waitFor();
    assert.match(await strip.innerText(), /Enter\s+Approve(\s|$)/);
    await page.keyboard.press('Shift+?');
    const keys = page.getByRole('dialog', { name: 'Keys' });
    for (const label of ['Select all to here', 'Copy the address', 'Filters', 'Undo, while it can be'])
      await keys.getByText(label, { exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await keys.waitFor({ state: 'detached' });
    await page.keyboard.press('c');
    await sheet.getByRole('button', { name: 'Copied' }).waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), first.address);
    await page.keyboard.press('r');
    const reason = page.getByRole('dialog').getByLabel('Reason');
    await reason.focus();
    // What is typed there is no key.
    await page.keyboard.type('amr');
    assert.equal(await reason.inputValue(), 'amr');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('m');
    await page.waitForURL('**/users/member?id=*');
    await page.goBack();
    await sheet.waitFor();
    assert.equal(opened(), first.id);
  });

  it('give Approve the focus with A and press nothing, and take an approval back with Z', async () => {
    const { length: waiting, 0: first } = await open();
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await approve.waitFor();
    await page.keyboard.press('a');
    await page.waitForFunction(() => document.activeElement?.textContent?.match(/^Approve [\d,]+.P, next$/));
    assert.equal((await listed('pending')).length, waiting);
    await page.keyboard.press('Enter');
    await page.waitForURL((url) => url.searchParams.get('open') !== first?.id);
    assert.equal((await listed('pending')).length, waiting - 1);
    await page.keyboard.press('z');
    // The open sheet says that an approval can be taken back, so only the message of the act tells that it was.
    await page.getByText(/ is pending again\. Nothing was sent\.$/).waitFor();
    assert.equal((await listed('pending')).length, waiting);
  });

  it('keep what is typed after Ctrl K for the palette, and none of the list acts meanwhile', async () => {
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

  it('forget an A that was pressed before the sheet was ready, when the operator goes on', async () => {
    await requestWithdrawal('1103');
    line.tell();
    await open('?sort=-createdAt', 'newest');
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
});

/** An element's place once no animation runs. One can be replaced by another, so the first one's end is not enough. */
async function settledBox(target: Locator) {
  await target.waitFor();
  await settle(page);
  return target.boundingBox();
}

describe('a decision in the queue', () => {
  it('is told by a toast beside the open sheet, not over it', async () => {
    await open();
    await page.setViewportSize({ width: 768, height: 800 });
    await rows.first().getByRole('button').click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Approve .*, next$/ })
      .click();
    const toast = page.getByRole('status').filter({ hasText: 'The payment is on its way.' });
    for (const width of [768, 1023, 1024]) {
      await page.setViewportSize({ width, height: 800 });
      const open = page.getByRole(width < 1024 ? 'dialog' : 'complementary');
      await open.waitFor();
      const sheetX = (await settledBox(open))?.x ?? 0;
      const box = await settledBox(toast);
      assert.ok(
        box !== null && box.x >= 0 && box.x + box.width <= sheetX,
        `${width} px: ${box?.x}, ${sheetX}`,
      );
    }
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('takes two presses, and two more open the first request, to the last one without a reload', async () => {
    const pending = await open();
    assert.ok(pending.length >= 4);
    await page.evaluate(() => Object.assign(window, { isSamePage: true }));
    let pressCount = 0;
    const press = async (key: string) => {
      pressCount += 1;
      await page.keyboard.press(key);
    };
    await press('j');
    await press('Enter');
    for (let decided = 0; decided < pending.length; decided += 1) {
      await approve.waitFor();
      const current = opened();
      await press('a');
      await page.waitForFunction(() => document.activeElement?.textContent?.startsWith('Approve'));
      await press('Enter');
      await page.waitForURL((url) => url.searchParams.get('open') !== current);
      await page.locator(`[aria-current] #row-${current}`).waitFor({ state: 'detached' });
    }
    assert.deepEqual(await listed('pending'), []);
    // Twenty requests take at most 45 presses.
    assert.equal(pressCount, 2 * pending.length + 2);
    assert.equal(await page.evaluate(() => 'isSamePage' in window), true);
    assert.deepEqual(complaints, []);
  });
});

describe('the queue without a live connection', () => {
  it('§2-8 withdrawals: shows totals that could not be read as a dash', async () => {
    line.cut();
    for (const address of ['**/api/admin/withdrawals-data?*', '**/api/admin/stats'])
      await page.route(address, (route) => route.abort());
    await page.goto(`${queue}?sort=-createdAt`);
    // Two calls fail, in any order: that of the oldest request, and that of the other totals.
    for (const at of [0, 2])
      await page.getByRole('definition').nth(at).getByText('–', { exact: true }).waitFor();
    assert.deepEqual(await page.getByRole('definition').allInnerTexts(), ['–', '–', '–', '–']);
    await page.unrouteAll({ behavior: 'wait' });
    complaints.splice(0);
  });

  it('§2-9 polling: shows a new request by polling every three seconds without the live connection', async () => {
    await requestWithdrawal('1001');
    await rows.filter({ hasText: '1,001' }).waitFor();
    const poll = () => page.waitForResponse('**/api/admin/stats');
    await poll();
    const begun = performance.now();
    await poll();
    const waitedMs = performance.now() - begun;
    assert.ok(waitedMs > 2_500 && waitedMs < 6_000, `${waitedMs} ms`);
  });

  it('leaves no error in the console', () => assert.deepEqual(complaints, []));
});
