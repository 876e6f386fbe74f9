import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import type { ListedBan } from '#contract/chat-moderation.ts';
import { openConnected, settle, violations, visit, widerThanWindow, wrongField } from './browser.ts';
import { operatorPage } from './operator-browser.ts';
import { visitingMember } from './visiting-member.ts';

/**
 * The chat and its moderation: two members and an operator, each with an own browser. What one of them does appears at
 * the others.
 */
const operator = await operatorPage(
  { after },
  { reducedMotion: 'reduce', language: 'en', path: '/chat-moderation?tab=words' },
);
const { site, panel, headers, read, asMember, browser } = operator;
const anna = await visitingMember(site, browser);
const ben = await visitingMember(site, browser);

const panelOf = (page: Page) => page.getByRole('complementary', { name: 'Chat and support' });
const fieldOf = (page: Page) => panelOf(page).getByRole('textbox');
const logOf = (page: Page) => panelOf(page).getByRole('log');
const openChat = (page: Page) => page.locator('header').getByRole('button', { name: /^Chat/ }).click();
const closeChat = (page: Page) => panelOf(page).getByRole('button', { name: 'Close chat' }).click();

async function say(page: Page, text: string): Promise<void> {
  await fieldOf(page).fill(text);
  await fieldOf(page).press('Enter');
}

async function asOperator(method: 'post' | 'put' | 'delete', path: string, data: unknown = undefined) {
  const answer = await operator.context.request[method](`${site.origin}${path}`, { headers, data });
  assert.ok(answer.ok(), await answer.text());
  return answer;
}

describe('the moderation of the chat', () => {
  const { page, complaints } = operator;
  const dialog = () => page.getByRole('dialog');
  const rows = () => page.locator('tbody').getByRole('row');
  const open = (query = '') => visit(page, `${panel}/chat-moderation${query}`);
  /** Writes a message as the demo member, who reports it too. */
  const report = async (content: string, reason: string) => {
    const request = await asMember();
    const messages = `${site.origin}/api/chat/messages`;
    const written = await request.post(messages, { headers, data: { channelId: '1', content } });
    const { id } = (await written.json()) as { id: string };
    assert.equal(
      (await request.post(`${messages}/${id}/report`, { headers, data: { reason } })).status(),
      204,
    );
  };

  it('§2-8 chat moderation: a word is added by keyboard, tried in disguise, and removed', async () => {
    await page.getByText('No word is banned').waitFor();
    const add = page.getByRole('button', { name: 'Add' });
    assert.equal(await add.isDisabled(), true);
    const field = page.getByLabel('Word or phrase');
    await field.fill('free points');
    await page.keyboard.press('Enter');
    await rows().filter({ hasText: 'free points' }).waitFor();
    await field.fill('FR3E p0ints');
    await page.keyboard.press('Enter');
    await page.getByText('Failed to add banned word').waitFor();
    await wrongField(page, '“free points” is already on the list, since');
    await page.getByLabel('What a member might write').fill('get fr3e p0ints today');
    await page.getByText('Blocked by “free points”, read as “get free points today”.').waitFor();
    const ways = page.getByRole('listitem').filter({ hasText: 'look-alike letters' });
    await ways.getByRole('img', { name: 'Blocked' }).waitFor();
    await page.getByText('inside a word: allowed').waitFor();
    assert.deepEqual(await violations(page), []);
    await page.getByRole('button', { name: 'Remove “free points”' }).click();
    await page.getByText('No word is banned').waitFor();
    assert.deepEqual(await read('chat-banned-words'), []);
  });

  it('§2-2 chat moderation: decides a report, which opens the next one', async () => {
    await report('use my code for 500 points', 'begging');
    await report('call me at 010 1234', 'personal-data');
    await open();
    await page.getByRole('link', { name: 'Reports 2' }).waitFor();
    await page.getByRole('link', { name: 'Chat', exact: false }).getByText('2').first().waitFor();
    await page.getByRole('button', { name: /use my code for 500 points/ }).click();
    const article = page.getByRole('article');
    await article.getByText('call me at 010 1234').waitFor();
    await page.getByText('Message hidden until somebody looks').waitFor();
    assert.deepEqual(await violations(page), []);
    await article.getByRole('button', { name: 'Ban from chat…' }).click();
    await dialog().getByRole('button', { name: 'Ban from chat' }).click();
    await dialog().getByText('Reason is required').waitFor();
    await dialog().getByLabel('Reason').fill('Begging for codes');
    await dialog().getByRole('button', { name: 'Ban from chat' }).click();
    await page.getByText(/was banned from chat, and the message was deleted/).waitFor();
    await article.getByRole('button', { name: 'Show it again' }).click();
    await page.getByText('The message stays.').waitFor();
    await page.getByText('No report waits').waitFor();
    const [ban] = await read('chat-bans?state=active');
    assert.deepEqual([ban.reason, ban.duration], ['Begging for codes', '1day']);
  });

  it('§2-4 ban from chat: the named member is banned, active bans are counted, and one is lifted', async () => {
    const [member] = await read('users?q=noah');
    const [colleague] = await read('users?role=admin');
    await open('?tab=bans');
    await page.getByRole('heading', { name: 'User Bans (1 active)' }).waitFor();
    await page.getByLabel('User ID').fill(colleague.id);
    await page.getByLabel('Reason').fill('Insults, after two warnings');
    await page.getByRole('button', { name: /^Ban .+…$/ }).click();
    await dialog().getByRole('button', { name: 'Ban from chat' }).click();
    await page.getByText('Failed to ban user').waitFor();
    await wrongField(page, 'Operators can’t be banned.');
    await page.getByLabel('User ID').fill(member.id);
    await page.getByLabel('Duration').selectOption('7 days');
    await page.getByRole('button', { name: 'Ban Noah Fischer…' }).click();
    await dialog().getByRole('heading', { name: 'Ban Noah Fischer from chat for 7 days?' }).waitFor();
    await dialog().getByRole('button', { name: 'Ban from chat' }).click();
    await page.getByRole('heading', { name: 'User Bans (2 active)' }).waitFor();
    const row = rows().filter({ hasText: 'Noah Fischer' });
    await row.getByText('7 days').waitFor();
    await page.setViewportSize({ width: 390, height: 900 });
    assert.equal(await widerThanWindow(page), 0);
    assert.deepEqual(await violations(page), []);
    await page.setViewportSize({ width: 1440, height: 900 });
    await row.getByRole('button', { name: /^Lift/ }).click();
    await dialog().getByRole('button', { name: 'Lift the ban' }).click();
    await row.getByText('Inactive').waitFor();
    await page.getByRole('heading', { name: 'User Bans (1 active)' }).waitFor();
  });

  it('sets slow mode, and how long messages are kept', async () => {
    await page.getByText('10 s', { exact: true }).click();
    await page.getByText('The setting is saved.').waitFor();
    await page.getByRole('button', { name: '365 days' }).click();
    await dialog().getByLabel('Days').fill('400');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: '400 days' }).waitFor();
    const { chat } = await read('site');
    assert.deepEqual(chat, { slowModeSeconds: 10, linksNeedEarnings: false, keptDays: 400 });
    await asOperator('put', '/api/admin/site', { chat: { slowModeSeconds: 0 } });
    complaints.splice(0, complaints.length, ...complaints.filter((text) => !/409|403/.test(text)));
    assert.deepEqual(complaints, []);
    await page.close();
  });
});

describe('the chat', () => {
  it('§1-4 chat panel: opens beside the page, and a message reaches the other without a reload', async () => {
    for (const { page } of [anna, ben]) {
      await openConnected(page, () => page.goto(site.origin));
      await openChat(page);
      await fieldOf(page).waitFor();
    }
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
    const mark = panelOf(ben.page).getByText('Mina is typing');
    let isSeen = false;
    for (let keys = 0; keys < 100 && !isSeen; keys += 1) {
      await fieldOf(anna.page).pressSequentially('a', { delay: 250 });
      isSeen = await mark.isVisible();
    }
    assert.ok(isSeen);
    await mark.waitFor({ state: 'detached' });
    await fieldOf(anna.page).fill('');
  });

  it('count what comes meanwhile, and mark where reading stopped', async () => {
    await ben.page.keyboard.press('Escape');
    await closeChat(ben.page);
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
    await closeChat(page);
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
    const data = { userId: anna.id, reason: 'begging for codes', duration: '1day' };
    const { id } = (await (await asOperator('post', '/api/admin/chat-bans', data)).json()) as ListedBan;
    const card = panelOf(anna.page).getByRole('alert');
    await card.getByText('You are banned from chat').waitFor();
    await card.getByText('Reason: begging for codes').waitFor();
    await card.getByText(/^Expires .* (AM|PM), in 24 hours$/).waitFor();
    assert.equal(await fieldOf(anna.page).count(), 0);
    await logOf(anna.page).getByText('Into the void').waitFor();
    await asOperator('delete', `/api/admin/chat-bans/${id}`);
    await fieldOf(anna.page).waitFor();
  });

  it('mute and report a message with the keyboard alone', async () => {
    const { page } = ben;
    const { keyboard } = page;
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
    const reasons = page.getByRole('dialog').getByRole('radio', { checked: true });
    assert.equal(await reasons.count(), 0);
    assert.equal(await page.getByRole('button', { name: 'Send report' }).isDisabled(), true);
    await page.getByRole('radio', { name: 'Begging for codes or points' }).focus();
    await keyboard.press('ArrowDown');
    assert.deepEqual(await violations(page), []);
    await keyboard.press('Enter');
    await page.getByText('Reported. You hear what was done.', { exact: true }).waitFor();
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

  it('§1-9 polling of chat: nobody waits for more than a poll without the live connection', async () => {
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
    await say(page, 'fr3e p0ints for all');
    await panelOf(page)
      .getByText(/Contains forbidden content/)
      .waitFor();
    assert.match(ben.complaints.pop() ?? '', /status of 422/);
    await fieldOf(page).fill('');
    const data = { userId: ben.id, reason: 'begging for codes', duration: 'permanent' };
    const { id } = (await (await asOperator('post', '/api/admin/chat-bans', data)).json()) as ListedBan;
    await panelOf(page).getByText('Duration: Permanent').waitFor();
    assert.equal(await fieldOf(page).count(), 0);
    await asOperator('delete', `/api/admin/chat-bans/${id}`);
    await fieldOf(page).waitFor();
  });

  it('§1-2 panel of chat and support: lists the member’s requests, and takes a new one', async () => {
    const { page } = anna;
    await panelOf(page).getByRole('tab', { name: 'Support' }).click();
    await panelOf(page).getByText('No support requests yet.').waitFor();
    await panelOf(page).getByRole('button', { name: 'New request' }).click();
    const dialog = page.getByRole('dialog', { name: 'New request' });
    const send = dialog.getByRole('button', { name: 'Send request' });
    await dialog.getByRole('textbox', { name: /^Subject/ }).fill('Wrong e-mail');
    await dialog.getByRole('textbox', { name: /^What happened/ }).fill('  ');
    assert.equal(await send.isDisabled(), true);
    assert.deepEqual(await violations(page), []);
    await dialog.getByRole('textbox', { name: /^What happened/ }).fill(`${'x'.repeat(100)}yz`);
    await send.click();
    await dialog.waitFor({ state: 'detached' });
    await panelOf(page)
      .getByText(`${'x'.repeat(100)}…`)
      .waitFor();
    await panelOf(page).getByText('Open', { exact: true }).waitFor();
  });

  it('fill a phone, and open from its bar', async () => {
    const { page } = ben;
    await closeChat(page);
    await page.setViewportSize({ width: 390, height: 844 });
    await page
      .getByRole('navigation', { name: 'Main, bottom' })
      .getByRole('button', { name: /^Chat/ })
      .click();
    await fieldOf(page).waitFor();
    await logOf(page).getByRole('article').last().waitFor();
    await settle(page);
    const { width, height } = (await panelOf(page).boundingBox()) ?? {};
    assert.deepEqual({ width, height }, { width: 390, height: 844 });
    assert.equal(await widerThanWindow(page), 0);
  });

  it('leave no complaint in a console', () => {
    const ofBen = ben.complaints.filter((text) => !/WebSocket/.test(text));
    assert.deepEqual([...anna.complaints, ...ofBen], []);
  });
});
