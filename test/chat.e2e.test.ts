import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import type { ListedBan } from '#contract/chat-moderation.ts';
import { openConnected, violations, widerThanWindow } from './browser.ts';
import { operatorPage } from './operator-browser.ts';
import { visitingMember } from './visiting-member.ts';

/** Two members and an operator in the chat, each with an own browser. */
const operator = await operatorPage({ after });
const { site, headers } = operator;
const browser = operator.context.browser();
assert.ok(browser);
const anna = await visitingMember(site, browser);
const ben = await visitingMember(site, browser);

const panelOf = (page: Page) => page.getByRole('complementary', { name: 'Chat and support' });
const fieldOf = (page: Page) => panelOf(page).getByRole('textbox');
const logOf = (page: Page) => panelOf(page).getByRole('log');
const openChat = (page: Page) => page.locator('header').getByRole('button', { name: /^Chat/ }).click();

async function openPanel(page: Page, path = '/'): Promise<void> {
  await openConnected(page, () => page.goto(site.origin + path));
  await openChat(page);
  await fieldOf(page).waitFor();
}

async function say(page: Page, text: string): Promise<void> {
  await fieldOf(page).fill(text);
  await fieldOf(page).press('Enter');
}

async function asOperator(method: 'post' | 'delete', path: string, data: unknown = undefined) {
  const answer = await operator.context.request[method](`${site.origin}${path}`, { headers, data });
  assert.ok(answer.ok(), await answer.text());
  return answer;
}

async function ban(reason: string, duration: string): Promise<ListedBan> {
  const answer = await asOperator('post', '/api/admin/chat-bans', { userId: anna.id, reason, duration });
  return (await answer.json()) as ListedBan;
}

describe('the chat', () => {
  it('§1-4 chat panel: opens beside the page, and a message reaches the other without a reload', async () => {
    await openPanel(anna.page);
    await openPanel(ben.page);
    await panelOf(ben.page).getByText('Live').waitFor();
    await say(anna.page, 'Good morning from Anna');
    await logOf(ben.page).getByText('Good morning from Anna').waitFor();
    assert.equal(await fieldOf(anna.page).inputValue(), '');
    await panelOf(ben.page)
      .getByText(/^[23] online$/)
      .waitFor();
    assert.deepEqual(await violations(ben.page), []);
  });

  it('§1-5 chat message: does not send blanks, nor while a syllable is composed', async () => {
    await say(anna.page, '   ');
    await fieldOf(anna.page).fill('안녕');
    await fieldOf(anna.page).dispatchEvent('keydown', { key: 'Enter', isComposing: true, bubbles: true });
    assert.equal(await fieldOf(anna.page).inputValue(), '안녕');
    await fieldOf(anna.page).press('Shift+Enter');
    assert.equal(await fieldOf(anna.page).inputValue(), '안녕\n');
    await fieldOf(anna.page).fill('');
  });

  it('§1-3 real-time messages: say who is typing, for no longer than it is done', async () => {
    await fieldOf(anna.page).pressSequentially('Let me see', { delay: 250 });
    const mark = panelOf(ben.page).getByText('Mina is typing');
    await mark.waitFor();
    await mark.waitFor({ state: 'detached' });
    await fieldOf(anna.page).fill('');
  });

  it('count what comes meanwhile, and mark where reading stopped', async () => {
    await ben.page.keyboard.press('Escape');
    await panelOf(ben.page).getByRole('button', { name: 'Close chat' }).click();
    await panelOf(ben.page).waitFor({ state: 'detached' });
    await say(anna.page, 'Written while Ben was away');
    await ben.page.locator('header').getByRole('button', { name: 'Chat, unread messages: 1' }).click();
    await logOf(ben.page)
      .getByText(/^New since /)
      .waitFor();
    await logOf(ben.page).getByText('Written while Ben was away').waitFor();
    await ben.page.locator('header').getByRole('button', { name: 'Chat', exact: true }).waitFor();
  });

  it('§1-4 chat panel: closes when the page is scrolled, but not over a draft, which outlives closing', async () => {
    const { page } = ben;
    await fieldOf(page).fill('Half a thought');
    await page.mouse.click(200, 400);
    const scrollBy = (px: number) => page.evaluate((by) => window.scrollBy(0, by), px);
    await scrollBy(200);
    await page.waitForTimeout(100);
    assert.equal(await panelOf(page).count(), 1);
    await panelOf(page).getByRole('button', { name: 'Close chat' }).click();
    await page.getByRole('button', { name: 'Open chat' }).click();
    assert.equal(await fieldOf(page).inputValue(), 'Half a thought');
    await fieldOf(page).fill('');
    await page.mouse.click(200, 400);
    await scrollBy(-40);
    assert.equal(await panelOf(page).count(), 1);
    await scrollBy(-80);
    await panelOf(page).waitFor({ state: 'detached' });
  });

  it('§1-8 chat: a forbidden word and a lasting refusal are said above the field, the text is kept', async () => {
    await asOperator('post', '/api/admin/chat-banned-words', { word: 'free points' });
    await say(anna.page, 'fr3e p0ints for all');
    const alert = panelOf(anna.page).getByRole('alert');
    await alert.waitFor();
    assert.equal(
      (await alert.innerText()).replaceAll(/[\u2066-\u2069]/g, ''),
      'Your message was blocked. Reason: Contains forbidden content “free points”',
    );
    assert.equal(await fieldOf(anna.page).inputValue(), 'fr3e p0ints for all');
    await fieldOf(anna.page).fill('');
    await anna.page.route('**/api/chat/messages', (route) => route.fulfill({ status: 500, body: 'x' }));
    await say(anna.page, 'Into the void');
    await panelOf(anna.page).getByText('Failed to send message. Please try again.').waitFor();
    await anna.page.unroute('**/api/chat/messages');
    await panelOf(anna.page).getByRole('button', { name: 'Try again' }).click();
    await panelOf(anna.page).getByText('Not sent.').waitFor({ state: 'detached' });
    assert.equal(await logOf(anna.page).getByText('Into the void').count(), 1);
    anna.complaints.splice(0);
  });

  it('§1-8 chat: a ban takes the place of the field, says why and until when, and ends without a reload', async () => {
    const { id } = await ban('begging for codes', '1day');
    const card = panelOf(anna.page).getByRole('alert');
    await card.getByText('You are banned from chat').waitFor();
    await card.getByText('Reason: begging for codes').waitFor();
    await card.getByText(/^Expires .* (AM|PM), in 24 hours$/).waitFor();
    assert.equal(await fieldOf(anna.page).count(), 0);
    await logOf(anna.page).getByText('Into the void').waitFor();
    await asOperator('delete', `/api/admin/chat-bans/${id}`);
    await fieldOf(anna.page).waitFor();
  });

  it('show hostile texts as texts', async () => {
    const texts = [
      'W'.repeat(1_500),
      '<img src=x onerror="window.pwned=1"><script>window.pwned=1</script>',
      'javascript:window.pwned=1 {{constructor.constructor("window.pwned=1")()}}',
      '\u202Eevil\u202C \u2067right to left',
      `Z${'\u0338\u0316\u0321\u0334\u0489\u0300\u0301'.repeat(40)}algo`,
    ];
    for (const content of texts) {
      const data = { channelId: '1', content };
      const answer = await anna.context.request.post(`${site.origin}/api/chat/messages`, { headers, data });
      assert.ok([201, 400].includes(answer.status()), await answer.text());
    }
    await openChat(ben.page);
    await logOf(ben.page).getByText('algo').waitFor();
    await logOf(ben.page).getByText('onerror="window.pwned=1"').waitFor();
    assert.equal(await ben.page.evaluate('window.pwned'), undefined);
    assert.equal(await logOf(ben.page).evaluate((log) => log.scrollWidth > log.clientWidth), false);
    assert.equal(await widerThanWindow(ben.page), 0);
  });

  it('mute and report a message with the keyboard alone', async () => {
    const { page } = ben;
    const { keyboard } = page;
    await panelOf(page).getByRole('button', { name: 'Close chat' }).click();
    const button = page.locator('header').getByRole('button', { name: /^Chat/ });
    await button.focus();
    await keyboard.press('Enter');
    await fieldOf(page).waitFor();
    await page.waitForFunction(() => document.activeElement?.tagName === 'TEXTAREA');
    await logOf(page).focus();
    await keyboard.press('ArrowUp');
    await keyboard.press('ArrowUp');
    await keyboard.press('End');
    await keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Report to operators…' }).waitFor();
    await keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    assert.equal(await page.evaluate(() => document.activeElement?.closest('article') !== null), true);
    await keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Copy text' }).waitFor();
    await keyboard.press('ArrowUp');
    await keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Report this message' }).waitFor();
    await keyboard.press('Tab');
    await page.getByRole('radio', { name: 'Begging for codes or points' }).focus();
    await keyboard.press('ArrowDown');
    assert.deepEqual(await violations(page), []);
    await keyboard.press('Enter');
    await page.getByText('Reported. You hear what was done.').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const last = logOf(page).getByRole('article').last();
    await last.focus();
    await keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Mute Mina' }).focus();
    await keyboard.press('Enter');
    await logOf(page)
      .getByText(/^You muted Mina\. \d+ messages hidden\.$/)
      .waitFor();
    await logOf(page).getByRole('button', { name: 'Unmute' }).press('Enter');
    await logOf(page).getByRole('article').first().waitFor();
    await logOf(page).focus();
    await keyboard.press('Escape');
    await panelOf(page).waitFor({ state: 'detached' });
    assert.equal(await button.evaluate((element) => element === document.activeElement), true);
  });

  it('go on without the live connection, and let nobody wait for more than a poll', async () => {
    const { page } = ben;
    await page.routeWebSocket(/\/ws$/, (socket) => void socket.close());
    await page.goto(site.origin);
    await openChat(page);
    await panelOf(page).getByText('Reconnecting, checked every 3 s').waitFor();
    await say(anna.page, 'Is it slow there?');
    await logOf(page).getByText('Is it slow there?').waitFor();
    await say(page, 'A little, but it works');
    await logOf(anna.page).getByText('A little, but it works').waitFor();
    assert.equal(await logOf(page).getByText('A little, but it works').count(), 1);
    const { id } = await ban('', 'permanent').catch(() => ban('spam', 'permanent'));
    await panelOf(anna.page).getByText('Duration: Permanent').waitFor();
    await asOperator('delete', `/api/admin/chat-bans/${id}`);
    await fieldOf(anna.page).waitFor();
  });

  it('§1-2 panel of chat and support: lists the member’s requests, and takes a new one', async () => {
    const { page } = anna;
    await panelOf(page).getByRole('tab', { name: 'Support' }).click();
    await panelOf(page).getByText('No support requests yet.').waitFor();
    assert.deepEqual(await violations(page), []);
    await panelOf(page).getByRole('button', { name: 'New request' }).click();
    const dialog = page.getByRole('dialog', { name: 'New request' });
    const send = dialog.getByRole('button', { name: 'Send request' });
    await dialog.getByRole('textbox', { name: /^Subject/ }).fill('Wrong e-mail');
    await dialog.getByRole('textbox', { name: /^What happened/ }).fill('  ');
    assert.equal(await send.isDisabled(), true);
    await dialog.getByRole('textbox', { name: /^What happened/ }).fill(`${'x'.repeat(100)}yz`);
    await send.click();
    await dialog.waitFor({ state: 'detached' });
    await panelOf(page)
      .getByText(`${'x'.repeat(100)}…`)
      .waitFor();
    await panelOf(page).getByText('Open', { exact: true }).waitFor();
  });

  it('fill a phone, open from its bar, and are in Korean too', async () => {
    const phone = await browser.newContext({
      viewport: { width: 390, height: 844 },
      locale: 'ko-KR',
      colorScheme: 'dark',
      serviceWorkers: 'block',
      storageState: await anna.context.storageState(),
    });
    const chosen = await phone.request.put(`${site.origin}/api/user/settings`, {
      headers,
      data: { language: 'ko' },
    });
    assert.equal(chosen.status(), 200);
    const page = await phone.newPage();
    await page.goto(site.origin);
    await page
      .getByRole('navigation', { name: '주 메뉴, 아래' })
      .getByRole('button', { name: /^채팅/ })
      .click();
    const panel = page.getByRole('complementary', { name: '채팅과 문의' });
    await panel.getByRole('textbox').waitFor();
    await panel.getByRole('article').last().waitFor();
    const { width, height } = (await panel.boundingBox()) ?? {};
    assert.deepEqual({ width, height }, { width: 390, height: 844 });
    assert.equal(await widerThanWindow(page), 0);
    assert.deepEqual(await violations(page), []);
    await phone.close();
  });

  it('leave no complaint in a console', () => {
    const ofBen = ben.complaints.filter((text) => !/WebSocket/.test(text));
    assert.deepEqual([...anna.complaints, ...ofBen], []);
  });
});
