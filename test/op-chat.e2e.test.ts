import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { violations, widerThanWindow } from './browser.ts';
import { operatorPage } from './operator-browser.ts';

/** Operators moderate the chat, with the demo world. */
const { site, panel, headers, read, page, complaints, asMember } = await operatorPage({ after });

const dialog = () => page.getByRole('dialog');
const rows = () => page.locator('tbody').getByRole('row');
const open = (query = '') => page.goto(`${panel}/chat-moderation${query}`);

/** Axe and the width of the page. */
async function isSound(name: string, width: 390 | 1440): Promise<void> {
  const { SCREENSHOTS: folder } = process.env;
  await page.setViewportSize({ width, height: 900 });
  assert.deepEqual(await violations(page), []);
  assert.equal(await widerThanWindow(page), 0, `${name} on ${width} px`);
  if (folder) await page.screenshot({ path: `${folder}/${name}-${width}.png` });
  await page.setViewportSize({ width: 1440, height: 900 });
}

/** Writes a message as the demo member. Returns its id. */
async function write(content: string): Promise<string> {
  const data = { channelId: '1', content };
  const written = await (await asMember()).post(`${site.origin}/api/chat/messages`, { headers, data });
  assert.equal(written.status(), 201);
  return ((await written.json()) as { id: string }).id;
}

const report = async (id: string, reason: string) => {
  const data = { reason };
  const path = `${site.origin}/api/chat/messages/${id}/report`;
  assert.equal((await (await asMember()).post(path, { headers, data })).status(), 204);
};

describe('the moderation of the chat', () => {
  it('is in Korean first, and decides a report, which opens the next one', async () => {
    const [begging, personal] = [
      await write('use my code for 500 points'),
      await write('call me at 010 1234'),
    ];
    await report(begging, 'begging');
    await report(personal, 'personal-data');
    await open();
    await page.getByRole('heading', { level: 1, name: '채팅 관리' }).waitFor();
    await page.getByText('확인할 때까지 숨긴 메시지').waitFor();
    await isSound('op-chat-reports-ko', 390);
    await page.evaluate(() => localStorage.setItem('operatorLanguage', 'en'));
    await page.reload();
    await page.getByRole('link', { name: 'Reports 2' }).waitFor();
    await page.getByRole('link', { name: 'Chat', exact: false }).getByText('2').first().waitFor();
    await page.getByRole('button', { name: /use my code for 500 points/ }).click();
    const article = page.getByRole('article');
    await article.getByText('call me at 010 1234').waitFor();
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

  it('§2-5 banned word: is added by keyboard, tried in disguise, and removed', async () => {
    await open('?tab=words');
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
    await page
      .getByText(/“free points” is already on the list, since/)
      .first()
      .waitFor();
    await page.getByLabel('What a member might write').fill('get fr3e p0ints today');
    await page.getByText('Blocked by “free points”, read as “get free points today”.').waitFor();
    const ways = page.getByRole('listitem').filter({ hasText: 'look-alike letters' });
    await ways.getByRole('img', { name: 'Blocked' }).waitFor();
    await page.getByText('inside a word: allowed').waitFor();
    await isSound('op-chat-words', 1440);
    await page.getByRole('button', { name: 'Remove “free points”' }).click();
    await page.getByText('No word is banned').waitFor();
    assert.deepEqual(await read('chat-banned-words'), []);
  });

  it('§2-4 ban from chat: the named member is banned, active bans are counted, and one is lifted', async () => {
    const [member] = await read('users?q=noah');
    const [operator] = await read('users?role=admin');
    await open('?tab=bans');
    await page.getByRole('heading', { name: 'User Bans (1 active)' }).waitFor();
    await page.getByLabel('User ID').fill(operator.id);
    await page.getByLabel('Reason').fill('Insults, after two warnings');
    await page.getByRole('button', { name: /^Ban .+…$/ }).click();
    await dialog().getByRole('button', { name: 'Ban from chat' }).click();
    await page.getByText('Failed to ban user').waitFor();
    await page.getByText('Operators can’t be banned.').first().waitFor();
    await page.getByLabel('User ID').fill(member.id);
    await page.getByLabel('Duration').selectOption('7 days');
    await page.getByRole('button', { name: 'Ban Noah Fischer…' }).click();
    await dialog().getByRole('heading', { name: 'Ban Noah Fischer from chat for 7 days?' }).waitFor();
    await dialog().getByRole('button', { name: 'Ban from chat' }).click();
    await page.getByRole('heading', { name: 'User Bans (2 active)' }).waitFor();
    const row = rows().filter({ hasText: 'Noah Fischer' });
    await row.getByText('7 days').waitFor();
    await isSound('op-chat-bans', 390);
    await row.getByRole('button', { name: /^Lift/ }).click();
    await dialog().getByRole('button', { name: 'Lift the ban' }).click();
    await row.getByText('Inactive').waitFor();
    await page.getByRole('heading', { name: 'User Bans (1 active)' }).waitFor();
  });

  it('sets slow mode, and how long messages are kept', async () => {
    await open();
    await page.getByText('10 s', { exact: true }).click();
    await page.getByText('The setting is saved.').waitFor();
    await page.getByRole('button', { name: '365 days' }).click();
    await dialog().getByLabel('Days').fill('400');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: '400 days' }).waitFor();
    const { chat } = await read('site');
    assert.deepEqual(chat, { slowModeSeconds: 10, linksNeedEarnings: false, keptDays: 400 });
    complaints.splice(0, complaints.length, ...complaints.filter((text) => !/409|403/.test(text)));
    assert.deepEqual(complaints, []);
  });
});
