import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#platform/database.ts';
import { deviceTextOf } from '../../test/device.ts';
import { testSite } from '../../test/site.ts';
import { isThrowaway } from './throwaway-domains.ts';

/** Registrations with an address of a throw-away domain. */
const site = await testSite({ after }, { THROWAWAY_DOMAINS_ALLOWED: 'yopmail.com, school.example' });
const operator = await site.member({ role: 'admin' });
const deviceFingerprint = deviceTextOf({ canvas: 'throw-away' });
const register = (email: string) =>
  site.call('POST', '/api/auth/register', {
    body: {
      email,
      password: 'a quiet river 7',
      firstName: 'Mina',
      deviceFingerprint,
      hcaptchaToken: '10000000-aaaa-bbbb-cccc-000000000001',
    },
  });
const check = async (email: string) =>
  (await site.call('POST', '/api/security/check-registration', { body: { email, deviceFingerprint } })).body;

test('a domain and those below it are throw-away, but no longer name that ends alike', () => {
  for (const email of ['a@mailinator.com', 'A@MAILINATOR.COM', 'a@inbox.mailinator.com'])
    assert.equal(isThrowaway(email, []), true, email);
  for (const email of ['a@gmail.com', 'a@not-mailinator.com', 'a@mailinator.com.example', 'a@com', 'a'])
    assert.equal(isThrowaway(email, []), false, email);
  assert.equal(isThrowaway('a@inbox.mailinator.com', ['mailinator.com']), false);
  assert.equal(isThrowaway('a@mailinator.com', ['inbox.mailinator.com']), true);
});

test('§1-7 auth and security: a throw-away mailbox waits for an operator, who reads why', async () => {
  const email = 'someone@mailinator.com';
  assert.deepEqual(await check(email), {
    allowed: false,
    blockAccount: false,
    requiresManualReview: true,
    reasons: ['This e-mail address is of a service for throw-away mailboxes'],
  });
  assert.equal((await register(email)).problem.code, 'manual-review-required');
  const [review] = (await site.call('GET', '/api/admin/registration-reviews', { as: operator })).body;
  assert.deepEqual([review.email, review.flags], [email, ['throwaway-mailbox']]);
  const approval = await site.call('POST', `/api/admin/registration-reviews/${review.id}/approve`, {
    as: operator,
  });
  assert.equal(approval.status, 200);
  assert.equal((await register(email)).status, 201);
});

test('a domain that the operator allows registers at once, and a blocked one stays refused', async () => {
  assert.equal((await register('someone@yopmail.com')).status, 201);
  await site.owner.rows(sql`
    insert into risk.blocks (kind, value, reason, duration, created_at, created_by)
    select 'domain', 'mailinator.com', 'Bots', 'permanent', now, ${operator.id} from platform.business_now() now`);
  const { allowed, requiresManualReview } = await check('other@mailinator.com');
  assert.deepEqual([allowed, requiresManualReview], [false, false]);
  assert.equal((await register('other@mailinator.com')).problem.code, 'registration-not-allowed');
});
