import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Locator } from 'playwright-core';
import type { OperatorTicket } from '#contract/support.ts';
import { sql } from '#platform/database.ts';
import { openConnected, openPage, violations, visit, wrongField } from './browser.ts';
import { operatorPage } from './operator-browser.ts';
import { signIn } from './sign-in.ts';

/** The operators' support desk in Korean, as it begins: both views of the tickets, canned replies, two operators. */
const desk = await operatorPage({ after });
const { site, headers, panel, read, asMember, browser, page, complaints, requestWithdrawal } = desk;
const address = `${panel}/support`;

const dialog = page.getByRole('dialog');
const sheet = page.getByRole('complementary');
const response = sheet.getByRole('textbox', { name: /^답변/ });
const send = sheet.getByRole('button', { name: /^(답변 보내기|보내고 다음)$/ });
const row = (subject: string) => page.locator('tbody').getByRole('row').filter({ hasText: subject });
/** A ticket beside the open one. */
const item = (subject: string) => page.locator('main li').filter({ hasText: subject });
const said = (text: string) => page.getByRole('status').filter({ hasText: text }).waitFor();
const failed = (text: string) => page.getByRole('alert').filter({ hasText: text }).waitFor();
const readTicket = async (id: string): Promise<OperatorTicket> => (await read(`support/tickets?id=${id}`))[0];

/** Makes a ticket of the demo member. */
async function ask(subject: string): Promise<OperatorTicket> {
  const data = { subject, message: 'The second line\nstays a line of its own.' };
  const asked = await (await asMember()).post(`${site.origin}/api/support/tickets`, { headers, data });
  assert.equal(asked.status(), 201);
  return (await asked.json()) as OperatorTicket;
}

describe('the simple view', () => {
  const subject = 'Where is my bonus?';
  const card = page.getByRole('article', { name: subject });
  const text = card.getByRole('textbox', { name: /^답변/ });
  let id = '';

  it('§2-8 support: show that a response was not sent, and keep the typed text', async () => {
    ({ id } = await ask(subject));
    await page.goto(`${address}?view=simple`);
    await page.route('**/respond', (route) => route.abort());
    await text.fill('It comes tomorrow.');
    assert.deepEqual(await violations(page), []);
    await card.getByRole('button', { name: '답하고 해결' }).click();
    await failed('답변을 보내지 못했습니다.');
    assert.equal(await text.inputValue(), 'It comes tomorrow.');
    await page.unroute('**/respond');
    complaints.splice(0);
  });

  it('§2-2 support: respond, which resolves the ticket, reopen it and mark it resolved', async () => {
    const simple = page.waitForRequest((request) => request.url().includes('/api/admin/support-tickets/'));
    await card.getByRole('button', { name: '답하고 해결' }).click();
    assert.ok((await simple).url().endsWith(`/${id}/respond`));
    await said('답변을 보냈습니다.');
    await card.getByText('Admin It comes tomorrow.').waitFor();
    assert.equal((await readTicket(id)).status, 'resolved');
    await card.getByRole('button', { name: '다시 열기' }).click();
    await card.getByRole('button', { name: '해결로 표시' }).waitFor();
    assert.equal((await readTicket(id)).status, 'open');
    await page.route('**/status', (route) => route.abort());
    await card.getByRole('button', { name: '해결로 표시' }).click();
    await failed('상태를 바꾸지 못했습니다.');
    await page.unroute('**/status');
    complaints.splice(0);
    await card.getByRole('button', { name: '해결로 표시' }).click();
    await card.getByRole('button', { name: '다시 열기' }).waitFor();
    assert.equal((await readTicket(id)).status, 'resolved');
  });

  it('leads to what the member wrote after the answer, and keeps the search of the other view', async () => {
    const { channelId, userId } = await readTicket(id);
    const data = { channelId, content: 'It did not come.' };
    assert.equal(
      (await (await asMember()).post(`${site.origin}/api/chat/messages`, { headers, data })).status(),
      201,
    );
    await page.goto(`${address}?q=${userId}`);
    await page.getByText('간단히', { exact: true }).click();
    await page.getByText(`“${userId}”`).waitFor();
    await card.getByRole('link', { name: '대화 보기' }).click();
    await sheet.getByText('It did not come.').waitFor();
    for (const text of [
      /만에 처음 답했습니다$/,
      /에 해결됐습니다$/,
      /에 다시 열렸습니다 · .*까지 답하기로 했습니다$/,
    ])
      await sheet.getByText(text).last().waitFor();
    await page.goto(`${address}?view=simple`);
    await card.getByRole('button', { name: '해결로 표시' }).click();
    await card.getByRole('button', { name: '다시 열기' }).waitFor();
  });
});

describe('the detailed view', () => {
  it('has the least time left on top, and keeps an unsent response while another ticket is open', async () => {
    await ask('A long wait begins');
    await page.getByText('자세히', { exact: true }).click();
    await row('A long wait begins').getByRole('button').click();
    await page.route('**/respond', (route) => route.abort());
    await response.fill('Half a response');
    await send.click();
    await failed('답변을 보내지 못했습니다.');
    await page.unroute('**/respond');
    complaints.splice(0);
    await sheet.getByRole('button', { name: '이전 문의' }).click();
    await page.waitForURL((url) => !url.search.includes('Half'));
    await item('A long wait begins').getByRole('button').click();
    await sheet.getByText('stays a line of its own.').waitFor();
    assert.equal(await response.inputValue(), 'Half a response');
    const times = await page.locator('main li').allInnerTexts();
    assert.ok(times.findIndex((one) => one.includes('A long wait begins')) > 0, times.join('\n'));
  });

  it('§2-2 support: show a new ticket beside the member’s record, and respond with the next state', async () => {
    const { id } = await ask('Where is my survey?');
    await item('Where is my survey?').getByRole('button').click();
    await sheet.getByText('stays a line of its own.').waitFor();
    await sheet
      .getByRole('region', { name: '회원 기록' })
      .getByText(/^누적 적립 /)
      .waitFor();
    assert.equal(await sheet.locator('header a[href*="/users/member?id="]').count(), 1);
    await send.click();
    await sheet.getByText('답변을 입력하세요').waitFor();
    assert.deepEqual(await violations(page), []);
    await sheet.getByRole('heading', { level: 2 }).focus();
    await page.keyboard.press('r');
    await page.keyboard.type('It is booked by tomorrow.');
    await page.keyboard.press('Control+Enter');
    await said('답변을 보냈습니다.');
    const { status, adminResponse } = await readTicket(id);
    assert.deepEqual([status, adminResponse], ['in_progress', 'It is booked by tomorrow.']);
  });

  it('set the state of one ticket, and of selected ones at once', async () => {
    const asked = [await ask('The first of two'), await ask('The second of two')] as const;
    await visit(page, address);
    await row('The first of two').getByRole('button').click();
    await sheet.getByText('열림', { exact: true }).last().waitFor();
    await sheet.getByText('처리 중', { exact: true }).click();
    await sheet.getByRole('button', { name: '상태만 바꾸기' }).click();
    await said('상태를 바꾸었습니다: 처리 중');
    assert.equal((await readTicket(asked[0].id)).status, 'in_progress');
    await sheet.getByRole('button', { name: '닫기' }).click();
    for (const { subject } of asked) await row(subject).getByRole('checkbox').check();
    await page.getByRole('button', { name: '2건 해결…' }).click();
    await dialog.getByRole('button', { name: '2건 해결', exact: true }).click();
    await dialog.getByRole('button', { name: '닫기' }).last().click();
    for (const { id } of asked) assert.equal((await readTicket(id)).status, 'resolved');
  });
});

describe('a message that an operator did not see', () => {
  /** The member writes while the operator's page can't read it, and the operator sends. */
  async function sendUnseen(channelId: string, content: string, text: Locator, button: Locator) {
    await page.route('**/api/chat/messages/**', (route) => route.abort());
    const data = { channelId, content };
    const written = await (await asMember()).post(`${site.origin}/api/chat/messages`, { headers, data });
    assert.equal(written.status(), 201);
    await button.click();
    await failed('그사이 회원이 새 메시지를 남겼습니다.');
    await wrongField(page, '그사이 회원이 새 메시지를 남겼습니다.');
    await page.unroute('**/api/chat/messages/**');
    await page.getByText(content, { exact: true }).waitFor();
    assert.equal(await text.inputValue(), 'We still look.');
    complaints.splice(0);
  }

  it('keeps the response from being sent and is shown beside it, in both views', async () => {
    const { id, channelId } = await ask('Meanwhile');
    await page.goto(address);
    await row('Meanwhile').getByRole('button').click();
    await sheet.getByText('아직 답변이 없습니다.').waitFor();
    await response.fill('We still look.');
    await sendUnseen(channelId, 'It came by now.', response, send);
    await page.goto(`${address}?view=simple`);
    const card = page.getByRole('article', { name: 'Meanwhile' });
    const text = card.getByRole('textbox', { name: /^답변/ });
    await text.fill('We still look.');
    await card.getByText('It came by now.').waitFor();
    await sendUnseen(channelId, 'Truly.', text, card.getByRole('button', { name: '답하고 해결' }));
    assert.equal((await readTicket(id)).adminResponse, null);
    await page.goto(address);
  });
});

describe('a canned reply', () => {
  const chip = sheet.getByRole('button', { name: '출금, 검토 중' });

  it('is kept in both languages, and a placeholder without a record keeps it from being sent', async () => {
    await row('A long wait begins').getByRole('button').click();
    await sheet.getByText('자주 쓰는 답변이 아직 없습니다.').waitFor();
    await sheet.getByRole('button', { name: '만들기…' }).click();
    await dialog.getByRole('textbox', { name: '제목' }).fill('출금, 검토 중');
    await dialog.getByRole('textbox', { name: '한국어' }).fill('{name} 님, {amount}는 {deadlin}까지 갑니다.');
    await dialog
      .getByRole('textbox', { name: '영어' })
      .fill('{name}: {amount} goes by {deadline} to {address}.');
    await dialog.getByRole('button', { name: '저장' }).click();
    await wrongField(page, '쓸 수 없는 항목입니다: {deadlin}');
    assert.deepEqual(await violations(page), []);
    await dialog
      .getByRole('textbox', { name: '한국어' })
      .fill('{name} 님, {amount}는 {deadline}까지 갑니다.');
    await dialog.getByRole('button', { name: '저장' }).click();
    await said('“출금, 검토 중” 답변을 저장했습니다.');
    await dialog.waitFor({ state: 'detached' });
    await response.fill('');
    await chip.click();
    await sheet.getByText(/\{amount\}, \{deadline\}, \{address\}/).waitFor();
    assert.ok(await send.isDisabled());
  });

  it('is filled in the member’s language from the newest withdrawal that waits', async () => {
    await requestWithdrawal('1000');
    await page.reload();
    await chip.click();
    await sheet.getByText('ltc1qw50…7kgmn4n9', { exact: true }).waitFor();
    assert.match(await response.inputValue(), /: 1,000 P goes by \w+ \d+ to ltc1qw50…7kgmn4n9\.$/);
    assert.ok(await send.isEnabled());
  });

  it('is filled in the simple view too, where a gap keeps it from being sent', async () => {
    const opened = page.url();
    await page.goto(`${address}?view=simple`);
    const card = page.getByRole('article', { name: 'The first of two' });
    await card.getByRole('button', { name: '다시 열기' }).click();
    await card.getByRole('button', { name: '출금, 검토 중' }).click();
    await card.getByText('ltc1qw50…7kgmn4n9', { exact: true }).waitFor();
    const text = card.getByRole('textbox', { name: /^답변/ });
    const filled = await text.inputValue();
    assert.match(filled, /: 1,000 P goes by \w+ \d+ to ltc1qw50…7kgmn4n9\.$/);
    const respond = card.getByRole('button', { name: '답하고 해결' });
    assert.ok(await respond.isEnabled());
    await text.fill(`${filled} {method}`);
    await card.getByRole('alert').getByText('{method}').waitFor();
    assert.ok(await respond.isDisabled());
    assert.deepEqual(await violations(page), []);
    await text.fill('');
    await page.goto(opened);
  });
});

it('two operators see each other answer, and who was first', async () => {
  await site.owner.rows(sql`
    update members.members set role = 'admin', first_name = '하나', last_name = '이'
    where email = ${site.member.email}`);
  const other = await openPage(browser);
  await signIn(other.context, site, site.member);
  await item('My Night Train').getByRole('button').click();
  await openConnected(page, () => page.reload());
  await response.fill('My own words');
  await openConnected(other.page, () => other.page.goto(page.url()));
  const theirs = other.page.getByRole('complementary');
  await theirs.getByRole('textbox', { name: /^답변/ }).fill('Hana was faster.');
  await sheet.getByText('이하나 님이 답하는 중').waitFor();
  await theirs.getByRole('button', { name: /^(답변 보내기|보내고 다음)$/ }).click();
  await sheet.getByText(/^이하나 님이 .+에 먼저 답했습니다\.$/).waitFor();
  assert.equal(await response.inputValue(), 'My own words');
  await sheet.getByRole('button', { name: '그래도 보내기' }).click();
  await said('답변을 보냈습니다.');
  assert.deepEqual(other.complaints, []);
  assert.deepEqual(complaints, []);
});
