import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { newTransaction, values } from '../../test/postback-site.ts';
import { testSite } from '../../test/site.ts';
import { genuinePostback } from './providers/vectors.ts';

/** The secret of a provider is changed while its calls with the former one are still on their way. */
const site = await testSite({ after });
const operator = await site.member({ role: 'admin' });
const member = await site.member();

const configure = async (body: Record<string, unknown>) => {
  const answer = await site.call('PUT', '/api/admin/providers/kiwiwall', { as: operator, body });
  assert.equal(answer.status, 200);
  assert.ok(!JSON.stringify(answer.body).includes('secret number'), 'the answer shows no secret');
};
/** The status of a credit that is signed with this secret. */
async function statusWith(secret: string): Promise<number> {
  const address = `${site.origin}/api/webhooks/postback/kiwiwall`;
  const { url } = genuinePostback(
    'kiwiwall',
    values('kiwiwall', member.id, newTransaction()),
    address,
    secret,
  );
  return (await site.call('GET', url.slice(site.origin.length))).status;
}
const one = 'secret number 1';
const two = 'secret number 2';
const three = 'secret number 3';

it('verifies the former secret of a provider after a change', async () => {
  await configure({ isEnabled: true, apiKey: 'wall', secret: one });
  assert.deepEqual([await statusWith(one), await statusWith(two)], [200, 403]);
  await configure({ secret: two });
  assert.deepEqual([await statusWith(one), await statusWith(two), await statusWith(three)], [200, 200, 403]);
  // The same secret again, and other settings, change nothing about the former one.
  await configure({ secret: two });
  await configure({ name: 'Kiwi' });
  assert.deepEqual([await statusWith(one), await statusWith(two)], [200, 200]);
});

it('ends the former secret at once if its time is set to 0, and for good', async () => {
  await configure({ secret: three });
  assert.deepEqual([await statusWith(two), await statusWith(three)], [200, 200]);
  await configure({ settings: { formerSecretHours: 0 } });
  assert.deepEqual([await statusWith(two), await statusWith(three)], [403, 200]);
  await configure({ settings: { formerSecretHours: 24 } });
  assert.deepEqual([await statusWith(two), await statusWith(three)], [403, 200]);
});

it('keeps no former secret when the secret is removed', async () => {
  await configure({ secret: one });
  await configure({ secret: '' });
  assert.deepEqual([await statusWith(one), await statusWith(three)], [403, 403]);
});

it('ends the former secret after 24 hours', async () => {
  await configure({ secret: one });
  await configure({ secret: two });
  assert.deepEqual([await statusWith(one), await statusWith(two)], [200, 200]);
  await site.call('POST', '/sandbox/clock', { body: { advanceSeconds: 24 * 3_600 } });
  await sleep(1_100);
  assert.deepEqual([await statusWith(one), await statusWith(two)], [403, 200]);
});
