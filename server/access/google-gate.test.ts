import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#platform/database.ts';
import { goThroughProvider, startOidcProvider } from '../../test/oidc-provider.ts';
import { testSite } from '../../test/site.ts';

/** The operators' gate before a sign-in with Google. */
const publicUrl = 'http://rewards.example';
const key = 'a key that is typed';
const provider = await startOidcProvider({ after }, `${publicUrl}/api/auth/google/callback`);
const site = await testSite(
  { after },
  { PUBLIC_URL: publicUrl, ADMIN_GATE_KEY: key, ...provider.environment },
);
const pairs = (headers: Headers) => headers.getSetCookie().map((line) => line.split(';')[0] ?? '');

/** Signs in with Google; `cookie` is what the browser sends besides. */
async function enter(login: string, cookie = '') {
  const begun = await site.call('GET', '/api/auth/google', { headers: { cookie } });
  const cameTo = await goThroughProvider(begun.headers.get('location') ?? '', login);
  const flow = pairs(begun.headers).find((pair) => pair.startsWith('google='));
  const answer = await site.call('GET', cameTo.pathname + cameTo.search, {
    headers: { cookie: `${flow}; ${cookie}` },
  });
  const session = pairs(answer.headers).find((pair) => pair.startsWith('sid='));
  return { location: answer.headers.get('location'), as: { id: 0, email: '', cookie: session ?? '' } };
}

test('sends an operator to the gate, and lets them in after it', async () => {
  provider.people.set('mina', { email: 'mina@example.com', email_verified: true, given_name: 'Mina' });
  const asMember = await enter('mina');
  assert.equal(asMember.location, '/', 'a member needs no key');
  await site.owner.rows(sql`update members.members set role = 'admin' where email = 'mina@example.com'`);
  assert.equal((await site.call('GET', '/api/admin/stats', { as: asMember.as })).problem.code, 'wrong-key');

  const refused = await enter('mina');
  assert.deepEqual([refused.location, refused.as.cookie], ['/admin-key?error=wrong-key', '']);
  const passed = await site.call('POST', '/api/auth/admin/gate', { body: { key } });
  const entered = await enter('mina', pairs(passed.headers)[0]);
  assert.equal(entered.location, '/');
  assert.equal((await site.call('GET', '/api/admin/stats', { as: entered.as })).status, 200);
});
