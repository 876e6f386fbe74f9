import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#platform/database.ts';
import { deviceTextOf } from '../../test/device.ts';
import { testSite } from '../../test/site.ts';

/** What a site with the live limits tells about addresses that have an account. */
const site = await testSite({ after }, { TRUSTED_PROXIES: '127.0.0.1', LIMIT_FACTOR: '1' });
const deviceFingerprint = deviceTextOf();

const register = (email: string, address: string) =>
  site.call('POST', '/api/auth/register', {
    body: {
      email,
      password: 'a quiet river 7',
      firstName: 'Mina',
      deviceFingerprint,
      hcaptchaToken: '10000000-aaaa-bbbb-cccc-000000000001',
    },
    headers: { 'x-forwarded-for': address },
  });
const codeOf = async (email: string, address: string) => (await register(email, address)).problem.code;
const mailsTo = async (email: string) =>
  (
    await site.owner.rows<{ subject: string; text: string }>(sql`
      select payload->>'subject' as subject, payload->>'text' as text from graphile_worker._private_jobs
      where payload->>'to' = ${email} order by id`)
  ).filter(({ subject }) => subject.includes('already'));

test('mails the owner of a taken address once an hour, whoever asks', async () => {
  const { email } = await site.member();
  for (const host of [1, 2, 3]) assert.equal(await codeOf(email, `192.0.2.${host}`), 'email-taken');
  const mails = await mailsTo(email);
  assert.equal(mails.length, 1);
  assert.match(mails[0]?.text ?? '', /has one already[\s\S]*\/auth\?tab=forgot/);
  const other = await site.member();
  await codeOf(other.email, '192.0.2.1');
  assert.equal((await mailsTo(other.email)).length, 1);
});

test('tells an address of the internet at most five times an hour, and then nothing at all', async () => {
  const address = '198.51.100.1';
  const { email } = await site.member();
  for (let asked = 0; asked < 5; asked += 1) assert.equal(await codeOf(email, address), 'email-taken');
  assert.equal(await codeOf(email, address), 'rate-limited');
  assert.equal(await codeOf('nobody-has-this@example.com', address), 'rate-limited');
  assert.equal(await codeOf(email, '198.51.100.2'), 'email-taken');
});

test('tells all concurrent askers of an address five times together', async () => {
  const { email } = await site.member();
  const codes = await Promise.all(Array.from({ length: 9 }, () => codeOf(email, '198.51.100.3')));
  assert.equal(codes.filter((code) => code === 'email-taken').length, 5);
});

test('counts questions whether a person may register before it answers', async () => {
  const ask = async (address: string) =>
    (
      await site.call('POST', '/api/security/check-registration', {
        body: { email: 'anybody@example.com', deviceFingerprint },
        headers: { 'x-forwarded-for': address },
      })
    ).status;
  for (let asked = 0; asked < 20; asked += 1) assert.equal(await ask('203.0.113.1'), 200);
  assert.deepEqual([await ask('203.0.113.1'), await ask('203.0.113.2')], [429, 200]);
});
