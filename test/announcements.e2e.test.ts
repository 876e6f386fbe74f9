import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import type { Page } from 'playwright-core';
import { refuseCalls, violations, widerThanWindow } from './browser.ts';
import { operatorPage } from './operator-browser.ts';
import { signedInContext } from './sign-in.ts';

/** Announcements in the browser: what an operator publishes and deletes, and what a member sees without a reload. */
const { panel, site, browser, page: operator, read, complaints } = await operatorPage({ after });
const screen = `${panel}/announcements`;
const title = 'Withdrawals pause at noon';
const content = 'For ten minutes.\nNothing is lost.';

const context = await signedInContext(browser, site, site.member, { viewport: { width: 390, height: 844 } });
const member = await context.newPage();
const banner = (page: Page) => page.getByRole('region', { name: 'Announcement', exact: true });
const floating = (page: Page) => page.getByRole('button', { name: 'Announcements', exact: true });
const form = operator.getByRole('dialog');
const rows = operator.locator('tbody').getByRole('row');

/** Axe, and nothing wider than the page. */
async function isSound(page: Page): Promise<void> {
  assert.deepEqual(await violations(page), []);
  assert.equal(await widerThanWindow(page), 0);
}

it('§2-8 announcements: ask for title and content in Korean, and to try again after a failure', async () => {
  await operator.goto(screen);
  await operator.getByRole('heading', { level: 1, name: '공지사항' }).waitFor();
  await operator.getByRole('button', { name: '새 공지' }).click();
  await form.getByRole('button', { name: '공개', exact: true }).click();
  for (const message of ['제목을 입력해 주세요', '내용을 입력해 주세요'])
    await form.getByText(message, { exact: true }).waitFor();
  await isSound(operator);
  await form.getByLabel('영어 제목').fill(title);
  await form.getByLabel('영어 내용').fill(content);
  await refuseCalls(operator, '**/api/admin/announcements');
  await form.getByRole('button', { name: '공개', exact: true }).click();
  const failure = operator.getByRole('alert').filter({ hasText: '공지를 등록하지 못했습니다' });
  await failure.getByText('다시 시도해 주세요.').waitFor();
  await operator.unrouteAll({ behavior: 'wait' });
  complaints.splice(0);
});

it('§1-2 announcements: a published one is in the member’s banner without a reload, and in the list', async () => {
  const connected = member.waitForEvent('websocket').then((socket) => socket.waitForEvent('framereceived'));
  await member.goto(`${site.origin}/settings`);
  await banner(member).getByText('A short pause on Monday, 3:00 AM').waitFor();
  await connected;
  await form.getByRole('button', { name: '공개', exact: true }).click();
  await form.waitFor({ state: 'detached' });
  await rows.first().getByText('최신', { exact: true }).waitFor();
  await banner(member).getByText(title).waitFor({ timeout: 4_000 });
  await isSound(member);
  await banner(member).getByRole('button', { name: 'View All' }).click();
  const items = member.getByRole('dialog').getByRole('group');
  await items.first().getByText('Latest', { exact: true }).waitFor();
  assert.equal(await items.first().getByText('Nothing is lost.').isVisible(), true);
  assert.equal(await items.nth(1).getByText('Credits from providers wait').isVisible(), false);
  await items.nth(1).getByText('A short pause on Monday, 3:00 AM').click();
  await items.nth(1).getByText('Credits from providers wait').waitFor();
  await isSound(member);
  await member.keyboard.press('Escape');
});

it('§1-4 banner of announcements: stays dismissed, a button takes its place, and the list can fail', async () => {
  await banner(member).getByRole('button', { name: 'Dismiss this announcement' }).press('Enter');
  await floating(member).and(member.locator(':focus')).waitFor();
  assert.equal(await banner(member).count(), 0);
  const [{ id }] = await read('announcements');
  const kept = () => member.evaluate(() => localStorage.getItem('lastSeenAnnouncementId'));
  assert.equal(await kept(), id);
  await member.reload();
  await floating(member).waitFor();
  assert.equal(await banner(member).count(), 0);
  await isSound(member);
  await refuseCalls(member, '**/api/announcements?*');
  await floating(member).click();
  await member.getByText('The list didn’t load').waitFor();
  await member.unrouteAll({ behavior: 'wait' });
  await member.getByRole('button', { name: 'Try again' }).click();
  await member.getByRole('dialog').getByText(title).waitFor();
});

it('§2-2 announcements: a deleted one leaves the open pages, down to the empty list', async () => {
  await operator.evaluate(() => localStorage.setItem('operatorLanguage', 'en'));
  const all = await read('announcements');
  for (const { id } of all.slice(1))
    assert.equal(
      (
        await operator.request.delete(`${site.origin}/api/admin/announcements/${id}`, {
          headers: { origin: site.origin },
        })
      ).status(),
      204,
    );
  await operator.goto(screen);
  await rows.first().getByRole('button').click();
  await operator.getByRole('button', { name: 'Delete…' }).click();
  await form.getByText('It goes from the banner and the list of every member.').waitFor();
  await isSound(operator);
  await form.getByRole('button', { name: 'Delete announcement' }).click();
  await operator.getByText(`“${title}” is deleted.`).waitFor();
  await operator.getByText('No announcement yet').waitFor();
  await member.getByText('No announcements available').waitFor({ timeout: 4_000 });
  await isSound(member);
  await member.keyboard.press('Escape');
  await floating(member).waitFor({ state: 'detached' });
  assert.deepEqual(complaints, []);
  await context.close();
});
