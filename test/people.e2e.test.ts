import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { openPage, violations, visit, widerThanWindow } from './browser.ts';
import { operatorPage } from './operator-browser.ts';
import { signIn } from './sign-in.ts';

/** The operators' list of members, the page of one and the forms that act on it, with the people of the demo world. */
const { site, panel, read, browser, page, complaints } = await operatorPage(
  { after },
  { language: 'en', path: '/users' },
);

const address = `${panel}/users`;
const rows = page.locator('tbody').getByRole('row');
const row = (text: string) => rows.filter({ hasText: text });
const sheet = page.getByRole('complementary');
const dialog = page.getByRole('dialog');
const tab = (name: string) => page.getByRole('tab', { name });
const lines = page.locator('section ol li');

async function find(text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Find a member' }).fill(text);
  // A number has quotation marks in the URL, because it is a text.
  await page.waitForURL((url) => url.searchParams.get('q')?.replaceAll('"', '') === text);
}
/** Opens the row of the only member whom a search finds. */
async function openRow(search: string, text: string): Promise<void> {
  await visit(page, address + search);
  await row(text).getByRole('button').click();
}
/** Shows the page of a member. */
async function open(name: string, search = ''): Promise<string> {
  const [{ id, email }] = await read(`users?q=${name}`);
  await visit(page, `${address}/member?id=${id}${search}`);
  await page.locator('main').getByText(email).first().waitFor();
  return id;
}
/** The newest acts on a member: what, and why. */
const actsOn = async (id: string): Promise<string[][]> =>
  (await read(`audit?q=${id}`)).data.map(({ action, reason }: Record<string, string>) => [action, reason]);

/** Moves the focus with Tab to the button with this name. */
async function tabTo(name: string | RegExp): Promise<void> {
  for (let presses = 0; presses < 40; presses += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => document.activeElement?.textContent ?? '');
    if (typeof name === 'string' ? focused === name : name.test(focused)) return;
  }
  assert.fail(`Tab never reached ${name}`);
}

describe('the list of members', () => {
  it('§2-2 users: shows the members with their number, newest first', async () => {
    await row('theo.laurent@example.org').waitFor();
    assert.equal(await rows.count(), 14);
    await page.getByLabel('Totals').getByText('14 members').waitFor();
  });

  it('finds a member by what an operator has at hand', async () => {
    await find('seoyeon');
    await row('theo.laurent').waitFor({ state: 'detached' });
    assert.equal(await rows.count(), 1);
    assert.equal(await page.getByLabel('Totals').innerText(), 'Found\n1');
    await row('seoyeon.lee@example.org').getByRole('button').click();
    await page.waitForURL((url) => url.searchParams.has('open'));
    const id = (new URL(page.url()).searchParams.get('open') ?? '').replaceAll('"', '');
    assert.match(id, /^[1-9]\d{8}$/);
    await find('nobody-has-this');
    await page.getByText('No member of this name').waitFor();
    await find('이서');
    await row('seoyeon.lee@example.org').waitFor();
    assert.equal(await rows.count(), 1);
    await find(id);
    await row('seoyeon.lee@example.org').waitFor();
    assert.equal(await rows.count(), 1);
  });

  it('offers no deletion and no suspension of an operator’s account', async () => {
    await openRow('?role=admin', site.operator.email);
    await sheet.getByText('An operator’s account can’t be deleted.').waitFor();
    assert.equal(await sheet.getByRole('button', { name: /Delete/ }).count(), 0);
    await page.keyboard.press('KeyM');
    await page.getByRole('button', { name: 'Act…' }).click();
    await sheet.getByText('Grant', { exact: true }).waitFor();
    assert.equal(await sheet.getByText('Suspend', { exact: true }).count(), 0);
  });

  it('§2-8 users: says why a deletion failed', async () => {
    await openRow('?q=olivia', 'olivia');
    await page.getByRole('button', { name: 'Delete the account…' }).click();
    await dialog.getByText(/stays in the closed account/).waitFor();
    assert.deepEqual(await violations(page), []);
    await dialog.getByRole('button', { name: 'Delete the account' }).click();
    const toast = page.getByRole('alert');
    await toast.getByText('Failed to delete the user').waitFor();
    await toast.getByText('A withdrawal is not finished yet.').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    complaints.splice(0);
  });

  it('deletes an account by keyboard alone, after a confirmation, and then offers little', async () => {
    await visit(page, `${address}?q=amara`);
    await row('amara').waitFor();
    await page.keyboard.press('KeyJ');
    await page.keyboard.press('Enter');
    await sheet.getByText('amara.singh@example.org').waitFor();
    const begin = sheet.getByRole('button', { name: 'Delete the account…' });
    await tabTo('Delete the account…');
    await page.keyboard.press('Enter');
    await dialog.getByRole('heading', { name: 'Delete the account of Amara Singh?' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await begin.press('Enter');
    await dialog.waitFor();
    await tabTo('Delete the account');
    await page.keyboard.press('Enter');
    await page.getByText('The account of Amara Singh is deleted.').waitFor();
    await row('amara').getByText('Deleted').waitFor();
    assert.equal(await begin.count(), 0);
    await page.getByRole('link', { name: 'Open the member page' }).click();
    await page.getByRole('button', { name: 'Act…' }).click();
    await sheet.getByLabel('Amount (points)').waitFor();
    assert.equal(await sheet.getByText('Message', { exact: true }).count(), 0);
  });
});

describe('the page of a member', () => {
  it('shows the figures, the facts and a timeline, whose lines lead on', async () => {
    await openRow('?q=minjun', 'minjun');
    await page.getByRole('link', { name: 'Open the member page' }).click();
    await page.waitForURL('**/users/member?id=*');
    await page.getByRole('heading', { level: 1, name: '김민준' }).waitFor();
    for (const label of ['Balance', 'Debt', 'Waiting', 'Earned in all', 'Paid out', 'Taken back'])
      await page.getByLabel('Totals').getByText(label, { exact: true }).waitFor();
    await lines.filter({ hasText: 'CPX Research' }).first().waitFor();
    const withdrawal = lines.filter({ hasText: 'Withdrawal requested, Litecoin' }).first();
    await withdrawal.getByText(/^−[\d,]+ P$/).waitFor();
    await withdrawal.getByRole('link').click();
    await page.waitForURL(/management-panel-x7k9w\/withdrawals\?status=all&q=/);
  });

  it('has parts with one kind of line each, which numbers open and the address names', async () => {
    await open('minjun');
    await lines.first().waitFor();
    await page.keyboard.press('Digit3');
    await tab('Withdrawals').and(page.locator('[aria-selected="true"]')).waitFor();
    const withdrawals = page.getByRole('link', { name: /P, Litecoin$/ });
    await withdrawals.first().waitFor();
    assert.equal(new URL(page.url()).searchParams.get('tab'), 'withdrawals');
    await page.keyboard.press('Digit7');
    await page
      .getByText('No linked account')
      .or(page.getByText(/linked account/))
      .first()
      .waitFor();
    await page.keyboard.press('Digit2');
    await lines.filter({ hasText: 'CPX Research' }).first().waitFor();
    assert.equal(await lines.filter({ hasText: 'Joined' }).count(), 0);
    await page.keyboard.press('Digit1');
    await page.waitForURL((url) => !url.searchParams.has('tab'));
    await page.getByText('Terms', { exact: true }).waitFor();
  });

  it('shows older lines by keyboard alone, and parts of the timeline', async () => {
    // More lines than one page has.
    for (let logins = 0; logins < 5; logins += 1) {
      const { status } = await fetch(`${site.origin}/api/auth/login`, {
        method: 'POST',
        headers: { origin: site.origin, 'content-type': 'application/json' },
        body: JSON.stringify(site.member),
      });
      assert.equal(status, 200);
    }
    await open('member@earnest');
    await lines.nth(49).waitFor();
    assert.equal(await lines.count(), 50);
    await tabTo('Show older ones');
    await page.keyboard.press('Enter');
    await lines.nth(50).waitFor();
    await page.getByRole('button', { name: 'Logins', exact: true }).focus();
    await page.keyboard.press('Enter');
    await lines.filter({ hasText: 'Joined' }).waitFor();
    assert.equal(await lines.filter({ hasText: 'CPX Research' }).count(), 0);
  });

  it('says that there is no such member', async () => {
    await visit(page, `${address}/member?id=999999999`);
    await page.getByText('No member has this ID.').waitFor();
    await page.getByRole('link', { name: 'All members' }).click();
    await rows.first().waitFor();
    complaints.splice(0);
  });
});

describe('the forms of a member’s page', () => {
  it('give points by keyboard alone, and show what changes first', async () => {
    const id = await open('noah');
    const before = BigInt((await read(`users/${id}`)).balance);
    await page.keyboard.press('Shift+KeyG');
    await sheet.getByRole('heading', { name: 'Act on Noah Fischer' }).waitFor();
    await sheet.getByLabel('Points').fill('500');
    await sheet.getByLabel('Reason').fill('For the survey that closed halfway');
    await sheet.getByText('Balance then').waitFor();
    assert.deepEqual(await violations(page), []);
    await sheet.getByLabel('Reason').focus();
    await tabTo(/^Give 500.P$/);
    await page.keyboard.press('Enter');
    await sheet.waitFor({ state: 'detached' });
    assert.equal(BigInt((await read(`users/${id}`)).balance), before + 500n);
    assert.deepEqual((await actsOn(id))[0], ['points.grant', 'For the survey that closed halfway']);
    await lines.filter({ hasText: 'For the survey that closed halfway' }).first().waitFor();
  });

  it('name the missing words before anything is sent', async () => {
    const id = await open('noah', '&act=grant');
    const count = (await actsOn(id)).length;
    await sheet.getByRole('button', { name: 'Give 0 P' }).click();
    await page.waitForFunction(() => document.activeElement?.id === 'grant-amount');
    await sheet.getByText('Message', { exact: true }).click();
    await sheet.getByRole('button', { name: 'Send the message' }).click();
    await sheet.getByText('Please write the message').waitFor();
    await sheet.getByText('Chargeback', { exact: true }).click();
    await page.waitForURL(/act=chargeback/);
    await sheet.getByRole('button', { name: 'Take back 0 P' }).click();
    await sheet.getByText('Reason is required').waitFor();
    assert.equal((await actsOn(id)).length, count);
  });

  it('take points back, and say which debt remains', async () => {
    const id = await open('noah', '&act=chargeback');
    await sheet.getByLabel('Amount (points)').fill('900000');
    await sheet.getByLabel('Reason').fill('Paid twice');
    await sheet.getByText(/debt/).first().waitFor();
    await sheet.getByRole('button', { name: 'Take back 900,000 P' }).click();
    await sheet.waitFor({ state: 'detached' });
    assert.deepEqual((await actsOn(id))[0], ['points.revoke', 'Paid twice']);
    assert.ok(BigInt((await read(`users/${id}`)).balance) < 0n);
  });

  it('send a message, which the member reads, and end the member’s sessions after a reason', async () => {
    const id = await open('member@earnest');
    await page.getByRole('button', { name: '한국어' }).click();
    await sheet.waitFor({ state: 'detached' });
    await page.keyboard.press('KeyE');
    await sheet.getByRole('textbox', { name: '메시지' }).fill('주소가 바뀌었습니다.\n본인이 하셨나요?');
    // What was typed and not sent is there again.
    await sheet.getByRole('button', { name: '닫기' }).click();
    await sheet.waitFor({ state: 'detached' });
    await page.keyboard.press('KeyE');
    await sheet.getByRole('button', { name: '메시지 보내기' }).press('Enter');
    await page.getByText('메시지를 보냈습니다.').waitFor();
    assert.deepEqual((await actsOn(id))[0], ['member.message', '주소가 바뀌었습니다.\n본인이 하셨나요?']);
    await page.getByRole('button', { name: 'English' }).click();
    const { page: own, context: theirs } = await openPage(browser);
    await signIn(theirs, site, site.member);
    await own.goto(`${site.origin}/notices`);
    await own.getByText('A message from the operators').waitFor();
    await own.getByText('본인이 하셨나요?').waitFor();

    await open('member@earnest', '&tab=devices');
    await page.getByRole('button', { name: 'End all sessions…' }).click();
    const end = dialog.getByRole('button', { name: 'End all sessions' });
    await end.click();
    await dialog.getByText('Please enter a reason').waitFor();
    await dialog.getByLabel('Reason').fill('A lost phone');
    assert.deepEqual(await violations(page), []);
    await end.press('Enter');
    await page.getByText('The member is logged in nowhere.').waitFor();
    assert.deepEqual((await actsOn(id))[0], ['member.end-sessions', 'A lost phone']);
    assert.equal((await theirs.request.get(`${site.origin}/api/user`)).status(), 401);
    await theirs.close();
  });

  it('suspend in the sheet on a phone, and close with Back', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    const id = await open('theo');
    await page.getByRole('button', { name: 'Act…' }).click();
    await dialog.getByRole('heading', { name: 'Act on Theo Laurent' }).waitFor();
    await page.goBack();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Act…' }).click();
    await dialog.getByText('Suspend', { exact: true }).first().click();
    await dialog.getByRole('radio', { name: /Withdrawals blocked/ }).check();
    await dialog.getByText('Temporary', { exact: true }).click();
    await dialog.getByLabel('Until').fill('2030-01-31T12:00');
    await dialog.getByLabel('Reason').fill('A new address after two reversals');
    assert.equal(await widerThanWindow(page), 0);
    assert.deepEqual(await violations(page), []);
    await dialog.getByRole('button', { name: 'Suspend', exact: true }).last().click();
    await page.getByText('Theo Laurent is suspended.').waitFor();
    const [suspension] = await read(`suspensions?q=${id}`);
    assert.deepEqual(
      [suspension.suspensionType, suspension.severity, suspension.reason],
      ['withdrawal_blocked', 'temporary', 'A new address after two reversals'],
    );
    await page.setViewportSize({ width: 1440, height: 900 });
  });
});

describe('the polling of the list', () => {
  it('§2-9 polling: reads the members again every 30 seconds', async () => {
    await page.clock.install();
    await page.goto(address);
    await row('theo.laurent@example.org').waitFor();
    // On a busy machine the clock goes on for seconds meanwhile. The list is polled, and from then on it stands still.
    const polled = page.waitForResponse(/\/api\/admin\/users\?/);
    await page.clock.pauseAt(Date.now() + 60_000);
    await (await polled).finished();
    await page.waitForTimeout(300);
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
