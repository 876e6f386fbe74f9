import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { sql } from '#platform/database.ts';
import { deviceTextOf } from '../../test/device.ts';
import { mailsTo, startMailing, tokenIn, untilMails } from '../../test/mail.ts';
import { type Person, testSite } from '../../test/site.ts';

/** Verification of e-mail addresses. */
const site = await testSite({ after });
await startMailing(site, { after });

let count = 0;
async function register(headers: Record<string, string> = {}, firstName = 'Mina') {
  count += 1;
  const email = `verifying${count}@example.com`;
  const answer = await site.call('POST', '/api/auth/register', {
    headers,
    body: {
      email,
      password: 'a quiet river 7',
      firstName,
      deviceFingerprint: deviceTextOf(),
      hcaptchaToken: '10000000-aaaa-bbbb-cccc-000000000001',
    },
  });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  const as: Person = { id: 0, email, cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '' };
  return { email, as };
}
const verify = (token: string) => site.call('POST', '/api/auth/verify-email', { body: { token } });
const askAgain = (as: Person) => site.call('POST', '/api/auth/send-email-verification', { as });
const isProven = async (email: string) =>
  (
    await site.owner.one<{ is_proven: boolean }>(
      sql`select email_verified_at is not null as is_proven from members.members where email = ${email}`,
    )
  ).is_proven;

describe('the mail after registering', () => {
  it('verifies the address by its link, once', async () => {
    const { email } = await register();
    const [mail] = await untilMails(site, email, 1);
    assert.equal(mail?.subject, 'Confirm your e-mail address for Earnest');
    assert.match(mail?.text ?? '', new RegExp(`${site.origin}/verify-email\\?token=[\\w-]{43}`));
    assert.equal(await isProven(email), false);
    assert.equal((await verify(tokenIn(mail))).status, 204);
    assert.equal(await isProven(email), true);
    const again = await verify(tokenIn(mail));
    assert.deepEqual([again.status, again.problem.code], [422, 'wrong-code']);
  });
  it('uses the language of the page, else of the browser', async () => {
    const chosen = await register({ cookie: 'language=ko', 'accept-language': 'en-US' });
    const asked = await register({ 'accept-language': 'ko-KR,ko;q=0.9' });
    const english = await register({ cookie: 'language=en', 'accept-language': 'ko-KR' });
    for (const { email } of [chosen, asked])
      assert.equal((await untilMails(site, email, 1))[0]?.subject, 'Earnest 이메일 주소 확인');
    assert.match((await untilMails(site, english.email, 1))[0]?.subject ?? '', /^Confirm/);
  });
  it('holds no typed text, so that it can’t be used to send texts to strangers', async () => {
    const { email } = await register({}, 'Win now at evil.example');
    const [mail] = await untilMails(site, email, 1);
    assert.ok(!`${mail?.subject}${mail?.text}`.includes('evil.example'));
  });
  it('expires after three days', async () => {
    const { email } = await register();
    const token = tokenIn((await untilMails(site, email, 1))[0]);
    await site.owner.rows(sql`update access.mail_tokens set expires_at = expires_at - interval '73 hours'`);
    assert.equal((await verify(token)).problem.code, 'code-expired');
    assert.equal(await isProven(email), false);
  });
  it('is not sent if no account was made', async () => {
    const { email } = await register();
    await untilMails(site, email, 1);
    count -= 1;
    await assert.rejects(register(), /email-taken/);
    await askAgain((await register()).as);
    const links = (await mailsTo(site, email)).filter(({ text }) => text.includes('/verify-email'));
    assert.equal(links.length, 1);
  });
});

describe('asking for the mail again', () => {
  it('sends a new link, which voids the first', async () => {
    const { email, as } = await register();
    const first = tokenIn((await untilMails(site, email, 1))[0]);
    assert.equal((await askAgain(as)).status, 204);
    const second = tokenIn((await untilMails(site, email, 2))[1]);
    assert.equal((await verify(first)).problem.code, 'wrong-code');
    assert.equal((await verify(second)).status, 204);
  });
  it('sends nothing to a verified address, and needs a session', async () => {
    const { email, as } = await register();
    await verify(tokenIn((await untilMails(site, email, 1))[0]));
    assert.equal((await askAgain(as)).status, 204);
    const other = await register();
    await untilMails(site, other.email, 1);
    assert.equal((await mailsTo(site, email)).length, 1);
    assert.equal((await site.call('POST', '/api/auth/send-email-verification')).status, 401);
  });
  it('is limited to five an hour', async () => {
    const strict = await testSite({ after }, { LIMIT_FACTOR: '1' });
    const as = await strict.member();
    const statuses = [];
    for (let tries = 0; tries < 6; tries += 1)
      statuses.push((await strict.call('POST', '/api/auth/send-email-verification', { as })).status);
    assert.deepEqual(statuses, [204, 204, 204, 204, 204, 429]);
  });
});
