import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import type { Claimable } from '#contract/claims.ts';
import type { OperatorTicket } from '#contract/support.ts';
import { sql } from '#platform/database.ts';
import { openConnected, openPage, settle, violations, widerThanWindow } from './browser.ts';
import { operatorPage } from './operator-browser.ts';
import { signIn } from './sign-in.ts';
import { VISITOR_PASSWORD, visitingMember } from './visiting-member.ts';

/**
 * Support: a member and an operator, each with an own browser. The member's second browser is a Korean phone without a
 * live connection.
 */
const operator = await operatorPage({ after }, { reducedMotion: 'reduce', language: 'en' });
const { site, headers, read, browser } = operator;
const member = await visitingMember(site, browser, { reducedMotion: 'reduce' });
const phone = await openPage(browser, {
  locale: 'ko-KR',
  viewport: { width: 390, height: 844 },
  hasTouch: true,
  reducedMotion: 'reduce',
  storageState: await member.context.storageState(),
});
await phone.page.routeWebSocket(/\/ws$/, (socket) => void socket.close());

const panelOf = (page: Page) => page.locator('#side-panel');
const fieldOf = (page: Page) => panelOf(page).getByRole('textbox');
const logOf = (page: Page) => panelOf(page).getByRole('log');
const rowOf = (page: Page, subject: string) => panelOf(page).getByRole('button', { name: subject });
const hasFocus = (page: Page, selector: string) =>
  page.waitForFunction((wanted) => document.activeElement?.matches(wanted) === true, selector);
const timeInEnglish = String.raw`\w+day, \w+ \d+(, \d{4})?, \d+:\d\d (AM|PM)`;

async function readTicket(): Promise<OperatorTicket> {
  const [ticket] = await read(`support/tickets?q=${member.id}`);
  return ticket;
}

async function respond(response: string, status: string): Promise<void> {
  const { id } = await readTicket();
  const url = `${site.origin}/api/admin/support/tickets/${id}/respond`;
  const answer = await operator.context.request.post(url, { headers, data: { response, status } });
  assert.equal(answer.status(), 200, await answer.text());
}

describe('the conversation of a request', () => {
  it('§1-3 support ticket: says until when somebody answers, when it is sent and in its conversation', async () => {
    const { page } = member;
    await openConnected(page, () => page.goto(site.origin));
    await page.locator('header').getByRole('button', { name: /^Chat/ }).click();
    await panelOf(page).getByRole('tab', { name: 'Support' }).click();
    await panelOf(page).getByText('Live').waitFor();
    await panelOf(page).getByRole('button', { name: 'New request' }).click();
    const dialog = page.getByRole('dialog', { name: 'New request' });
    await dialog.getByRole('textbox', { name: /^Subject/ }).fill('Litecoin not there yet');
    await dialog.getByRole('textbox', { name: /^What happened/ }).fill('My wallet shows nothing.');
    await dialog.getByRole('button', { name: 'Send request' }).click();
    const sent = new RegExp(`^Request sent\\. A person answers by ${timeInEnglish}\\.$`);
    await page.getByText(sent).waitFor();
    await rowOf(page, 'Litecoin not there yet').click();
    await panelOf(page).getByRole('heading', { name: 'Litecoin not there yet' }).waitFor();
    await logOf(page).getByText('My wallet shows nothing.').waitFor();
    const promise = await logOf(page)
      .getByText(/^Received/)
      .innerText();
    assert.match(
      promise.replaceAll(/[\u2066-\u2069]/g, ''),
      new RegExp(`^Received\\. An answer by ${timeInEnglish}\\.$`),
    );
    await hasFocus(page, 'h3');
    assert.equal(await panelOf(page).evaluate((panel) => panel.scrollWidth > panel.clientWidth), false);
  });

  it('§1-4 view of support: shows an answer at once, under the name Admin, and takes a reply', async () => {
    const { page } = member;
    await respond('It was sent at 10:12.', 'in_progress');
    const answer = logOf(page).getByRole('article', { name: /^Admin/ });
    await answer.getByText('It was sent at 10:12.').waitFor();
    assert.equal(await answer.locator('[data-operator="ticket"]').count(), 1);
    await logOf(page).getByText('Answered in 1 minute.').waitFor();
    await panelOf(page).getByText('In progress').waitFor();
    await answer.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('menuitem', { name: 'Copy text' }).waitFor();
    assert.equal(await page.getByRole('menuitem').count(), 1, 'an operator’s message can’t be reported');
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await settle(page);
    assert.deepEqual(await violations(page), []);
    await fieldOf(page).fill('Now it is there.');
    await panelOf(page).getByRole('button', { name: 'Send reply' }).click();
    await logOf(page).getByText('Now it is there.').waitFor();
    await logOf(page)
      .getByText(/^Received/)
      .nth(1)
      .waitFor();
  });

  it('§1-4 view of support: is solved by its member, and open again when they write', async () => {
    const { page } = member;
    await panelOf(page).getByRole('button', { name: 'This is solved' }).click();
    await panelOf(page).getByText('Resolved').waitFor();
    const solved = logOf(page).getByText(/^Solved on \w+ \d+, \d+:\d\d (AM|PM)\./);
    await solved.filter({ hasText: 'What you write here opens it again.' }).waitFor();
    await hasFocus(page, 'h3');
    assert.equal((await readTicket()).status, 'resolved');
    await fieldOf(page).fill('No, it is gone again.');
    await fieldOf(page).press('Enter');
    await panelOf(page).getByText('Open', { exact: true }).waitFor();
    assert.equal((await readTicket()).status, 'open');
    await logOf(page)
      .getByText(/^Opened again on \w+ \d+, \d+:\d\d (AM|PM)\. An answer by /)
      .waitFor();
    assert.match((await solved.innerText()).trim(), /(AM|PM)\.$/, 'still there, without the offer');
    assert.equal(
      await logOf(page)
        .getByText(/^(Received|Answered in)/)
        .count(),
      3,
    );
  });

  it('goes back to its row by keyboard, where an answer that comes meanwhile is marked', async () => {
    const { page } = member;
    await fieldOf(page).fill('Half a thought');
    await panelOf(page).getByRole('button', { name: 'Back to your requests' }).focus();
    await page.keyboard.press('Enter');
    await hasFocus(page, '[id^="ticket-"]');
    await panelOf(page).getByRole('tab', { name: 'Support', exact: true }).waitFor();
    await respond('Look at the other address.', 'in_progress');
    await panelOf(page).getByRole('tab', { name: 'Support 1 new answer' }).waitFor();
    await rowOf(page, '1 new answer Litecoin not there yet').waitFor();
    await settle(page);
    assert.deepEqual(await violations(page, { part: '#side-panel' }), []);
    await page.keyboard.press('Enter');
    await logOf(page)
      .getByText(/^New since /)
      .waitFor();
    await logOf(page).getByText('Look at the other address.').waitFor();
    await panelOf(page).getByRole('tab', { name: 'Support', exact: true }).waitFor();
    assert.equal(await fieldOf(page).inputValue(), 'Half a thought');
  });

  it('keeps a reply that is written offline, and sends it when the line is back', async () => {
    const { page, context } = member;
    await context.setOffline(true);
    await panelOf(page)
      .getByText(/^Offline since/)
      .waitFor();
    await fieldOf(page).fill('Which other one?');
    await fieldOf(page).press('Enter');
    await logOf(page).getByText('Waiting for the line').waitFor();
    await context.setOffline(false);
    await logOf(page).getByText('Waiting for the line').waitFor({ state: 'detached' });
    await logOf(page).getByText('Which other one?').waitFor();
  });

  it('goes on without the live connection, in Korean on a phone', async () => {
    const { page } = phone;
    await page.goto(site.origin);
    await page.getByRole('button', { name: /^채팅/ }).last().click();
    await panelOf(page).getByRole('tab', { name: /^문의/ }).click();
    await rowOf(page, 'Litecoin not there yet').click();
    await logOf(page).getByText('Look at the other address.').waitFor();
    await logOf(page)
      .getByText(/^접수했습니다\./)
      .first()
      .waitFor();
    assert.equal(await fieldOf(page).count(), 1);
    const desk = await operator.context.newPage();
    await desk.routeWebSocket(/\/ws$/, (socket) => void socket.close());
    await desk.goto(`${operator.panel}/support?view=simple`);
    const card = desk.getByRole('article', { name: 'Litecoin not there yet' });
    await card.getByRole('textbox').fill('Is it there?');
    await card.getByRole('button', { name: 'Respond and resolve' }).click();
    await card.getByRole('button', { name: 'Reopen' }).waitFor();
    await logOf(page).getByText('Is it there?').waitFor();
    await logOf(page)
      .getByText(/에 해결됐습니다\. 여기에 글을 쓰면 다시 열립니다\.$/)
      .waitFor();
    await logOf(page).getByText('1분 만에 답했습니다.').waitFor();
    await fieldOf(page).fill('네, 들어왔습니다.');
    await panelOf(page).getByRole('button', { name: '답장 보내기' }).click();
    await logOf(page)
      .getByText(/에 다시 열렸습니다\. .*\d+월 \d+일 .요일 오(전|후) \d+:\d\d.*까지 답합니다\.$/)
      .last()
      .waitFor();
    await logOf(member.page).getByText('네, 들어왔습니다.').waitFor();
    await card.getByRole('textbox').fill('Good');
    await card.getByText('네, 들어왔습니다.').waitFor();
    await desk.close();
    assert.equal(await widerThanWindow(page), 0);
    await settle(page);
    assert.deepEqual(await violations(page), []);
  });

  it('§2-9 polling: a booked claim and an announcement come without the live connection', async () => {
    const page = await phone.context.newPage();
    await page.routeWebSocket(/\/ws$/, (socket) => void socket.close());
    for (const wall of ['kiwiwall', 'wannads']) await member.post(`/api/offerwalls/${wall}/open`, {}, 204);
    await site.owner.rows(sql`
      update earning.openings set opened_at = opened_at - interval '100 hours' where member_id = ${member.id}`);
    const openings: Claimable[] = await member.read('/api/support/claims/openings');
    const file = async (wall: string): Promise<string> => {
      const activityId = openings.find(({ provider }) => provider === wall)?.activityId;
      const claim = { activityId, text: 'Level 20, on Monday.' };
      return (await (await member.post('/api/support/claims', claim, 201)).json()).id;
    };
    const [id, refusedId] = [await file('kiwiwall'), await file('wannads')];
    const admin = `${site.origin}/api/admin`;
    const announce = async (title: string, titleKo: string) => {
      const data = { title, content: 'At noon.', titleKo, contentKo: '정오에 쉽니다.' };
      const made = await operator.context.request.post(`${admin}/announcements`, { headers, data });
      assert.equal(made.status(), 201, await made.text());
    };
    await announce('Surveys rest', '설문 점검');
    await page.goto(`${site.origin}/earn`);
    const banner = page.getByRole('region', { name: '공지', exact: true });
    await banner.getByText('설문 점검').waitFor();
    await banner.getByRole('button', { name: '이 공지 닫기' }).click();
    await banner.waitFor({ state: 'detached' });
    const claims = page.getByRole('region', { name: '적립되지 않은 포인트' });
    await claims.getByText('KiwiWall에 문의합니다').waitFor();
    const decide = async (claimId: string, data: object) => {
      const answer = await operator.context.request.patch(`${admin}/claims/${claimId}`, { headers, data });
      assert.equal(answer.status(), 200, await answer.text());
    };
    await decide(id, { state: 'booked', amount: 850 });
    await claims.getByText(/^850.*P.*지급했습니다$/).waitFor();
    await decide(refusedId, { state: 'refused', reason: 'Level 20 was reached too late.' });
    await claims.getByRole('button', { name: '다른 증거가 있습니다' }).click();
    const request = page.getByRole('dialog', { name: '새 문의' });
    assert.equal(await request.getByRole('radio', { name: /적립되지 않은/ }).isChecked(), true);
    await request.getByRole('textbox').first().waitFor();
    await page.keyboard.press('Escape');

    await announce('Walls rest', '오퍼월 점검');
    await banner.getByText('오퍼월 점검').waitFor({ timeout: 40_000 });
    await banner.getByRole('button', { name: '이 공지 닫기' }).click();
    await banner.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: '공지사항', exact: true }).click();
    const items = page.getByRole('dialog').getByRole('group');
    await items.first().getByText('최신', { exact: true }).waitFor();
    await items.first().getByText('정오에 쉽니다.').waitFor();
    await page.close();
  });

  it('is open to a suspended member, whom the general chat tells that it is closed', async () => {
    const { page, context, id, email, post } = await visitingMember(site, browser, {
      reducedMotion: 'reduce',
    });
    await post('/api/support/tickets', { subject: 'Why?', message: 'Please tell me.' }, 201);
    const url = `${site.origin}/api/admin/suspend-user`;
    const data = { userId: id, reason: 'Test', severity: 'temporary', suspensionType: 'full_suspension' };
    const suspended = await operator.context.request.post(url, { headers, data });
    assert.equal(suspended.status(), 201, await suspended.text());
    await signIn(context, site, { email, password: VISITOR_PASSWORD });
    await page.goto(site.origin);
    await page.locator('header').getByRole('button', { name: /^Chat/ }).click();
    await panelOf(page).getByText('General is closed while your account is suspended').waitFor();
    assert.equal(await fieldOf(page).count(), 0);
    await panelOf(page).getByRole('tab', { name: 'Support' }).click();
    await rowOf(page, 'Why?').click();
    await fieldOf(page).fill('I did nothing.');
    await fieldOf(page).press('Enter');
    await logOf(page).getByText('Sending').waitFor({ state: 'detached' });
    await logOf(page).getByText('I did nothing.').waitFor();
    await page.close();
  });

  it('answers from the record that a request is about, and takes the record along', async () => {
    const { page } = member;
    await member.earn(3_000);
    await member.verifyPhone();
    const recipientInfo = { address: 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9' };
    const asked = { amountPoints: '1000', method: 'litecoin', recipientInfo };
    const { id } = await (await member.post('/api/withdrawal', asked, 201)).json();
    await openConnected(page, () => page.goto(site.origin));
    await page.locator('header').getByRole('button', { name: /^Chat/ }).click();
    await panelOf(page)
      .getByRole('tab', { name: /^Support/ })
      .click();
    await panelOf(page).getByRole('button', { name: 'New request' }).click();
    const dialog = page.getByRole('dialog', { name: 'New request' });
    assert.equal(await dialog.getByRole('radio', { name: 'Something else' }).isChecked(), true);
    await dialog.getByRole('radio', { name: 'Points taken back' }).check();
    await dialog.getByText('No points were ever taken back from you.').waitFor();
    await dialog.getByRole('radio', { name: 'A withdrawal' }).check();
    await dialog.getByRole('radio', { name: /^To Litecoin/ }).check();
    await dialog
      .getByText(
        /^It has been waiting for review since .* We pay within 1–3 business days, so by \w+day, \w+ \d+/,
      )
      .waitFor();
    await dialog.getByText('Can I change the address?').click();
    await dialog.getByText(/^Not once you have asked\. You can cancel it/).waitFor();
    assert.deepEqual(await violations(page), []);
    await dialog.getByRole('button', { name: 'No, I’ll write' }).click();
    await page.keyboard.type('Longer than three days');
    await dialog.getByRole('textbox', { name: /^What happened/ }).fill('It still waits.');
    await dialog.getByRole('button', { name: 'Send request' }).click();
    await rowOf(page, 'Longer than three days').waitFor();
    await rowOf(page, 'Longer than three days').click();
    await panelOf(page).getByText('Withdrawal to Litecoin').waitFor();
    await panelOf(page)
      .getByText(/ · Pending · See it$/)
      .waitFor();
    await panelOf(page).getByText('−1,000').waitFor();
    const { category, subjectKind, subjectId } = await readTicket();
    assert.deepEqual([category, subjectKind, subjectId], ['withdrawal', 'withdrawal', id]);
    const desk = operator.page;
    await desk.goto(`${site.origin}/management-panel-x7k9w/support?q=${member.id}`);
    const asking = desk.locator('tbody').getByRole('row').filter({ hasText: 'Longer than three days' });
    await asking.getByText('· Withdrawal').waitFor();
    await asking.getByRole('button').click();
    await desk
      .getByRole('complementary')
      .getByText(/ · Withdrawal 1,000\sP · /)
      .waitFor();
    await desk.locator('[data-about]').getByText('this ticket is about it').waitFor({ state: 'attached' });
  });

  it('has decisions: one is a notice on Home, and is appealed against once, by keyboard', async () => {
    const { page } = member;
    const url = `${site.origin}/api/admin/chat-bans`;
    const data = { userId: String(member.id), reason: 'Begging for codes', duration: 'permanent' };
    assert.equal((await operator.context.request.post(url, { headers, data })).status(), 201);
    await page.goto(site.origin);
    const notice = page.getByRole('region', { name: 'Notice', exact: true });
    await notice.getByText('You are banned from chat').waitFor();
    assert.deepEqual(await violations(page), []);
    await notice.getByRole('link', { name: 'Why, and what ends it' }).press('Enter');
    await page.getByRole('heading', { level: 1, name: 'Decisions about your account' }).waitFor();
    await page.getByText('Begging for codes').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Send appeal' }).isDisabled(), true);
    await page.getByLabel('Why is this wrong?').fill('I only told a friend my own code.');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Appeal under way' }).waitFor();
    await page.getByText(new RegExp(`^by ${timeInEnglish}$`)).waitFor();
    assert.equal(await page.getByLabel('Why is this wrong?').count(), 0);
    assert.deepEqual(await violations(page), []);
    const small = await phone.context.newPage();
    await small.goto(`${site.origin}/decisions`);
    await small.getByRole('heading', { name: '이의 진행 중' }).waitFor();
    assert.equal(await widerThanWindow(small), 0);
    assert.deepEqual(await violations(small), []);
    await small.close();
  });

  it('has decisions: one is overturned, which stands on Home until its answer was shown', async () => {
    const panel = operator.page;
    await panel.goto(`${site.origin}/management-panel-x7k9w/decisions`);
    await panel.getByRole('heading', { level: 1, name: 'Appeals' }).waitFor();
    await panel.locator('tbody').getByRole('row').first().click();
    const sheet = panel.getByRole('complementary');
    await sheet.getByText('I only told a friend my own code.').waitFor();
    await sheet.getByRole('button', { name: 'Overturn' }).click();
    await sheet.getByText('An answer needs a reason.').waitFor();
    await sheet.getByLabel('Answer').fill('A friend, not the chat.');
    assert.deepEqual(await violations(panel), []);
    await sheet.getByRole('button', { name: 'Overturn' }).click();
    await panel.getByText('Overturned. The decision is undone, and the member is told.').waitFor();
    await panel.getByText('No appeal waits').waitFor();
    const { page } = member;
    await page.getByText('“A friend, not the chat.”').waitFor();
    await page.getByText('Overturned', { exact: true }).waitFor();
    assert.deepEqual(await violations(page), []);
    const small = await phone.context.newPage();
    await small.goto(site.origin);
    const notice = small.getByRole('region', { name: '알림', exact: true });
    await notice.getByText('이의를 받아들였습니다. 다시 채팅에 글을 쓸 수 있습니다.').waitFor();
    assert.deepEqual(await violations(small), []);
    await notice.getByRole('link', { name: '답변 읽기' }).click();
    await small.getByText('결정 취소', { exact: true }).waitFor();
    await small.goto(site.origin);
    await small.getByRole('heading', { level: 1 }).waitFor();
    await settle(small);
    assert.equal(await notice.count(), 0);
    await small.close();
  });

  it('says that the answer is late', async () => {
    await member.post('/sandbox/clock', { advanceSeconds: 4 * 86_400 + 3_600 }, 200);
    await panelOf(phone.page).getByText('답변이 늦어 죄송합니다. 이 문의부터 답변드리겠습니다.').waitFor();
  });

  it('leaves no complaint in a console', () => {
    const lostLine = /WebSocket|ERR_INTERNET_DISCONNECTED/;
    const others = [...member.complaints, ...phone.complaints].filter((text) => !lostLine.test(text));
    assert.deepEqual(others, []);
  });
});
