import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { sql } from '#platform/database.ts';
import { buildWebIfStale } from '../web/build/build.ts';
import { accessPage, codeTo, guessAt, newestLink, PASSWORD, somebody } from './access-browser.ts';
import { violations, visit } from './browser.ts';
import { freePort } from './free-port.ts';
import { startMailing } from './mail.ts';
import { startOidcProvider } from './oidc-provider.ts';
import { type Person, testSite } from './site.ts';

/**
 * Signing in, registering and links in mails, in Chromium: the forms' rules and refusals, a new password by mail, a
 * real OpenID provider, the operators' gate, and what a new phone number asks for. Everybody uses one browser, which
 * forgets the person before.
 */
await buildWebIfStale();
const GATE_KEY = 'a key that is typed';
const PANEL = '/management-panel-x7k9w';
const port = String(await freePort());
const provider = await startOidcProvider({ after }, `http://localhost:${port}/api/auth/google/callback`);
const site = await testSite({ after }, { PORT: port, ADMIN_GATE_KEY: GATE_KEY, ...provider.environment });
await startMailing(site, { after });
const { owner, origin } = site;
const opened = await accessPage({ after }, site);
const { page, context, complaints, open, speak, t, field, fill, press, toast, heading, captcha } = opened;

describe('signing in', () => {
  it('§1-5 login: shows an error at each invalid field', async () => {
    await open('/auth');
    await press('auth.login');
    await page.getByText(t('auth.errors.email')).waitFor();
    await page.getByText(t('auth.errors.passwordRequired')).waitFor();
    await field('auth.password').fill('12345');
    await press('auth.login');
    const inEnglish = t('common.passwordShort');
    await page.getByText(inEnglish).waitFor();
    // Errors follow the language of the page. Typed values stay.
    await page.getByText('한국어', { exact: true }).click();
    speak('ko');
    await page.getByText(t('common.passwordShort')).waitFor();
    assert.equal(await page.getByText(inEnglish).count(), 0);
    assert.equal(await field('auth.password').inputValue(), '12345');
  });
  it('shows why signing in failed, and asks for the captcha at an account that others guess at', async () => {
    const [person, guessed] = [await somebody(site), await somebody(site)];
    await guessAt(site, guessed);
    await fill({ 'auth.email': person.email, 'auth.password': 'not this one' });
    await press('auth.login');
    await toast(t('auth.loginFailed'), t('refusals.invalid-credentials')).waitFor();
    await fill({ 'auth.email': guessed.email, 'auth.password': PASSWORD });
    await press('auth.login');
    await page.getByText(t('auth.errors.captcha')).waitFor();
    await press('auth.login');
    assert.equal(await captcha().isChecked(), false);
    await field('auth.password').fill('not this one');
    await captcha().check();
    const refused = page.waitForResponse('**/api/auth/login');
    await press('auth.login');
    await refused;
    await captcha().and(page.locator(':not(:checked)')).waitFor();
    await toast(t('auth.loginFailed'), t('refusals.invalid-credentials')).waitFor();
  });
  it('§1-8 sign-in: opens the front page 0.5 s after success', async () => {
    complaints.length = 0;
    await field('auth.password').fill(PASSWORD);
    await captcha().check();
    const answered = page.waitForResponse('**/api/auth/login');
    await press('auth.login');
    await answered;
    const begun = performance.now();
    await page.waitForURL(`${origin}/`);
    const waitedMs = performance.now() - begun;
    assert.ok(waitedMs > 400 && waitedMs < 3_000, `${waitedMs} ms`);
    await heading(/Test/).waitFor();
    assert.deepEqual(complaints, []);
  });
});

const newcomer = 'newcomer@example.com';

describe('registering', () => {
  it('§1-5 registration: shows an error at each invalid field', async () => {
    await open('/auth?tab=register', { speaks: 'ko' });
    await page.getByText(t('auth.terms')).waitFor();
    await fill({
      'auth.firstName': ' ',
      'auth.email': 'nobody',
      'auth.password': '12345',
      'auth.confirmPassword': '123456',
    });
    await press('auth.register');
    for (const error of ['name', 'email', 'captcha'])
      await page.getByText(t(`auth.errors.${error}`)).waitFor();
    for (const error of ['passwordShort', 'passwordMismatch'])
      await page.getByText(t(`common.${error}`)).waitFor();
    assert.deepEqual(await violations(page), []);
  });
  it('§1-4 registration: waits for the device hash and keeps it in the browser', async () => {
    const button = page.getByRole('button', { name: t('auth.register'), exact: true });
    assert.ok(await button.isEnabled());
    assert.ok(await page.evaluate(() => localStorage.getItem('deviceFingerprint')));
    const mute = await context.newPage();
    await mute.addInitScript(() => {
      HTMLCanvasElement.prototype.toDataURL = () => {
        throw new Error('This browser keeps its canvas to itself');
      };
    });
    await mute.goto(`${origin}/auth?tab=register`);
    await mute.getByText(t('auth.errors.device')).waitFor();
    assert.ok(await mute.getByRole('button', { name: t('auth.register'), exact: true }).isDisabled());
    await mute.close();
  });
  it('shows a message for each verdict of the security check', async () => {
    const [review, turnedDown] = ['review@example.com', 'turned.down@example.com'];
    await owner.rows(sql`
      insert into access.registration_reviews (email, facts, status, created_at)
      values (${review}, '{}', 'open', now()), (${turnedDown}, '{}', 'refused', now())`);
    const banned = await somebody(site);
    await owner.rows(sql`update members.members set role = 'banned' where id = ${banned.id}`);
    await fill({
      'auth.firstName': 'Mina',
      'auth.email': review,
      'auth.password': PASSWORD,
      'auth.confirmPassword': PASSWORD,
    });
    await captcha().check();
    // The form sends it, because the server keeps what is sent, with its captcha.
    const sent = page.waitForResponse('**/api/auth/register');
    await press('auth.register');
    assert.equal((await sent).status(), 403);
    await toast(t('auth.registerFailed'), t('refusals.manual-review-required')).waitFor();
    const reasons = t('auth.errors.turnedDown');
    assert.ok(!reasons.includes('operator'), 'the reason is in the language of the page');
    for (const [email, sentence] of [
      [turnedDown, t('auth.errors.notAllowed', { reasons })],
      [banned.email.replace('@', '+again@'), t('auth.errors.blocked')],
    ] as const) {
      await field('auth.email').fill(email);
      await captcha().check();
      await press('auth.register');
      await toast(t('auth.registerFailed'), sentence).waitFor();
    }
    await page.route('**/api/security/check-registration', (route) => route.abort());
    await field('auth.email').fill(newcomer);
    await captcha().check();
    await press('auth.register');
    await toast(t('auth.registerFailed'), t('auth.errors.check')).waitFor();
    await page.unroute('**/api/security/check-registration');
  });
  it('shows the server’s refusal and resets the captcha', async () => {
    const { email } = await somebody(site);
    for (const [code, typed] of [
      ['email-taken', { 'auth.email': email }],
      ['unknown-referral-code', { 'auth.email': newcomer, 'auth.referralCode': 'NOBODY99' }],
    ] as const) {
      await fill(typed);
      await captcha().check();
      await press('auth.register');
      await toast(t('auth.registerFailed'), t(`refusals.${code}`)).waitFor();
      await page
        .getByText(t(`refusals.${code}`))
        .nth(1)
        .waitFor();
      assert.equal(await captcha().isChecked(), false);
    }
  });
  it('confirms the registration, reports it to the server and opens the front page', async () => {
    complaints.length = 0;
    await field('auth.referralCode').fill('');
    await captcha().check();
    await press('auth.register');
    // Both are read at once: on a slow machine the front page opens between two looks.
    const path = await page.waitForFunction(
      (created) =>
        [...document.querySelectorAll('[role=status]')].some(({ textContent }) =>
          textContent?.includes(created),
        ) && location.pathname,
      t('auth.created'),
    );
    assert.equal(await path.jsonValue(), '/auth');
    await page.waitForURL(`${origin}/`);
    await heading(/Mina/).waitFor();
    const tracked = await owner.rows<{ action: string }>(sql`
      select entries -> 0 ->> 'action' as action from access.behaviour b
      join members.members m on m.id = b.member_id where m.email = ${newcomer} order by b.id limit 1`);
    assert.deepEqual(tracked, [{ action: 'register' }]);
    assert.deepEqual(complaints, []);
  });
});

describe('links in mails', () => {
  it('confirm the address by a button, and can be sent again', async () => {
    const first = await newestLink(site, newcomer, '/verify-email');
    await visit(page, `${origin}/verify-email?token=${'A'.repeat(43)}`);
    await press('access.verify.submit');
    await heading(t('access.verify.lost.title')).waitFor();
    assert.deepEqual(await violations(page), []);
    await press('access.verify.again');
    await heading(t('access.verify.sent.title')).waitFor();
    await page.goto(await newestLink(site, newcomer, '/verify-email', first));
    await press('access.verify.submit');
    await heading(t('access.verify.done.title')).waitFor();
  });
  it('§2-4 password: set a new password, which ends the earlier sessions, and say that they were used', async () => {
    const earlier = (await context.cookies()).find(({ name }) => name === 'sid');
    const as = { id: 0, email: newcomer, cookie: `sid=${earlier?.value}` };
    assert.equal((await site.call('GET', '/api/user', { as })).status, 200);
    await open('/auth', { speaks: 'ko' });
    await field('auth.email').fill(newcomer);
    await press('access.forgot.link');
    assert.equal(await field('auth.email').inputValue(), newcomer, 'it is typed once');
    await field('auth.email').fill('nobody');
    await press('access.forgot.send');
    await page.getByText(t('auth.errors.email')).waitFor();
    await field('auth.email').fill(newcomer);
    await press('access.forgot.send');
    await page.getByText(t('access.forgot.sent', { email: newcomer })).waitFor();

    const link = await newestLink(site, newcomer, '/reset-password');
    const choose = async (password: string, confirmed = password) => {
      await fill({ 'access.reset.newPassword': password, 'auth.confirmPassword': confirmed });
      await press('access.reset.submit');
    };
    await visit(page, link);
    await choose('12345', '123456');
    await page.getByText(t('common.passwordShort')).waitFor();
    await page.getByText(t('common.passwordMismatch')).waitFor();
    await choose('password1');
    await toast(t('access.reset.failed'), t('refusals.common-password')).waitFor();
    await choose('a wide meadow 9');
    await heading(t('access.reset.done.title')).waitFor();
    assert.equal((await site.call('GET', '/api/user', { as })).status, 401);
    const toLogin = page.getByRole('link', { name: t('access.toLogin') });
    assert.equal(await toLogin.getAttribute('href'), '/auth');

    await visit(page, `${origin}/auth`);
    await heading(t('auth.loginTitle')).waitFor();
    await visit(page, link);
    await choose('a third password 3');
    await toast(t('access.reset.failed'), t('access.reset.lost.title')).waitFor();
    const again = page.getByRole('link', { name: t('access.reset.lost.again') });
    assert.equal(await again.getAttribute('href'), '/auth?tab=forgot');

    await visit(page, `${origin}/auth`);
    await fill({ 'auth.email': newcomer, 'auth.password': 'a wide meadow 9' });
    await press('auth.login');
    await heading(/Mina/).waitFor();
  });
});

describe('Google', () => {
  it('§1-5 terms: passes the typed referral code on, and names the terms if it may create an account', async () => {
    await open('/auth');
    await page.getByText(t('access.googleTerms')).waitFor();
    await page.getByRole('tab', { name: t('auth.registerTab') }).click();
    await field('auth.referralCode').fill('FRIEND 42');
    const href = await page.getByRole('link', { name: t('auth.google') }).getAttribute('href');
    assert.equal(href, '/api/auth/google?ref=FRIEND%2042');
  });
  it('says what failed at Google, such as a refused consent, and shows no text from the URL', async () => {
    await page.getByRole('link', { name: t('auth.google') }).click();
    await page.getByRole('link', { name: 'Cancel' }).click();
    await page.waitForURL(`${origin}/auth?error=google-denied`);
    const alert = page.getByRole('alert');
    await alert.getByText(t('access.errors.google-denied')).waitFor();
    await alert.getByText(t('auth.loginFailed')).waitFor();
    for (const [code, title, sentence] of [
      ['reset-required', 'auth.loginFailed', 'refusals.reset-required'],
      ['registration-not-allowed', 'auth.registerFailed', 'refusals.registration-not-allowed'],
      ['Your points are at evil.example', 'auth.loginFailed', 'access.errors.google-failed'],
    ] as const) {
      await visit(page, `${origin}/auth?error=${encodeURIComponent(code)}`);
      await alert.getByText(t(sentence), { exact: true }).waitFor();
      await alert.getByText(t(title), { exact: true }).waitFor();
    }
    assert.ok(!(await page.content()).includes('evil.example'));
  });
  it('§1-4 Google: registers a new member with the referral code', async () => {
    const email = 'sora@example.com';
    provider.people.set('sora', { email, email_verified: true, given_name: 'Sora', family_name: 'Lim' });
    const referrer = await somebody(site);
    const { code } = await owner.one<{ code: string }>(
      sql`select referral_code as code from members.members where id = ${referrer.id}`,
    );
    await page.getByRole('tab', { name: t('auth.registerTab') }).click();
    await field('auth.referralCode').fill(code);
    await page.getByRole('link', { name: t('auth.google') }).click();
    await page.getByPlaceholder('Enter any login').fill('sora');
    await page.getByPlaceholder('and password').fill('any');
    await page.getByRole('button', { name: 'Sign-in' }).click();
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.waitForURL(`${origin}/`);
    await heading(/Sora/).waitFor();
    const rows = await owner.rows<{ referred_by: number; language: string; devices: number }>(sql`
      select referred_by, language,
        (select count(*)::integer from access.devices d where d.member_id = m.id) as devices
      from members.members m where email = ${email}`);
    assert.deepEqual(rows, [{ referred_by: referrer.id, language: 'en', devices: 1 }]);
  });
});

describe('the operators’ gate', () => {
  const passGate = async (key = GATE_KEY) => {
    await heading('접근 키').waitFor();
    await page.getByLabel('키', { exact: true }).fill(key);
    await page.getByRole('button', { name: '계속' }).click();
  };
  const login = () => page.getByRole('button', { name: '로그인', exact: true }).click();
  const fillOperator = async ({ email }: Person) => {
    await heading('운영자 로그인').waitFor();
    await page.getByLabel('이메일').fill(email);
    await page.getByLabel('비밀번호', { exact: true }).fill(PASSWORD);
    await login();
  };
  const panel = page.getByRole('navigation', { name: /운영|관리/ }).first();

  it('§2-2 access to routes: stands before the panel for a signed-out operator, who then reaches it', async () => {
    const operator = await somebody(site, { role: 'admin' });
    await guessAt(site, operator);
    await open(PANEL);
    await passGate();
    await fillOperator(operator);
    await page.getByRole('checkbox', { name: '사람입니다' }).check();
    await login();
    await panel.waitFor();
  });
  it('stands before the panel for an operator whose session lacks the pass', async () => {
    await open(PANEL, { as: await somebody(site, { role: 'admin' }) });
    await passGate('another key');
    await page.getByRole('alert').filter({ hasText: '키가 틀렸습니다.' }).waitFor();
    await passGate();
    await panel.waitFor();
    await page.getByRole('alert').waitFor({ state: 'detached', timeout: 2_000 });
  });
  it('is where an operator who signs in on the members’ form is led', async () => {
    const { email } = await somebody(site, { role: 'admin' });
    await open('/auth');
    await fill({ 'auth.email': email, 'auth.password': PASSWORD });
    await press('auth.login');
    // The return from Google leads to the same URL.
    await page.waitForURL('**/admin-key?error=wrong-key');
    // The operators' area starts in Korean.
    await page.getByText('운영자로 로그인하려면 먼저 접근 키를 입력해 주세요.').waitFor();
    await page.reload();
    await page.getByText('운영자로 로그인하려면 먼저 접근 키를 입력해 주세요.').waitFor();
    assert.equal(await page.getByText('The key is wrong').count(), 0);
  });
  it('§2-2 operators’ login: shows the gate when its time is over, and keeps what was typed', async () => {
    const operator = await somebody(site, { role: 'admin' });
    await visit(page, `${origin}/admin-login`);
    await fillOperator(operator);
    await passGate();
    await heading('운영자 로그인').waitFor();
    assert.equal(await page.getByLabel('이메일').inputValue(), operator.email);
    await login();
    await panel.waitFor();
  });
});

describe('a verified phone', () => {
  const sentTo = (number: string) => page.getByText(t('settings.phone.sent', { number })).waitFor();
  const verify = async (number: string) => {
    await sentTo(number);
    await field('settings.phone.code').fill(await codeTo(site, number));
    await press('settings.phone.verify');
    await page.getByRole('button', { name: t('settings.phone.change') }).waitFor();
    await page.getByText(number).waitFor();
  };

  it('is replaced with a code to the old number', async () => {
    const person = await somebody(site, { isPhoneVerified: true });
    const old = `+821${person.id}`;
    await open('/settings', { as: person });
    await press('settings.phone.change');
    await field('settings.phone.newNumber').fill('+821077770002');
    await press('settings.phone.byCode');
    await press('settings.phone.sendOld', { number: old });
    await sentTo(old);
    await field('settings.phone.oldCode').fill(await codeTo(site, old));
    await press('settings.phone.send');
    await verify('+821077770002');
  });
  it('is replaced with the password and the code to the new number', async () => {
    await press('settings.phone.change');
    await field('settings.phone.newNumber').fill('+821077770001');
    await press('settings.phone.send');
    const card = page.getByRole('region', { name: t('settings.phone.title') });
    await card.getByText(t('settings.phone.passwordMissing')).waitFor();
    const password = card.getByLabel(t('settings.phone.password'), { exact: true });
    await password.fill('not this one');
    await press('settings.phone.send');
    await card.getByText(t('refusals.wrong-password')).waitFor();
    assert.deepEqual(await violations(page), []);
    await password.fill(PASSWORD);
    await press('settings.phone.send');
    await verify('+821077770001');
  });
});
