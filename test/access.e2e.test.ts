import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import type { Locator, Page } from 'playwright-core';
import { sql } from '#platform/database.ts';
import { openBrowser, openPage, violations } from './browser.ts';
import { ofTurn } from './combinations.ts';
import { freePort } from './free-port.ts';
import { startOidcProvider } from './oidc-provider.ts';
import { demoSite } from './running-site.ts';
import { signIn } from './sign-in.ts';
import { type Language, wordAt, wordsOf } from './words.ts';

/**
 * Signing in, registering and links in mails, in Chromium: every rule and refusal, resetting a password by mail, and
 * signing in through a real OpenID provider. `npm test` has each part in one language, the campaign in both.
 */
const port = String(await freePort());
const provider = await startOidcProvider({ after }, `http://localhost:${port}/api/auth/google/callback`);
const site = await demoSite({ after }, { PORT: port, ...provider.environment });
const { owner } = site;
const browser = await openBrowser({ after });

const words = { en: wordsOf('en'), ko: wordsOf('ko') };
/** The site's text in a language, by its key. */
const textOf = (language: Language, key: string, values: Record<string, string> = {}): string => {
  const found = wordAt(words[language], key);
  assert.ok(typeof found === 'string', key);
  return Object.entries(values).reduce((text, [name, value]) => text.replace(`{${name}}`, value), found);
};
const localeOf = { en: 'en-US', ko: 'ko-KR' };
const languages = ['en', 'ko'] as const;

async function openAuth(language: Language, query = '') {
  const opened = await openPage(browser, { locale: localeOf[language], reducedMotion: 'reduce' });
  await opened.page.goto(`${site.origin}/auth${query}`);
  return { ...opened, t: (key: string, values?: Record<string, string>) => textOf(language, key, values) };
}
type Opened = Awaited<ReturnType<typeof openAuth>>;

const toast = (page: Page, title: string, text: string): Locator =>
  page.getByRole('alert').filter({ hasText: title }).filter({ hasText: text });
const field = (page: Page, label: string) => page.getByLabel(new RegExp(`^${label}`)).first();

type Typed = { firstName?: string; email?: string; password?: string; confirm?: string; code?: string };
async function fillRegistration({ page, t }: Opened, typed: Typed, isHuman = true): Promise<void> {
  await field(page, t('auth.firstName')).fill(typed.firstName ?? 'Mina');
  await field(page, t('auth.email')).fill(typed.email ?? 'mina@example.com');
  await field(page, t('auth.password')).fill(typed.password ?? 'a quiet river 7');
  await field(page, t('auth.confirmPassword')).fill(typed.confirm ?? typed.password ?? 'a quiet river 7');
  if (typed.code !== undefined) await field(page, t('auth.referralCode')).fill(typed.code);
  if (isHuman) await page.getByRole('checkbox', { name: t('auth.captcha.box') }).check();
}
const press = ({ page, t }: Opened, key: string) =>
  page.getByRole('button', { name: t(key), exact: true }).click();

type Mail = { to: string; subject: string; text: string };
async function newestMail(to: string, subject: string): Promise<Mail> {
  for (let tries = 0; tries < 200; tries += 1) {
    const outbox = (await (await fetch(`${site.origin}/sandbox/outbox`)).json()) as Mail[];
    const mail = outbox.findLast((one) => one.to === to && one.subject === subject);
    if (mail !== undefined) return mail;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`No mail "${subject}" came to ${to}`);
}
const linkIn = ({ text }: Mail): string => /http\S+\?\S+/.exec(text)?.[0] ?? '';

for (const language of ofTurn(languages, 0))
  describe(`signing in, in ${language}`, () => {
    it('§1-5 login: shows an error at each invalid field', async () => {
      const opened = await openAuth(language);
      const { page, t, context } = opened;
      await press(opened, 'auth.login');
      await page.getByText(t('auth.errors.email')).waitFor();
      await page.getByText(t('auth.errors.passwordRequired')).waitFor();
      await field(page, t('auth.password')).fill('12345');
      await press(opened, 'auth.login');
      await page.getByText(t('common.passwordShort')).waitFor();
      // Errors follow the language of the page. Typed values stay.
      const [other, name] = language === 'en' ? (['ko', '한국어'] as const) : (['en', 'English'] as const);
      await page.getByText(name, { exact: true }).click();
      await page.getByText(textOf(other, 'common.passwordShort')).waitFor();
      assert.equal(await page.getByText(t('common.passwordShort')).count(), 0);
      assert.equal(await field(page, textOf(other, 'auth.password')).inputValue(), '12345');
      await context.close();
    });
    it('§1-8 sign-in: shows why signing in failed, and opens the front page 0.5 s after success', async () => {
      const opened = await openAuth(language);
      const { page, t, context, complaints } = opened;
      await field(page, t('auth.email')).fill(site.member.email);
      await field(page, t('auth.password')).fill('not this one');
      await press(opened, 'auth.login');
      await toast(page, t('auth.loginFailed'), t('refusals.invalid-credentials')).waitFor();
      complaints.length = 0;
      await field(page, t('auth.password')).fill(site.member.password);
      const answered = page.waitForResponse('**/api/auth/login');
      await press(opened, 'auth.login');
      await answered;
      const begun = performance.now();
      await page.waitForURL(`${site.origin}/`);
      const waitedMs = performance.now() - begun;
      assert.ok(waitedMs > 400 && waitedMs < 3_000, `${waitedMs} ms`);
      await page.getByRole('heading', { level: 1, name: /Jiwoo/ }).waitFor();
      assert.deepEqual(complaints, []);
      await context.close();
    });
  });

for (const language of ofTurn(languages, 1))
  describe(`registering, in ${language}`, () => {
    it('§1-5 registration: shows an error at each invalid field', async () => {
      const opened = await openAuth(language, '?tab=register');
      const { page, t, context } = opened;
      await page.getByText(t('auth.terms')).waitFor();
      await fillRegistration(
        opened,
        { firstName: ' ', email: 'nobody', password: '12345', confirm: '123456' },
        false,
      );
      await press(opened, 'auth.register');
      for (const error of ['name', 'email', 'captcha'])
        await page.getByText(t(`auth.errors.${error}`)).waitFor();
      for (const error of ['passwordShort', 'passwordMismatch'])
        await page.getByText(t(`common.${error}`)).waitFor();
      await context.close();
    });
    it('§1-4 registration: waits for the device hash and keeps it in the browser', async () => {
      const opened = await openAuth(language, '?tab=register');
      const { page, t, context } = opened;
      const button = page.getByRole('button', { name: t('auth.register'), exact: true });
      await page.waitForFunction(() => localStorage.getItem('deviceFingerprint') !== null);
      await button.waitFor();
      assert.ok(await button.isEnabled());
      await context.close();
      const mute = await openPage(browser, { locale: localeOf[language] });
      await mute.page.addInitScript(() => {
        HTMLCanvasElement.prototype.toDataURL = () => {
          throw new Error('This browser keeps its canvas to itself');
        };
      });
      await mute.page.goto(`${site.origin}/auth?tab=register`);
      await mute.page.getByText(t('auth.errors.device')).waitFor();
      assert.ok(await mute.page.getByRole('button', { name: t('auth.register'), exact: true }).isDisabled());
      await mute.context.close();
    });
    it('shows a message for each verdict of the security check', async () => {
      const emails = { review: `review.${language}@example.com`, refused: `refused.${language}@example.com` };
      const banned = `banned.${language}@example.com`;
      await owner.rows(sql`
        insert into access.registration_reviews (email, facts, status, created_at)
        values (${emails.review}, '{}', 'open', now()), (${emails.refused}, '{}', 'refused', now())`);
      await owner.rows(sql`
        insert into members.members (id, email, email_canonical, first_name, role, referral_code, terms_version,
          created_at)
        values (${language === 'en' ? 100000001 : 100000002}, ${banned}, ${banned}, 'B', 'banned', ${banned}, '1',
          now())`);
      const opened = await openAuth(language, '?tab=register');
      const { page, t, context } = opened;
      const reasons = t('auth.errors.turnedDown');
      assert.equal(reasons.includes('operator'), language === 'en');
      // The form sends it, because the server keeps what is sent, with its captcha.
      await fillRegistration(opened, { email: emails.review });
      const sent = page.waitForResponse('**/api/auth/register');
      await press(opened, 'auth.register');
      assert.equal((await sent).status(), 403);
      await toast(page, t('auth.registerFailed'), t('refusals.manual-review-required')).waitFor();
      for (const [email, sentence] of [
        [emails.refused, t('auth.errors.notAllowed', { reasons })],
        [banned.replace('@', '+again@'), t('auth.errors.blocked')],
      ] as const) {
        await fillRegistration(opened, { email });
        await press(opened, 'auth.register');
        await toast(page, t('auth.registerFailed'), sentence).waitFor();
      }
      await page.route('**/api/security/check-registration', (route) => route.abort());
      await fillRegistration(opened, {});
      await press(opened, 'auth.register');
      await toast(page, t('auth.registerFailed'), t('auth.errors.check')).waitFor();
      await context.close();
    });
    it('shows the server’s refusal and resets the captcha', async () => {
      const opened = await openAuth(language, '?tab=register');
      const { page, t, context } = opened;
      for (const [code, typed] of [
        ['email-taken', { email: site.member.email }],
        ['common-password', { password: 'password1' }],
        ['unknown-referral-code', { code: 'NOBODY99' }],
      ] as const) {
        await fillRegistration(opened, typed);
        await press(opened, 'auth.register');
        await toast(page, t('auth.registerFailed'), t(`refusals.${code}`)).waitFor();
        await page
          .getByText(t(`refusals.${code}`))
          .nth(1)
          .waitFor();
        assert.equal(await page.getByRole('checkbox', { name: t('auth.captcha.box') }).isChecked(), false);
      }
      await context.close();
    });
    it('confirms the registration, reports it to the server and opens the front page', async () => {
      const opened = await openAuth(language, '?tab=register');
      const { page, t, context, complaints } = opened;
      const email = `newcomer.${language}@example.com`;
      await fillRegistration(opened, { email });
      await press(opened, 'auth.register');
      // Both are read at once: on a slow machine the front page opens between two looks.
      const path = await page.waitForFunction(
        (created) =>
          [...document.querySelectorAll('[role=status]')].some(({ textContent }) =>
            textContent?.includes(created),
          ) && location.pathname,
        t('auth.created'),
      );
      assert.equal(await path.jsonValue(), '/auth');
      await page.waitForURL(`${site.origin}/`);
      await page.getByRole('heading', { level: 1, name: /Mina/ }).waitFor();
      const tracked = await owner.rows<{ action: string }>(sql`
        select entries -> 0 ->> 'action' as action from access.behaviour b
        join members.members m on m.id = b.member_id where m.email = ${email} order by b.id limit 1`);
      assert.deepEqual(tracked, [{ action: 'register' }]);
      assert.deepEqual(complaints, []);
      await context.close();
    });
  });

for (const language of ofTurn(languages, 2))
  describe(`links in mails, in ${language}`, () => {
    const email = `mails.${language}@example.com`;
    const subjects = {
      en: { verify: 'Confirm your e-mail address for Earnest', reset: 'Choose a new password for Earnest' },
      ko: { verify: 'Earnest 이메일 주소 확인', reset: 'Earnest 새 비밀번호 정하기' },
    }[language];

    it('confirm the address once by a button, and can be sent again', async () => {
      const opened = await openAuth(language, '?tab=register');
      const { page, t, context } = opened;
      await fillRegistration(opened, { email });
      await press(opened, 'auth.register');
      await page.waitForURL(`${site.origin}/`);
      const first = linkIn(await newestMail(email, subjects.verify));
      await page.goto(`${site.origin}/verify-email?token=${'A'.repeat(43)}`);
      await press(opened, 'access.verify.submit');
      await page.getByRole('heading', { name: t('access.verify.lost.title') }).waitFor();
      await press(opened, 'access.verify.again');
      await page.getByRole('heading', { name: t('access.verify.sent.title') }).waitFor();
      const second = linkIn(await newestOf(email, subjects.verify, first));
      await page.goto(second);
      await press(opened, 'access.verify.submit');
      await page.getByRole('heading', { name: t('access.verify.done.title') }).waitFor();
      await page.goto(second);
      await press(opened, 'access.verify.submit');
      await page.getByRole('heading', { name: t('access.verify.lost.title') }).waitFor();
      assert.deepEqual(await violations(page), []);
      await context.close();
    });
    it('§2-4 password: set a new password, which ends the earlier sessions', async () => {
      const opened = await openAuth(language);
      const { page, t, context } = opened;
      const elsewhere = await openPage(browser);
      await signIn(elsewhere.context, site, { email, password: 'a quiet river 7' });
      await press(opened, 'access.forgot.link');
      await press(opened, 'access.forgot.send');
      await page.getByText(t('auth.errors.email')).waitFor();
      await field(page, t('auth.email')).fill(email);
      await press(opened, 'access.forgot.send');
      await page.getByText(t('access.forgot.sent', { email })).waitFor();

      await page.goto(linkIn(await newestMail(email, subjects.reset)));
      await field(page, t('access.reset.newPassword')).fill('12345');
      await field(page, t('auth.confirmPassword')).fill('123456');
      await press(opened, 'access.reset.submit');
      await page.getByText(t('common.passwordShort')).waitFor();
      await page.getByText(t('common.passwordMismatch')).waitFor();
      for (const password of ['password1', 'a wide meadow 9']) {
        await field(page, t('access.reset.newPassword')).fill(password);
        await field(page, t('auth.confirmPassword')).fill(password);
        await press(opened, 'access.reset.submit');
        if (password === 'password1')
          await toast(page, t('access.reset.failed'), t('refusals.common-password')).waitFor();
      }
      await page.getByRole('heading', { name: t('access.reset.done.title') }).waitFor();
      assert.equal((await elsewhere.context.request.get(`${site.origin}/api/user`)).status(), 401);
      await elsewhere.context.close();

      await page.getByRole('link', { name: t('access.toLogin') }).click();
      await field(page, t('auth.email')).fill(email);
      await field(page, t('auth.password')).fill('a wide meadow 9');
      await press(opened, 'auth.login');
      await page.getByRole('heading', { level: 1, name: /Mina/ }).waitFor();
      await context.close();
    });
    it('show that they were used, and where to get a new one', async () => {
      const opened = await openAuth(language);
      const { page, t, context } = opened;
      await page.goto(linkIn(await newestMail(email, subjects.reset)));
      await field(page, t('access.reset.newPassword')).fill('a third password 3');
      await field(page, t('auth.confirmPassword')).fill('a third password 3');
      await press(opened, 'access.reset.submit');
      await toast(page, t('access.reset.failed'), t('access.reset.lost.title')).waitFor();
      await page.getByRole('link', { name: t('access.reset.lost.again') }).click();
      await page.getByRole('heading', { name: t('access.forgot.title') }).waitFor();
      await context.close();
    });
  });

/** The newest mail of a subject whose link is not `known`. */
async function newestOf(to: string, subject: string, known: string): Promise<Mail> {
  for (let tries = 0; tries < 200; tries += 1) {
    const mail = await newestMail(to, subject);
    if (linkIn(mail) !== known) return mail;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`No second mail "${subject}" came to ${to}`);
}

for (const language of ofTurn(languages, 3))
  describe(`Google, in ${language}`, () => {
    const login = `google-${language}`;

    it('§1-4 Google: registers a new member with the referral code, and signs in the next time', async () => {
      provider.people.set(login, {
        email: `${login}@example.com`,
        email_verified: true,
        given_name: 'Sora',
        family_name: 'Lim',
      });
      const referrer = await owner.one<{ id: number; code: string }>(
        sql`select id, referral_code as code from members.members where email = ${site.member.email}`,
      );
      for (const query of [`?ref=${referrer.code}`, '']) {
        const { page, t, context } = await openAuth(language, query);
        await page.getByRole('link', { name: t('auth.google') }).click();
        await page.getByPlaceholder('Enter any login').fill(login);
        await page.getByPlaceholder('and password').fill('any');
        await page.getByRole('button', { name: 'Sign-in' }).click();
        await page.getByRole('button', { name: 'Continue' }).click();
        await page.waitForURL(`${site.origin}/`);
        await page.getByRole('heading', { level: 1, name: /Sora/ }).waitFor();
        await context.close();
      }
      const rows = await owner.rows<{ referred_by: number; language: string; devices: number }>(sql`
        select referred_by, language,
          (select count(*)::integer from access.devices d where d.member_id = m.id) as devices
        from members.members m where email = ${`${login}@example.com`}`);
      assert.deepEqual(rows, [{ referred_by: referrer.id, language, devices: 1 }]);
    });
    it('§1-5 terms: passes the typed referral code on, and names the terms if it may create an account', async () => {
      const { page, t, context } = await openAuth(language);
      await page.getByText(t('access.googleTerms')).waitFor();
      await page.getByRole('tab', { name: t('auth.registerTab') }).click();
      await field(page, t('auth.referralCode')).fill('FRIEND 42');
      const href = await page.getByRole('link', { name: t('auth.google') }).getAttribute('href');
      assert.equal(href, '/api/auth/google?ref=FRIEND%2042');
      await context.close();
    });
    it('shows a message when consent was refused at Google', async () => {
      const { page, t, context } = await openAuth(language);
      await page.getByRole('link', { name: t('auth.google') }).click();
      await page.getByRole('link', { name: 'Cancel' }).click();
      await page.waitForURL(`${site.origin}/auth?error=google-denied`);
      const alert = page.getByRole('alert');
      await alert.getByText(t('access.errors.google-denied')).waitFor();
      await alert.getByText(t('auth.loginFailed')).waitFor();
      await context.close();
    });
    it('shows a message for each known failure, and never text from the URL', async () => {
      const { page, t, context } = await openAuth(language);
      for (const [code, title, sentence] of [
        ['google-failed', 'auth.loginFailed', 'access.errors.google-failed'],
        ['google-unavailable', 'auth.loginFailed', 'access.errors.google-unavailable'],
        ['google-email-unverified', 'auth.loginFailed', 'access.errors.google-email-unverified'],
        ['google-use-password', 'auth.loginFailed', 'access.errors.google-use-password'],
        ['google-link-again', 'auth.loginFailed', 'access.errors.google-link-again'],
        ['reset-required', 'auth.loginFailed', 'refusals.reset-required'],
        ['registration-blocked', 'auth.registerFailed', 'refusals.registration-blocked'],
        ['manual-review-required', 'auth.registerFailed', 'refusals.manual-review-required'],
        ['registration-not-allowed', 'auth.registerFailed', 'refusals.registration-not-allowed'],
        ['unknown-referral-code', 'auth.registerFailed', 'refusals.unknown-referral-code'],
        ['Your points are at evil.example', 'auth.loginFailed', 'access.errors.google-failed'],
      ] as const) {
        await page.goto(`${site.origin}/auth?error=${encodeURIComponent(code)}`);
        const alert = page.getByRole('alert');
        await alert.getByText(t(title), { exact: true }).waitFor();
        await alert.getByText(t(sentence), { exact: true }).waitFor();
      }
      assert.ok(!(await page.content()).includes('evil.example'));
      await context.close();
    });
  });
