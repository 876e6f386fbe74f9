import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { openBrowser, openPage, pressInTurn } from './browser.ts';
import { demoSite } from './running-site.ts';
import { visitingMember } from './visiting-member.ts';

/** The whole journey with the keyboard alone. After every act the focus must be where the member continues. */
const site = await demoSite({ after });
const browser = await openBrowser({ after });
const email = 'haru.park@example.com';
const phone = '+821055509876';
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

async function earn(context: BrowserContext, points: number): Promise<void> {
  const offered = await context.request.get(`${site.origin}/api/offerwalls`);
  const walls = (await offered.json()) as { id: string; url: string }[];
  const url = new URL(walls.find(({ id }) => id === 'cpx')?.url ?? '');
  const answer = await fetch(`${url.origin}/sandbox/wall/cpx/complete`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ userId: url.searchParams.get('ext_user_id'), points }),
  });
  assert.equal(answer.status, 200);
}

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

/** Without a verified phone the withdrawal stops at its first step and links to the settings. */
async function beSentToSettings(page: Page): Promise<void> {
  await toLink(page, 'Withdraw');
  await expectFocus(titled(page, 'Withdraw'));
  await pressAt(page, page.getByRole('button', { name: 'Withdraw', exact: true }));
  const dialog = page.getByRole('dialog');
  await expectFocus(dialog.getByLabel('Amount'));
  await page.keyboard.type('1000');
  await walkTo(page, dialog.getByLabel('Litecoin address'));
  await page.keyboard.type('ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9');
  await page.keyboard.press('Enter');
  const next = dialog.getByRole('button', { name: 'Check details' });
  assert.equal(await next.isDisabled(), true);
  const reason = 'You must verify your phone number before making withdrawals.';
  assert.equal(await dialog.locator('#withdraw-phone').innerText(), reason);
  assert.equal(await next.getAttribute('aria-describedby'), 'withdraw-phone');
  await pressAt(page, dialog.getByRole('link', { name: 'Verify your phone' }));
  await expectFocus(titled(page, 'Settings'));
}

async function verifyPhone(page: Page): Promise<void> {
  await walkTo(page, page.getByLabel('Phone number'));
  await page.keyboard.type(phone);
  await page.keyboard.press('Enter');
  await expectFocus(page.getByLabel('Verification code').first());
  const outbox = (await (await fetch(`${site.origin}/sandbox/outbox`)).json()) as {
    to: string;
    code: string;
  }[];
  await page.keyboard.type(outbox.findLast(({ to }) => to === phone)?.code ?? '');
  await page.keyboard.press('Enter');
  await page.getByText('This number is verified.').waitFor();
  await expectFocus(page.getByRole('heading', { name: 'Phone' }));
}

async function withdraw(page: Page): Promise<void> {
  await toLink(page, 'Withdraw');
  await pressAt(page, page.getByRole('button', { name: 'Withdraw', exact: true }));
  const dialog = page.getByRole('dialog');
  await expectFocus(dialog.getByLabel('Amount'));
  await page.keyboard.type('1000');
  await walkTo(page, dialog.getByLabel('Litecoin address'));
  await page.keyboard.type('ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9');
  await page.keyboard.press('Enter');
  await pressAt(page, dialog.getByRole('button', { name: 'Withdraw 1,000 P' }));
  await dialog.waitFor({ state: 'detached' });
  // The balance is 0, so the button that opened the dialog is disabled.
  await page.getByText('Below minimum withdrawal amount').waitFor();
  await expectFocus(page.getByRole('heading', { name: 'Your withdrawals' }));
}

it('§1-1 earning and withdrawing: registers, earns and withdraws as a member', async () => {
  const { page, context, complaints } = await openPage(browser);
  await register(page);
  await openAndCloseWall(page);
  await earn(context, 1_000);
  await beSentToSettings(page);
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
  for (const reducedMotion of ['no-preference', 'reduce'] as const) {
    const { page, context, complaints, ...member } = await visitingMember(site, browser, { reducedMotion });
    await member.earn(1_000);
    for (const [path, name, width] of [
      ['/earn', /CPX Research/, 1440],
      ['/profile', 'Change Theme', 1440],
      ['/settings', 'Delete account', 1440],
      ['/withdrawal', 'Withdraw', 1440],
      ['/history', 'Menu', 390],
    ] as const) {
      await page.setViewportSize({ width, height: 844 });
      await page.goto(site.origin + path);
      const trigger = page.locator('button:enabled').and(page.getByRole('button', { name, exact: true }));
      await openAndEscapeAtOnce(trigger);
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await expectFocus(trigger);
    }
    assert.deepEqual(complaints, []);
    await context.close();
  }
});
