import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { sql } from '#platform/database.ts';
import { openReader, type Reader } from './accessibility-tree.ts';
import { openBrowser, openPage, pressInTurn, visit } from './browser.ts';
import { completeSurvey } from './complete-offer.ts';
import { demoSite } from './running-site.ts';
import { signIn } from './sign-in.ts';
import { visitingMember } from './visiting-member.ts';

/**
 * The whole journey with the keyboard alone: after every act the focus must be where the member continues. The journey
 * with a screen reader, which uses only the accessibility tree. What a browser reports about members: nothing about
 * visitors, and never what is typed.
 */
const site = await demoSite({ after });
const browser = await openBrowser({ after });
const email = 'haru.park@example.com';
const phone = '+821055509876';
const address = 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9';
const TABS_MAX = 60;

const hasFocus = (target: Locator) => target.evaluate((element) => element === document.activeElement);

/** Presses Tab, or Shift+Tab, until the element has the focus. */
async function walkTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await target.waitFor();
  for (let presses = 0; presses < TABS_MAX; presses += 1) {
    if (await hasFocus(target)) return;
    await page.keyboard.press(key);
  }
  assert.fail(`${key} does not lead to ${target}`);
}

async function pressAt(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await walkTo(page, target, key);
  await page.keyboard.press('Enter');
}

/** Waits until the page itself has moved the focus to the element. */
async function expectFocus(target: Locator): Promise<void> {
  await target.waitFor();
  for (let tries = 0; tries < 50; tries += 1) {
    if (await hasFocus(target)) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  const actual = await target.page().evaluate(() => document.activeElement?.outerHTML.slice(0, 200));
  assert.fail(`${target} has not the focus, but ${actual}`);
}

const titled = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name });
const toLink = (page: Page, name: string) =>
  pressAt(page, page.locator('header').getByRole('link', { name, exact: true }), 'Shift+Tab');

async function register(page: Page): Promise<void> {
  await page.goto(`${site.origin}/auth`);
  await walkTo(page, page.getByRole('tab', { name: 'Log in' }));
  await page.keyboard.press('ArrowRight');
  await walkTo(page, page.getByLabel('First name'));
  await page.keyboard.type('Haru');
  await walkTo(page, page.getByLabel('E-mail'));
  await page.keyboard.type(email);
  for (const field of [page.getByLabel(/^Password/), page.getByLabel('Confirm password')]) {
    await walkTo(page, field.first());
    await page.keyboard.type('a quiet river 7');
  }
  await walkTo(page, page.getByRole('checkbox', { name: 'I am human' }));
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Create account', disabled: false }).waitFor();
  await pressAt(page, page.getByRole('button', { name: 'Create account' }));
  await expectFocus(titled(page, /Haru/));
}

async function openAndCloseWall(page: Page): Promise<void> {
  await toLink(page, 'Earn');
  await expectFocus(titled(page, 'Earn'));
  const tile = page.getByRole('button', { name: /CPX Research/ });
  const dialog = page.getByRole('dialog', { name: 'CPX Research' });
  await pressAt(page, tile);
  await pressAt(page, dialog.getByRole('button', { name: 'Close CPX Research' }));
  await dialog.waitFor({ state: 'detached' });
  await expectFocus(tile);
  await page.keyboard.press('Enter');
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await expectFocus(tile);
}

/** Without a verified phone the withdrawal asks for it after the details. The settings verify it, too. */
async function beAskedForPhone(page: Page): Promise<void> {
  await toLink(page, 'Withdraw');
  await expectFocus(titled(page, 'Withdraw'));
  await pressAt(page, page.getByRole('button', { name: 'Withdraw', exact: true }));
  const dialog = page.getByRole('dialog');
  await expectFocus(dialog.getByLabel('Amount'));
  await page.keyboard.type('1000');
  await walkTo(page, dialog.getByLabel('Litecoin address'));
  await page.keyboard.type(address);
  await page.keyboard.press('Enter');
  await expectFocus(dialog.getByLabel(/^Phone/));
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await visit(page, `${site.origin}/settings`);
}

async function codeSentTo(number: string): Promise<string> {
  const answer = await fetch(`${site.origin}/sandbox/outbox`);
  const sent = (await answer.json()) as { to: string; code: string | null }[];
  return sent.findLast(({ to }) => to === number)?.code ?? '';
}

async function verifyPhone(page: Page): Promise<void> {
  await walkTo(page, page.getByLabel('Phone number'));
  await page.keyboard.type(phone);
  await page.keyboard.press('Enter');
  await expectFocus(page.getByLabel('Verification code').first());
  await page.keyboard.type(await codeSentTo(phone));
  await page.keyboard.press('Enter');
  await page.getByText('This number is verified.').waitFor();
  await expectFocus(page.getByRole('heading', { name: 'Phone' }));
}

async function withdraw(page: Page): Promise<void> {
  await toLink(page, 'Withdraw');
  await pressAt(page, page.getByRole('button', { name: 'Withdraw', exact: true }));
  const dialog = page.getByRole('dialog');
  await expectFocus(dialog.getByLabel('Amount'));
  // What was typed before the phone was verified in the settings stands here still.
  assert.equal(await dialog.getByLabel('Amount').inputValue(), '1,000');
  assert.equal(await dialog.getByLabel('Litecoin address').inputValue(), address);
  await page.keyboard.press('Enter');
  await pressAt(page, dialog.getByRole('button', { name: 'Withdraw 1,000 P' }));
  await expectFocus(page.getByRole('heading', { level: 2, name: 'Requested' }));
  await page.getByRole('dialog', { name: 'Withdraw', exact: true }).waitFor({ state: 'detached' });
  await pressAt(page, dialog.getByRole('button', { name: 'Done' }));
  await dialog.waitFor({ state: 'detached' });
  // The balance is 0, so the button that opened the dialog is disabled.
  await page.getByText('Below minimum withdrawal amount').waitFor();
  await expectFocus(page.getByRole('heading', { name: 'Your withdrawals' }));
}

it('§1-1 earning and withdrawing: registers, earns and withdraws as a member', async () => {
  const { page, context, complaints } = await openPage(browser);
  await register(page);
  await openAndCloseWall(page);
  await completeSurvey(context.request, site.origin, 1_000);
  await beAskedForPhone(page);
  await verifyPhone(page);
  await withdraw(page);
  assert.deepEqual(complaints, []);
  await context.close();
});

it('§2-1 work of the operators: signs in as an operator and approves the withdrawal', async () => {
  const { page, context, complaints } = await openPage(browser);
  await page.goto(`${site.origin}/admin-login`);
  await walkTo(page, page.getByLabel(/E-mail|이메일/));
  await page.keyboard.type(site.operator.email);
  await walkTo(page, page.getByLabel(/^(Password|비밀번호)/).first());
  await page.keyboard.type(site.operator.password);
  await page.keyboard.press('Enter');
  await page.waitForURL('**/management-panel-x7k9w');
  await expectFocus(page.getByRole('heading', { level: 1 }));
  await pressInTurn(page, 'KeyG', 'KeyW');
  await page.waitForURL('**/management-panel-x7k9w/withdrawals');
  await expectFocus(page.getByRole('heading', { level: 1 }));
  await pressAt(page, page.getByRole('row').filter({ hasText: email }).getByRole('button'));
  const sheet = page.getByRole('complementary').filter({ hasText: email });
  await expectFocus(sheet.getByRole('heading', { level: 2 }));
  const answer = page.waitForResponse((response) => response.url().endsWith('/approve'));
  // It can't be pressed for a moment after the sheet opened.
  const approve = sheet.getByRole('button', { name: /^Approve|승인하고/ }).and(page.locator(':enabled'));
  await pressAt(page, approve);
  assert.equal((await answer).status(), 200);
  assert.deepEqual(complaints, []);
  await context.close();
});

/** Presses the element, and presses Escape as soon as a dialog appears, before the dialog takes the focus. */
const openAndEscapeAtOnce = (trigger: Locator) =>
  trigger.evaluate(
    (element: HTMLElement) =>
      new Promise<void>((done, fail) => {
        setTimeout(() => fail(new Error('No dialog appeared')), 5_000);
        const observer = new MutationObserver(() => {
          if (document.querySelector('[role=dialog]') === null) return;
          observer.disconnect();
          document.body.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
          done();
        });
        observer.observe(document.body, { childList: true, subtree: true });
        element.focus();
        element.click();
      }),
  );

it('returns the focus from a dialog that is closed as soon as it opens', async () => {
  const { page, context, complaints, ...member } = await visitingMember(site, browser);
  await member.earn(1_000);
  await page.goto(site.origin);
  for (const [path, name, width, reducedMotion] of [
    ['/earn', /CPX Research/, 1440, 'no-preference'],
    ['/profile', 'Change Theme', 1440, 'reduce'],
    ['/settings', 'Delete account', 1440, 'no-preference'],
    ['/withdrawal', 'Withdraw', 1440, 'reduce'],
    ['/history', 'Menu', 390, 'no-preference'],
  ] as const) {
    await page.emulateMedia({ reducedMotion });
    await page.setViewportSize({ width, height: 844 });
    await visit(page, site.origin + path);
    const trigger = page.locator('button:enabled').and(page.getByRole('button', { name, exact: true }));
    await openAndEscapeAtOnce(trigger);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expectFocus(trigger);
  }
  assert.deepEqual(complaints, []);
  await context.close();
});

async function registerByTree(reader: Reader): Promise<void> {
  await reader.press('link', 'Get started');
  await reader.press('tab', 'Register');
  await reader.type('textbox', /^First name/, 'Sora');
  await reader.type('textbox', /^E-mail/, 'sora.lim@example.com');
  await reader.type('textbox', /^Password/, 'a quiet river 7');
  await reader.type('textbox', /^Confirm password/, 'a quiet river 7');
  await reader.press('checkbox', 'I am human');
  await reader.press('button', 'Create account');
  await reader.hear(/Sora/);
}

it('registers, earns and withdraws by the accessibility tree alone', async () => {
  const { page, context, complaints } = await openPage(browser);
  await page.goto(site.origin);
  const reader = await openReader(page);
  await registerByTree(reader);

  await reader.press('link', 'Earn');
  await reader.press('button', /CPX Research/);
  const wallUrl = /\/sandbox\/wall\/cpx/;
  for (let tries = 0; !page.frames().some((frame) => wallUrl.test(frame.url())) && tries < 100; tries += 1)
    await page.waitForTimeout(100);
  const frame = page.frames().find((one) => wallUrl.test(one.url()));
  assert.ok(frame, 'the wall is a frame of its own');
  const wall = await openReader(page, frame);
  const before = await reader.hear(/Balance\s+[\d,]+\s*P$/);
  await wall.press('button', /^Complete/);
  await reader.hear((name) => /Balance\s+[\d,]+\s*P$/.test(name) && name !== before);
  await completeSurvey(context.request, site.origin, 1_000);
  await reader.press('button', 'Close CPX Research');

  await visit(page, `${site.origin}/settings`);
  const phone = '+821055507654';
  await reader.type('textbox', /^Phone number/, phone);
  await reader.press('button', 'Send code');
  await reader.hear(`The code is on its way to ${phone}.`);
  await page.keyboard.type(await codeSentTo(phone));
  await reader.press('button', 'Verify phone');
  await reader.hear('This number is verified.');

  await reader.press('link', 'Withdraw');
  await reader.press('button', 'Withdraw');
  await reader.type('textbox', /^Amount/, '1000');
  await reader.type('textbox', /^Litecoin address/, address);
  await reader.press('button', 'Check details');
  await reader.press('button', 'Withdraw 1,000 P');
  await reader.hear('Requested. We pay within 1–3 business days.');
  assert.deepEqual(complaints, []);
  await context.close();
});

type Entry = {
  action: string;
  target: string | null;
  metadata: Record<string, unknown> | undefined;
  sessionId: string | null;
};
const reportedBy = async (email: string): Promise<Entry[]> => {
  const rows = await site.owner.rows<{ entries: Entry[] }>(sql`
    select b.entries from access.behaviour b join members.members m on m.id = b.member_id
    where m.email = ${email} order by b.id`);
  return rows.flatMap(({ entries }) => entries).filter(({ sessionId }) => sessionId != null);
};
async function until(isThere: () => Promise<boolean>, what: string): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (await isThere()) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  assert.fail(what);
}
/** Reports start when the browser is idle for the first time. */
const untilLoaded = (page: Page) =>
  page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => /\/assets\/behaviour-/.test(name)),
  );

const reporting = await openPage(browser);
describe('a browser that is a visitor’s, then a member’s', () => {
  const { page, context, complaints } = reporting;
  after(() => context.close());

  it('§1-6 behaviour reports: loads no reporting code and reports nothing', async () => {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.goto(`${site.origin}/earn`);
    await page.getByLabel('E-mail').fill('somebody@example.com');
    await page.mouse.move(50, 50);
    await page.mouse.click(60, 60);
    await page.waitForLoadState('networkidle');
    // Leaving a page would send what is left.
    await page.goto('about:blank');
    assert.deepEqual(
      asked.filter((url) => /\/assets\/behaviour-|\/api\/behavior\/log$/.test(url)),
      [],
    );
    assert.deepEqual(complaints, []);
  });
  it('§1-9 behaviour: reports mouse, keys, clicks, scrolling and leaving, throttled, never which key', async () => {
    await signIn(context, site, site.member);
    await page.goto(`${site.origin}/history`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await untilLoaded(page);
    const begun = performance.now();
    for (let step = 0; step < 40; step += 1) {
      await page.mouse.move(200 + step * 5, 300);
      await page.mouse.wheel(0, 20);
    }
    await page.keyboard.type('a secret that is typed');
    const tookMs = performance.now() - begun;
    await page.getByRole('tab').nth(1).click();
    await page.goto(`${site.origin}/sandbox`);
    await until(async () => (await reportedBy(site.member.email)).length > 0, 'nothing was reported');

    const entries = await reportedBy(site.member.email);
    const of = (action: string) => entries.filter((entry) => entry.action === action);
    for (const action of ['mouse_move', 'scroll', 'keyboard', 'click'])
      assert.ok(of(action).length > 0, action);
    // The pointer moves again on its way to the tab.
    assert.ok(of('mouse_move').length <= tookMs / 500 + 3, `${of('mouse_move').length} in ${tookMs} ms`);
    assert.ok(of('scroll').length <= tookMs / 1000 + 2, `${of('scroll').length} in ${tookMs} ms`);
    assert.ok(of('keyboard').length <= tookMs / 100 + 2, `${of('keyboard').length} in ${tookMs} ms`);
    assert.ok(of('click').some(({ target }) => target?.startsWith('button[tab]')));
    assert.equal(new Set(entries.map(({ sessionId }) => sessionId)).size, 1);
    for (const { action, metadata } of entries) {
      assert.ok(!Number.isNaN(Date.parse(String(metadata?.at))));
      const told = Object.keys(metadata ?? {}).filter((name) => name !== 'at');
      const allowed = { keyboard: [], scroll: ['y'], visibility: ['state'] }[action] ?? ['x', 'y'];
      assert.deepEqual(told.sort(), allowed);
    }
    assert.ok(!/secret|typed|"key"/.test(JSON.stringify(entries)));
    assert.deepEqual(complaints, []);
  });
  it('keeps working when reports are refused, and sends no more of them', async () => {
    await page.goto(`${site.origin}/history`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await untilLoaded(page);
    const sent: number[] = [];
    await page.route('**/api/behavior/log', (route) => {
      sent.push(1);
      return route.fulfill({ status: 429, body: '' });
    });
    // Fifty clicks fill a batch, which is sent at once.
    const fill = async () => {
      for (let clicks = 0; clicks < 52; clicks += 1) await page.mouse.click(5, 400);
    };
    await fill();
    await until(async () => sent.length > 0, 'no report was sent');
    await fill();
    assert.equal(sent.length, 1);
    await page.getByRole('tab').nth(1).click();
    await page.waitForURL('**/history?tab=withdrawals');
  });
});
