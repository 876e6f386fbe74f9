import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { sql } from '#platform/database.ts';
import { openPage, violations } from './browser.ts';
import { operatorPage } from './operator-browser.ts';
import { signIn } from './sign-in.ts';

/** The settings of the site in the browser: payment methods and providers, each with its test. */
const { site, panel, browser, page, context, complaints } = await operatorPage(
  { after },
  { language: 'en', viewport: { width: 1440, height: 1000 } },
);

const address = `${panel}/config`;
const sheet = () => page.getByRole('complementary');
const change = (path: string, data: object) =>
  page.request.put(`${site.origin}/api/admin/${path}`, { headers: { origin: site.origin }, data });
const newestAct = async () => {
  const answer = await page.request.get(`${site.origin}/api/admin/audit?limit=1`);
  const { data } = (await answer.json()) as { data: { action: string; target: string; after: object }[] };
  return data[0];
};

describe('the settings of a payment method', () => {
  it('§2-2 system settings: are tested before they are saved, and the test names a wrong password', async () => {
    await page.goto(`${address}?tab=payments`);
    await page.getByRole('button', { name: 'Litecoin' }).click();
    const password = sheet().getByLabel('Password');
    assert.equal(await password.inputValue(), '***encrypted***');
    await sheet().getByRole('button', { name: 'Test the connection' }).click();
    await sheet().getByText('Everything works').waitFor();
    await sheet()
      .getByText(/^It is in sync, at block \d+\.$/)
      .waitFor();

    await password.focus();
    await page.keyboard.type('not the password');
    assert.equal(await password.inputValue(), 'not the password');
    await sheet().getByRole('button', { name: 'Test the connection' }).click();
    await sheet().getByText('The node refused the RPC user or password.').waitFor();
    await sheet().getByText('Something is wrong').waitFor();
    assert.deepEqual(await violations(page), []);
    const methods = await page.request.get(`${site.origin}/api/admin/payment-methods`);
    assert.doesNotMatch(await methods.text(), /not the password/);
  });

  it('say before the press that another port needs the secrets again', async () => {
    await page.goto(`${address}?tab=payments&open=litecoin`);
    const port = sheet().getByLabel('Port');
    const stored = await port.inputValue();
    await port.fill('1');
    await sheet()
      .getByText(/^The host or the port is another one\. Type these in again: User, Password\./)
      .waitFor();
    const press = sheet().getByRole('button', { name: 'Test the connection' });
    assert.equal(await press.isDisabled(), true);
    assert.equal(await sheet().getByRole('button', { name: 'Save Litecoin' }).isDisabled(), true);
    await sheet().getByLabel('User').fill('user');
    await sheet()
      .getByText(/Type these in again: Password\./)
      .waitFor();
    await sheet().getByLabel('Password').fill('word');
    await press.click();
    await sheet().getByText('The node is not reachable.').waitFor();
    await page.goto(`${address}?tab=payments&open=litecoin`);
    assert.equal(await port.inputValue(), stored);
    assert.deepEqual(complaints, []);
  });

  it('are saved field by field by keyboard, with one act, and the secret stays', async () => {
    await page.goto(`${address}?tab=payments&open=litecoin`);
    await sheet().getByLabel('Least, P').fill('2,000');
    await page.keyboard.press('Enter');
    await page.getByRole('status').filter({ hasText: 'Litecoin is saved.' }).waitFor();
    const act = await newestAct();
    assert.deepEqual([act?.action, act?.target], ['payment-method.change', 'litecoin']);
    assert.deepEqual(act?.after, { minimumAmount: 2_000 });
    await sheet().getByRole('button', { name: 'Test the connection' }).click();
    await sheet().getByText('Everything works').waitFor();
    await sheet().getByLabel('Most, P').fill('many');
    await page.keyboard.press('Enter');
    await sheet().getByText('Must be a whole number').waitFor();
    await sheet().getByLabel('Most, P').fill('1500');
    await page.keyboard.press('Enter');
    await sheet().getByText('Must be 0 or at least 2000').waitFor();
    await sheet()
      .getByText(/^Failed to update payment method\./)
      .waitFor();
    complaints.splice(0);
  });

  it('§2-8 system settings: are not overwritten by an operator who saw others', async () => {
    await page.goto(`${address}?tab=payments&open=dash`);
    await sheet().getByLabel('Fee, P').fill('7');
    assert.equal(
      (await change('payment-methods/dash', { settings: { minimumAmount: 3_000 } })).status(),
      200,
    );
    await sheet().getByRole('button', { name: 'Save Dash' }).click();
    await sheet()
      .getByText(/Another operator changed these settings meanwhile/)
      .waitFor();
    complaints.splice(0);
    await sheet().getByRole('button', { name: 'Drop my changes and show what is stored' }).click();
    await page.waitForFunction(() =>
      [...document.querySelectorAll('input')].some(({ value }) => value === '3,000'),
    );
    await sheet().getByLabel('Fee, P').fill('7');
    await sheet().getByRole('button', { name: 'Save Dash' }).click();
    await page.getByRole('status').filter({ hasText: 'Dash is saved.' }).waitFor();
    assert.deepEqual(complaints, []);
  });

  it('say on a phone, in Korean, that a method has no account', async () => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.evaluate(() => localStorage.setItem('operatorLanguage', 'ko'));
    await context.addInitScript(() => localStorage.setItem('operatorLanguage', 'ko'));
    await page.goto(`${address}?tab=payments`);
    await page.getByRole('button', { name: /^PayPal/ }).click();
    const dialog = page.getByRole('dialog', { name: '출금 방식' });
    await dialog.getByText('여기에서 설정할 계정이 없는 방식이라 신청을 승인할 수 없습니다.').waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
    assert.deepEqual(complaints, []);
    await page.setViewportSize({ width: 1440, height: 1000 });
  });
});

describe('the settings of a provider', () => {
  it('have the address to copy, explain signature and policy, and are tested', async () => {
    await context.addInitScript(() => localStorage.setItem('operatorLanguage', 'en'));
    await page.goto(address);
    await page.getByRole('navigation', { name: 'Parts of the settings' }).getByText('Providers').waitFor();
    await page.getByRole('button', { name: 'KiwiWall' }).click();
    assert.equal(
      await sheet().getByLabel('Secret', { exact: false }).first().inputValue(),
      '***encrypted***',
    );
    const shown = await sheet().locator('code').innerText();
    assert.match(shown, /\/api\/webhooks\/postback\/kiwiwall\?status=\{status\}&/);
    await sheet().getByRole('button', { name: 'Copy the postback address' }).waitFor();
    await sheet()
      .getByText(/^Transaction: who sees a signed call could give it another number/)
      .waitFor();
    await sheet().getByText('Refuse', { exact: true }).click();
    await sheet()
      .getByText(/^They are refused and stored as evidence\./)
      .waitFor();
    await sheet().getByRole('button', { name: 'Test the connection' }).click();
    await sheet().getByText('The wall answers.').waitFor();
    assert.deepEqual(await violations(page), []);

    await sheet()
      .getByLabel(/^Known addresses/)
      .fill('no address');
    await sheet().getByRole('button', { name: 'Save KiwiWall' }).click();
    await sheet().getByText('no: Must be an address or a CIDR range').waitFor();
    await sheet()
      .getByText(/^Failed to update provider\./)
      .waitFor();
    complaints.splice(0);
    await sheet()
      .getByLabel(/^Known addresses/)
      .fill('192.0.2.7, 198.51.100.0/24');
    await sheet().getByRole('button', { name: 'Save KiwiWall' }).click();
    await page.getByRole('status').filter({ hasText: 'KiwiWall is saved.' }).waitFor();
    const act = await newestAct();
    assert.deepEqual(act?.after, {
      sourceAddresses: ['192.0.2.7', '198.51.100.0/24'],
      sourcePolicy: 'refuse',
    });
    assert.deepEqual(complaints, []);
  });

  it('are an own part beside the payment methods, also in dark Korean on a phone', async () => {
    await page.emulateMedia({ colorScheme: 'dark' });
    await context.addInitScript(() => localStorage.setItem('operatorLanguage', 'ko'));
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto(`${address}?open=bitlabs`);
    const dialog = page.getByRole('dialog', { name: '제공사' });
    await dialog.getByText('호출의 어느 부분을 바꿔도 서명이 맞지 않게 됩니다.').waitFor();
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 390);
    await page.goto(address);
    await page.getByRole('link', { name: '출금', exact: true }).click();
    await page.getByRole('button', { name: /^Litecoin/ }).waitFor();
    assert.equal(new URL(page.url()).searchParams.get('tab'), 'payments');
    assert.deepEqual(complaints, []);
  });
});

describe('the settings of the site', () => {
  it('are changed field by field, with one act, and an empty cap is none', async () => {
    await page.emulateMedia({ colorScheme: 'light' });
    await context.addInitScript(() => localStorage.setItem('operatorLanguage', 'en'));
    await page.setViewportSize({ width: 1440, height: 1000 });
    await page.goto(`${address}?tab=site`);
    await page.getByLabel('A member and day, P').fill('90,000');
    assert.deepEqual(await violations(page), []);
    await page.getByLabel('Move in an hour by at most, %').fill('20');
    await page.keyboard.press('Enter');
    await page.getByRole('status').filter({ hasText: 'The settings of the site are saved.' }).waitFor();
    const act = await newestAct();
    assert.equal(act?.action, 'site.change');
    const read = async () => (await page.request.get(`${site.origin}/api/admin/site`)).json();
    const saved = (await read()) as { caps: object; rateBounds: object };
    assert.deepEqual(saved.caps, { memberDay: '90000', methodDay: null, secondPersonFrom: null });
    assert.deepEqual(saved.rateBounds, { differencePercent: 2, jumpPercent: 20 });
    await page.getByLabel('A member and day, P').fill('');
    await page.getByLabel('Time to take back, seconds').fill('soon');
    await page.getByRole('button', { name: /^Save \d+ changes?$/ }).click();
    await page
      .getByRole('alert')
      .getByText(/^The settings were not saved\./)
      .waitFor();
    complaints.splice(0);
    await page.getByLabel('Time to take back, seconds').fill('5');
    await page.getByRole('button', { name: /^Save \d+ changes?$/ }).click();
    await page.waitForFunction(() => document.querySelector('[role=alert]') === null);
    assert.deepEqual(complaints, []);
  });

  it('wait for another operator where a bound is loosened', async () => {
    const caps = { memberDay: '80000', secondPersonFrom: '1000' };
    assert.equal((await change('site', { caps })).status(), 200);
    await page.goto(`${address}?tab=site`);
    await page.getByRole('textbox', { name: 'A member and day, P' }).fill('');
    await page.getByRole('button', { name: /^Save \d+ changes?$/ }).click();
    await page.getByRole('status').filter({ hasText: 'waits for another operator' }).waitFor();
    assert.equal(await page.getByRole('textbox', { name: 'A member and day, P' }).inputValue(), '80,000');
    const waiting = page.getByRole('region', { name: 'Waits for another operator' });
    const own = waiting.getByRole('listitem', { name: 'A member and day, P' });
    await own.getByText('80,000 → none').waitFor();
    assert.equal(await own.getByRole('button', { name: 'Confirm' }).count(), 0);
    assert.deepEqual(await violations(page), []);
    await own.getByRole('button', { name: 'Withdraw' }).click();
    await page.getByRole('status').filter({ hasText: 'is withdrawn.' }).waitFor();
    await waiting.waitFor({ state: 'detached' });

    await site.owner.rows(sql`update members.members set role = 'admin' where email = ${site.member.email}`);
    const { context: others } = await openPage(browser);
    await signIn(others, site, site.member);
    const data = { caps: { secondPersonFrom: '5000' }, payoutDelaySeconds: 0 };
    const headers = { origin: site.origin };
    const asked = await others.request.put(`${site.origin}/api/admin/site`, { headers, data });
    assert.equal(asked.status(), 200);
    await others.close();
    await page.goto(panel);
    await page.getByRole('link', { name: /^Site settings/ }).click();
    const sum = waiting.getByRole('listitem', { name: 'Second person from, P' });
    await sum.getByText(/^Asked by /).waitFor();
    await sum.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('status').filter({ hasText: '“Second person from, P” is changed.' }).waitFor();
    await sum.waitFor({ state: 'detached' });
    assert.equal(await page.getByRole('textbox', { name: 'Second person from, P' }).inputValue(), '5,000');
    assert.equal((await newestAct())?.action, 'site.confirm');
    assert.deepEqual(complaints, []);
  });
});
