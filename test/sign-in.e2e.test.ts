import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { sql } from '#platform/database.ts';
import { accountKey } from '../server/access/account-key.ts';
import { failedSignInsOfAccount } from '../server/access/limits.ts';
import { hashPassword } from '../server/access/passwords.ts';
import { buildWebIfStale } from '../web/build/build.ts';
import { openBrowser, openPage, violations } from './browser.ts';
import { openAs } from './open-as.ts';
import { type Person, testSite } from './site.ts';

/** What a sign-in asks for besides the password, in Chromium: the captcha, the operators' gate, and for a new phone. */
await buildWebIfStale();
const GATE_KEY = 'a key that is typed';
const site = await testSite({ after }, { ADMIN_GATE_KEY: GATE_KEY });
const browser = await openBrowser({ after });
const PASSWORD = 'a quiet river 7';
const passwordHash = await hashPassword(PASSWORD);
const still = { reducedMotion: 'reduce' } as const;

async function somebody(options: Parameters<typeof site.member>[0] = {}): Promise<Person> {
  const person = await site.member(options);
  await site.owner.rows(
    sql`update members.members set password_hash = ${passwordHash} where id = ${person.id}`,
  );
  return person;
}
const guessAt = async ({ email }: Person) => {
  for (let failures = 0; failures < 50; failures += 1)
    await site.platform.limits.count(failedSignInsOfAccount, accountKey(email));
};
const passGate = async (page: Page, key = GATE_KEY) => {
  await page.getByRole('heading', { level: 1, name: '접근 키' }).waitFor();
  await page.getByLabel('키', { exact: true }).fill(key);
  await page.getByRole('button', { name: '계속' }).click();
};
const fillOperator = async (page: Page, { email }: Person) => {
  await page.getByRole('heading', { level: 1, name: '운영자 로그인' }).waitFor();
  await page.getByLabel('이메일').fill(email);
  await page.getByLabel('비밀번호', { exact: true }).fill(PASSWORD);
  await page.getByRole('button', { name: '로그인', exact: true }).click();
};
const panel = (page: Page) => page.getByRole('navigation', { name: /운영|관리/ }).first();

describe('a sign-in to an account that others guess at', () => {
  it('asks for the captcha, and goes on with it', async () => {
    const person = await somebody();
    await guessAt(person);
    const { page, context } = await openPage(browser, { ...still, locale: 'en-US' });
    await page.goto(`${site.origin}/auth`);
    await page.getByLabel('E-mail').fill(person.email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    const send = page.getByRole('button', { name: 'Log in', exact: true });
    await send.click();
    await page.getByText('Please complete the captcha verification').waitFor();
    assert.deepEqual(await violations(page), []);
    await send.click();
    const box = page.getByRole('checkbox', { name: 'I am human' });
    assert.equal(await box.isChecked(), false);
    await page.getByLabel('Password', { exact: true }).fill('not this one');
    await box.check();
    await send.click();
    await page.getByRole('alert').filter({ hasText: 'Login Failed' }).waitFor();
    assert.equal(await box.isChecked(), false, 'a token is valid for one try');
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await box.check();
    await send.click();
    await page.getByRole('heading', { level: 1, name: /Test/ }).waitFor();
    await context.close();
  });
});

describe('the operators’ gate', () => {
  it('§2-2 access to routes: stands before the panel for a signed-out operator, who then reaches it', async () => {
    const operator = await somebody({ role: 'admin' });
    await guessAt(operator);
    const { page, context } = await openPage(browser, still);
    await page.goto(`${site.origin}/management-panel-x7k9w`);
    await passGate(page);
    await fillOperator(page, operator);
    await page.getByRole('checkbox', { name: '사람입니다' }).check();
    await page.getByRole('button', { name: '로그인', exact: true }).click();
    await panel(page).waitFor();
    await context.close();
  });
  it('stands before the panel for an operator whose session lacks the pass', async () => {
    const operator = await somebody({ role: 'admin' });
    const { page, context } = await openAs(browser, site, operator, '/management-panel-x7k9w', still);
    await passGate(page, 'another key');
    await page.getByRole('alert').filter({ hasText: '키가 틀렸습니다.' }).waitFor();
    assert.deepEqual(await violations(page), []);
    await passGate(page);
    await panel(page).waitFor();
    await page.getByRole('alert').waitFor({ state: 'detached', timeout: 2_000 });
    await context.close();
  });
  it('§2-2 operators’ login: shows the gate when its time is over, and keeps what was typed', async () => {
    const operator = await somebody({ role: 'admin' });
    const { page, context } = await openPage(browser, still);
    await page.goto(`${site.origin}/admin-login`);
    await fillOperator(page, operator);
    await passGate(page);
    await page.getByRole('heading', { level: 1, name: '운영자 로그인' }).waitFor();
    assert.equal(await page.getByLabel('이메일').inputValue(), operator.email);
    await page.getByRole('button', { name: '로그인', exact: true }).click();
    await panel(page).waitFor();
    await context.close();
  });
  it('is where an operator who signs in on the members’ form is led', async () => {
    const operator = await somebody({ role: 'admin' });
    const { page, context } = await openPage(browser, { ...still, locale: 'en-US' });
    await page.goto(`${site.origin}/auth`);
    await page.getByLabel('E-mail').fill(operator.email);
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Log in', exact: true }).click();
    // The return from Google leads to the same URL.
    await page.waitForURL('**/admin-key?error=wrong-key');
    // The operators' area starts in Korean.
    await page.getByText('운영자로 로그인하려면 먼저 접근 키를 입력해 주세요.').waitFor();
    await page.reload();
    await page.getByText('운영자로 로그인하려면 먼저 접근 키를 입력해 주세요.').waitFor();
    assert.equal(await page.getByText('The key is wrong').count(), 0);
    await context.close();
  });
});

describe('a verified phone', () => {
  const codeTo = async (number: string): Promise<string> =>
    (await site.call('GET', '/sandbox/outbox')).body.findLast(({ to }: { to: string }) => to === number)
      ?.code ?? '';

  it('is replaced with the password and the code to the new number', async () => {
    const person = await somebody({ isPhoneVerified: true });
    const { page, context } = await openAs(browser, site, person, '/settings', { ...still, locale: 'en-US' });
    await page.getByRole('button', { name: 'Change number' }).click();
    await page.getByLabel(/^New phone number/).fill('+821077770001');
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByText('Password is required').waitFor();
    await page.getByLabel('Your password', { exact: true }).fill('not this one');
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByText('The password is wrong.').waitFor();
    assert.deepEqual(await violations(page), []);
    await page.getByLabel('Your password', { exact: true }).fill(PASSWORD);
    await page.getByRole('button', { name: 'Send code' }).click();
    await page.getByText('The code is on its way to +821077770001.').waitFor();
    await page.getByLabel(/^Verification code/).fill(await codeTo('+821077770001'));
    await page.getByRole('button', { name: 'Verify phone' }).click();
    await page.getByRole('button', { name: 'Change number' }).waitFor();
    await page.getByText('+821077770001').waitFor();
    await context.close();
  });
  it('is replaced with a code to the old number, in Korean', async () => {
    const person = await somebody({ isPhoneVerified: true });
    const old = `+821${person.id}`;
    const { page, context } = await openAs(browser, site, person, '/settings', { ...still, locale: 'ko-KR' });
    await page.getByRole('button', { name: '번호 바꾸기' }).click();
    await page.getByLabel(/^새 전화번호/).fill('+821077770002');
    await page.getByRole('button', { name: '기존 번호로 인증 번호 받기' }).click();
    await page.getByRole('button', { name: `${old} 번호로 인증 번호 보내기` }).click();
    await page.getByText(`${old} 번호로 인증 번호를 보냈습니다.`).waitFor();
    await page.getByLabel(/^기존 번호로 받은 인증 번호/).fill(await codeTo(old));
    await page.getByRole('button', { name: '인증 번호 보내기', exact: true }).click();
    await page.getByText('+821077770002 번호로 인증 번호를 보냈습니다.').waitFor();
    await context.close();
  });
});
