import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { openPage, refuseCalls, violations, widerThanWindow } from './browser.ts';
import { operatorPage } from './operator-browser.ts';
import { signIn } from './sign-in.ts';

/** The operators' list of members and the page of one, with the people of the demo world. */
const { site, panel, browser, page, complaints } = await operatorPage({ after }, { language: 'en' });

const address = `${panel}/users`;
const rows = () => page.locator('tbody').getByRole('row');
const row = (text: string) => rows().filter({ hasText: text });
const searchField = () => page.getByRole('textbox', { name: 'Find a member' });

async function find(text: string): Promise<void> {
  await searchField().fill(text);
  // A number has quotation marks in the URL, because it is a text.
  await page.waitForURL((url) => url.searchParams.get('q')?.replaceAll('"', '') === text);
}

describe('the list of members', () => {
  it('§2-2 users: shows the members with their number, newest first', async () => {
    await page.goto(address);
    await row('theo.laurent@example.org').waitFor();
    assert.equal(await rows().count(), 14);
    await page.getByLabel('Totals').getByText('14 members').waitFor();
    assert.deepEqual(await violations(page), []);
  });

  it('finds a member by what an operator has at hand', async () => {
    await page.goto(address);
    await rows().first().waitFor();
    await find('seoyeon');
    await row('seoyeon.lee@example.org').waitFor();
    await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 1);
    await row('seoyeon.lee').getByRole('button').click();
    const id = (new URL(page.url()).searchParams.get('open') ?? '').replaceAll('"', '');
    assert.match(id, /^[1-9]\d{8}$/);
    await page.goto(address);
    await rows().first().waitFor();
    await find(id);
    await page.waitForFunction(() => document.querySelectorAll('tbody tr').length === 1);
    await row('seoyeon.lee@example.org').waitFor();
    await find('nobody-has-this');
    await page.getByText('Nobody found').waitFor();
    assert.deepEqual(await violations(page), []);
  });

  it('offers no deletion of an operator’s account', async () => {
    await page.goto(`${address}?role=admin`);
    await rows().first().getByRole('button').click();
    const sheet = page.getByRole('complementary');
    await sheet.getByText('An operator’s account can’t be deleted.').waitFor();
    assert.equal(await sheet.getByRole('button', { name: /Delete/ }).count(), 0);
  });

  it('§2-8 users: says why a deletion failed, in Korean too', async () => {
    await page.goto(`${address}?q=olivia`);
    await rows().first().getByRole('button').click();
    await page.getByRole('button', { name: 'Delete the account…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText(/stays in the closed account/).waitFor();
    assert.deepEqual(await violations(page), []);
    await dialog.getByRole('button', { name: 'Delete the account' }).click();
    const toast = page.getByRole('alert');
    await toast.getByText('Failed to delete the user').waitFor();
    await toast.getByText('A withdrawal is not finished yet.').waitFor();
    await page.evaluate(() => localStorage.setItem('operatorLanguage', 'ko'));
    await page.reload();
    await page.getByRole('button', { name: '계정 삭제…' }).click();
    await page.getByRole('dialog').getByRole('button', { name: '계정 삭제', exact: true }).click();
    await page.getByRole('alert').getByText('사용자 삭제에 실패했습니다').waitFor();
    await page.evaluate(() => localStorage.setItem('operatorLanguage', 'en'));
    complaints.splice(0);
  });

  it('deletes an account by keyboard alone, after a confirmation', async () => {
    await page.goto(`${address}?q=amara`);
    const button = rows().first().getByRole('button');
    await button.waitFor();
    await page.keyboard.press('KeyJ');
    await page.keyboard.press('Enter');
    const sheet = page.getByRole('complementary');
    await sheet.getByText('amara.singh@example.org').waitFor();
    const open = sheet.getByRole('button', { name: 'Delete the account…' });
    await tabTo('Delete the account…');
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('heading', { name: 'Delete the account of Amara Singh?' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await open.press('Enter');
    await dialog.waitFor();
    await tabTo('Delete the account');
    await page.keyboard.press('Enter');
    await page.getByText('The account of Amara Singh is deleted.').waitFor();
    await row('amara').getByText('Deleted').waitFor();
    assert.equal(await open.count(), 0);
    assert.deepEqual(await violations(page), []);
  });

  it('says that the list did not load', async () => {
    await refuseCalls(page, '**/api/admin/users?*');
    await page.goto(address);
    await page.getByText('The members didn’t load').waitFor();
    assert.deepEqual(await violations(page), []);
    await page.unroute('**/api/admin/users?*');
    complaints.splice(0);
  });

  it('shows cards on a phone, without a scroll to the side', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(address);
    const card = page.getByRole('button', { name: /theo\.laurent/ });
    await card.waitFor();
    assert.equal(await widerThanWindow(page), 0);
    await card.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete the account…' }).waitFor();
    assert.deepEqual(await violations(page), []);
    await page.setViewportSize({ width: 1440, height: 900 });
  });
});

describe('the page of a member', () => {
  const open = async (search: string) => {
    await page.goto(`${address}?q=${search}`);
    await rows().first().getByRole('button').click();
    await page.getByRole('link', { name: 'Open the member page' }).click();
    await page.waitForURL('**/users/member?id=*');
  };
  const lines = () => page.locator('section ol li');

  it('shows the figures, the facts and a timeline with the balance after each movement', async () => {
    await open('minjun');
    await page.getByRole('heading', { level: 1, name: '김민준' }).waitFor();
    for (const label of ['Balance', 'Debt', 'Waiting', 'Earned in all', 'Paid out', 'Taken back'])
      await page.getByLabel('Totals').getByText(label, { exact: true }).waitFor();
    await lines().first().waitFor();
    await lines().filter({ hasText: 'CPX Research' }).first().waitFor();
    const withdrawal = lines().filter({ hasText: 'Withdrawal requested, Litecoin' }).first();
    await withdrawal.getByText(/^−[\d,]+ P$/).waitFor();
    assert.deepEqual(await violations(page), []);
    await withdrawal.getByRole('link').click();
    await page.waitForURL(/management-panel-x7k9w\/withdrawals\?status=all&q=/);
  });

  it('shows parts of the timeline, and older lines by keyboard alone', async () => {
    // More lines than one page has.
    for (let logins = 0; logins < 5; logins += 1) {
      const { context: own } = await openPage(browser);
      await signIn(own, site, site.member);
      await own.close();
    }
    await open('member@earnest');
    await lines().first().waitFor();
    const before = await lines().count();
    assert.equal(before, 50);
    await tabTo('Show older ones');
    await page.keyboard.press('Enter');
    await page.waitForFunction((count) => document.querySelectorAll('section ol li').length > count, before);
    await page.getByRole('button', { name: 'Logins', exact: true }).focus();
    await page.keyboard.press('Enter');
    await lines().filter({ hasText: 'Joined' }).waitFor();
    assert.equal(await lines().filter({ hasText: 'CPX Research' }).count(), 0);
    await page.getByRole('button', { name: 'Support', exact: true }).click();
    await page.getByText('Nothing here').or(lines().first()).waitFor();
    assert.deepEqual(await violations(page), []);
  });

  it('is in Korean, and fits on a phone', async () => {
    await open('minjun');
    const userId = new URL(page.url()).searchParams.get('id')?.replaceAll('"', '');
    const given = await page.request.post(`${site.origin}/api/admin/give-points`, {
      headers: { origin: site.origin },
      data: { userId, amount: 5, reason: '설문 보상' },
    });
    assert.equal(given.status(), 201, await given.text());
    await page.evaluate(() => localStorage.setItem('operatorLanguage', 'ko'));
    await page.setViewportSize({ width: 390, height: 844 });
    await page.reload();
    await page.getByRole('heading', { level: 1, name: '김민준' }).waitFor();
    await lines().filter({ hasText: '출금 신청, 라이트코인' }).first().waitFor();
    await lines().filter({ hasText: '포인트 지급' }).getByText('설문 보상 · 처리: ').waitFor();
    assert.equal(await widerThanWindow(page), 0);
    assert.deepEqual(await violations(page), []);
    await page.evaluate(() => localStorage.setItem('operatorLanguage', 'en'));
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('says that there is no such member', async () => {
    await page.goto(`${address}/member?id=999999999`);
    await page.getByText('No member has this id.').waitFor();
    assert.deepEqual(await violations(page), []);
    await page.getByRole('link', { name: 'All members' }).click();
    await rows().first().waitFor();
    complaints.splice(0);
  });
});

describe('the polling of the list', () => {
  it('§2-9 polling: reads the members again every 30 seconds', async () => {
    await page.clock.install();
    await page.goto(address);
    await row('theo.laurent@example.org').waitFor();
    let readCount = 0;
    page.on('request', (request) => {
      if (/\/api\/admin\/users\?/.test(request.url())) readCount += 1;
    });
    await page.clock.runFor(29_000);
    assert.equal(readCount, 0);
    const again = page.waitForRequest(/\/api\/admin\/users\?/);
    await page.clock.runFor(2_000);
    await again;
  });

  it('leaves no error in the console', () => assert.deepEqual(complaints, []));
});

/** Moves the focus with Tab to the button with this name. */
async function tabTo(name: string): Promise<void> {
  for (let presses = 0; presses < 40; presses += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => document.activeElement?.textContent ?? '');
    if (focused === name) return;
  }
  assert.fail(`Tab never reached ${name}`);
}
