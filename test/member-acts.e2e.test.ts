import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { openPage, violations, widerThanWindow } from './browser.ts';
import { operatorPage } from './operator-browser.ts';
import { signIn } from './sign-in.ts';

/** The parts of a member's page, and the forms that act on the member, with the demo world. */
const { site, panel, read, browser, page, context, complaints } = await operatorPage(
  { after },
  { language: 'en' },
);

const sheet = () => page.getByRole('complementary');
const dialog = () => page.getByRole('dialog');
const tab = (name: string | RegExp) => page.getByRole('tab', { name });
const idOf = async (name: string): Promise<string> => (await read(`users?q=${name}`))[0].id;
const speak = (language: string) =>
  page.evaluate((chosen) => localStorage.setItem('operatorLanguage', chosen), language);
const open = async (name: string, search = '') => {
  const id = await idOf(name);
  await page.goto(`${panel}/users/member?id=${id}${search}`);
  await page.getByRole('tablist').waitFor();
  return id;
};
/** The newest acts on a member: what, and why. */
const actsOn = async (id: string): Promise<string[][]> =>
  (await read(`audit?q=${id}`)).data.map(({ action, reason }: Record<string, string>) => [action, reason]);

/** Axe and the width of the page, in both sizes and schemes. */
async function isSound(name: string): Promise<void> {
  const { SCREENSHOTS: folder } = process.env;
  for (const [width, colorScheme] of [
    [390, 'light'],
    [390, 'dark'],
    [1440, 'dark'],
    [1440, 'light'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    assert.deepEqual(await violations(page), []);
    assert.equal(await widerThanWindow(page), 0, `${name} on ${width} px`);
    if (folder) await page.screenshot({ path: `${folder}/${name}-${width}-${colorScheme}.png` });
  }
}

describe('the parts of a member’s page', () => {
  it('are opened by numbers, and stay in the address', async () => {
    await open('minjun');
    await page.locator('section ol li').first().waitFor();
    await isSound('member-timeline');
    await page.keyboard.press('Digit3');
    await tab('Withdrawals').and(page.locator('[aria-selected="true"]')).waitFor();
    await page
      .getByRole('link', { name: /P, Litecoin$/ })
      .first()
      .waitFor();
    await isSound('member-withdrawals');
    assert.equal(new URL(page.url()).searchParams.get('tab'), 'withdrawals');
    await page.keyboard.press('Digit7');
    await page
      .getByText('No linked account')
      .or(page.getByText(/linked account/))
      .first()
      .waitFor();
    await page.keyboard.press('Digit1');
    await page.waitForURL((url) => !url.searchParams.has('tab'));
    await page.getByText('Terms', { exact: true }).waitFor();
  });

  it('show one kind of line each', async () => {
    await open('minjun', '&tab=money');
    const lines = page.locator('section ol li');
    await lines.filter({ hasText: 'CPX Research' }).first().waitFor();
    assert.equal(await lines.filter({ hasText: 'Joined' }).count(), 0);
    await tab('Tickets').click();
    await page
      .getByText('Nothing here')
      .or(lines.filter({ hasText: 'Ticket:' }).first())
      .waitFor();
    assert.equal(await lines.filter({ hasText: 'CPX Research' }).count(), 0);
  });

  it('are in Korean too', async () => {
    await speak('ko');
    await open('minjun', '&tab=devices');
    await tab(/^기기/).waitFor();
    await isSound('member-devices-ko');
    await speak('en');
  });
});

describe('the forms of a member’s page', () => {
  it('give points by keyboard alone, and show what changes first', async () => {
    const id = await open('noah');
    const before = BigInt((await read(`users/${id}`)).balance);
    await page.keyboard.press('Shift+KeyG');
    await sheet().getByRole('heading', { name: 'Act on Noah Fischer' }).waitFor();
    await isSoundOver('member-grant', 'Act on Noah Fischer');
    await sheet().getByLabel('Points').fill('500');
    await sheet().getByLabel('Reason').fill('For the survey that closed halfway');
    await sheet().getByText('Balance then').waitFor();
    await sheet().getByLabel('Reason').focus();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => document.activeElement?.textContent);
    assert.match(focused ?? '', /^Give 500.P$/);
    await page.keyboard.press('Enter');
    await sheet().waitFor({ state: 'detached' });
    assert.equal(BigInt((await read(`users/${id}`)).balance), before + 500n);
    assert.deepEqual((await actsOn(id))[0], ['points.grant', 'For the survey that closed halfway']);
    await page
      .locator('section ol li')
      .filter({ hasText: 'For the survey that closed halfway' })
      .first()
      .waitFor();
  });

  it('name the missing words before anything is sent', async () => {
    const id = await open('noah', '&act=grant');
    const count = (await actsOn(id)).length;
    await sheet().getByRole('button', { name: 'Give 0 P' }).click();
    await page.waitForFunction(() => document.activeElement?.id === 'grant-amount');
    await sheet().getByText('Chargeback', { exact: true }).click();
    await page.waitForURL(/act=chargeback/);
    await sheet().getByRole('button', { name: 'Take back 0 P' }).click();
    await sheet().getByText('Reason is required').waitFor();
    await sheet().getByText('Message', { exact: true }).click();
    await sheet().getByRole('button', { name: 'Send the message' }).click();
    await sheet().getByText('Please write the message').waitFor();
    assert.deepEqual(await violations(page), []);
    assert.equal((await actsOn(id)).length, count);
  });

  it('take points back, and say which debt remains', async () => {
    const id = await open('noah', '&act=chargeback');
    await isSoundOver('member-chargeback', 'Act on Noah Fischer');
    await sheet().getByLabel('Amount in points').fill('900000');
    await sheet().getByLabel('Reason').fill('Paid twice');
    await sheet().getByText(/debt/).first().waitFor();
    await sheet().getByRole('button', { name: 'Take back 900,000 P' }).click();
    await sheet().waitFor({ state: 'detached' });
    assert.deepEqual((await actsOn(id))[0], ['points.revoke', 'Paid twice']);
    assert.ok(BigInt((await read(`users/${id}`)).balance) < 0n);
  });

  it('send a message, which the member reads as a notice', async () => {
    const id = await open('member@earnest');
    await page.keyboard.press('KeyE');
    await isSoundOver('member-message', /^Act on/);
    await sheet().getByRole('textbox', { name: 'Message' }).fill('Your address changed.\nWas it you?');
    await sheet().getByRole('button', { name: 'Send the message' }).press('Enter');
    await page.getByText(/has the message\.$/).waitFor();
    assert.deepEqual((await actsOn(id))[0], ['member.message', 'Your address changed.\nWas it you?']);
    const { page: own, context: theirs } = await openPage(browser);
    await signIn(theirs, site, site.member);
    await own.goto(`${site.origin}/notices`);
    await own.getByText('A message from the operators').waitFor();
    await own.getByText('Was it you?').waitFor();
    assert.deepEqual(await violations(own), []);
    await theirs.close();
  });

  it('end the sessions of a member after a reason', async () => {
    const { page: own, context: theirs } = await openPage(browser);
    await signIn(theirs, site, site.member);
    await own.goto(`${site.origin}/history`);
    const id = await open('member@earnest', '&tab=devices');
    await page.getByRole('button', { name: 'End all sessions…' }).click();
    const end = dialog().getByRole('button', { name: 'End all sessions' });
    await end.click();
    await dialog().getByText('Please enter a reason').waitFor();
    await dialog().getByLabel('Reason').fill('A lost phone');
    assert.deepEqual(await violations(page), []);
    await end.press('Enter');
    await page.getByText('The member is logged in nowhere.').waitFor();
    assert.deepEqual((await actsOn(id))[0], ['member.end-sessions', 'A lost phone']);
    await own.reload();
    await own.getByLabel('Password').first().waitFor();
    await theirs.close();
  });

  it('suspend in the sheet on a phone, and close with Back', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    const id = await open('theo');
    await page.getByRole('button', { name: 'Act…' }).click();
    await dialog().getByRole('heading', { name: 'Act on Theo Laurent' }).waitFor();
    await page.goBack();
    await dialog().waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Act…' }).click();
    await dialog().getByText('Suspend', { exact: true }).first().click();
    await dialog()
      .getByRole('radio', { name: /Withdrawals blocked/ })
      .check();
    await dialog().getByText('Temporary', { exact: true }).click();
    await dialog().getByLabel('Until').fill('2030-01-31T12:00');
    await dialog().getByLabel('Reason').fill('A new address after two reversals');
    assert.equal(await widerThanWindow(page), 0);
    assert.deepEqual(await violations(page), []);
    await dialog().getByRole('button', { name: 'Suspend', exact: true }).last().click();
    await page.getByText('Theo Laurent is suspended.').waitFor();
    const [suspension] = await read(`suspensions?q=${id}`);
    assert.deepEqual(
      [suspension.suspensionType, suspension.severity, suspension.reason],
      ['withdrawal_blocked', 'temporary', 'A new address after two reversals'],
    );
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('are in Korean', async () => {
    await speak('ko');
    const id = await open('liam', '&act=suspend');
    await sheet().getByRole('heading', { name: /조치$/ }).waitFor();
    assert.deepEqual(await violations(page), []);
    await page.goto(`${panel}/users/member?id=${id}&act=message`);
    await sheet().getByRole('textbox', { name: '메시지' }).fill('주소가 바뀌었습니다. 본인이 하셨나요?');
    await sheet().getByRole('button', { name: '메시지 보내기' }).click();
    await page.getByText('메시지를 보냈습니다.').waitFor();
    await speak('en');
  });

  it('offer nothing that the server refuses for an operator’s or a closed account', async () => {
    const [operator] = await read('users?role=admin');
    await page.goto(`${panel}/users/member?id=${operator.id}&act=suspend`);
    await page.getByRole('button', { name: 'Act…' }).click();
    await sheet().getByText('Grant', { exact: true }).waitFor();
    assert.equal(await sheet().getByText('Suspend', { exact: true }).count(), 0);
    const id = await idOf('amara');
    const removed = await context.request.delete(`${site.origin}/api/admin/users/${id}`, {
      headers: { origin: site.origin },
    });
    assert.equal(removed.status(), 204);
    await page.goto(`${panel}/users/member?id=${id}`);
    await page.getByRole('button', { name: 'Act…' }).click();
    await sheet().getByLabel('Amount in points').waitFor();
    assert.equal(await sheet().getByText('Message', { exact: true }).count(), 0);
  });

  it('leave no error in the console', () => assert.deepEqual(complaints, []));
});

/** The same with the sheet open, which covers a phone. A form that moves between page and drawer begins anew. */
async function isSoundOver(name: string, title: string | RegExp): Promise<void> {
  await page.getByRole('heading', { name: title }).waitFor();
  await isSound(name);
}
