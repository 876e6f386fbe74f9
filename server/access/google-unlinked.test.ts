import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { sql } from '#platform/database.ts';
import { goThroughProvider, startOidcProvider } from '../../test/oidc-provider.ts';
import { type Answer, type Person, testSite } from '../../test/site.ts';
import { ensureAccount } from './access.ts';
import { issueMailToken } from './mail-tokens.ts';

/** Google accounts that somebody linked, after a reset of the password and after "this was not me". */
const publicUrl = 'http://rewards.example';
const provider = await startOidcProvider({ after }, `${publicUrl}/api/auth/google/callback`);
const site = await testSite({ after }, { PUBLIC_URL: publicUrl, ...provider.environment });
const PASSWORD = 'a quiet river 7';

async function newAccount(name: string) {
  const email = `${name}@example.com`;
  const account = { email, password: PASSWORD, firstName: 'Mina', lastName: null, role: 'user' } as const;
  const { id } = await ensureAccount(site.database, { ...account, isEmailVerified: true });
  provider.people.set(name, { email, email_verified: true, given_name: 'Mina', family_name: 'Kim' });
  return { id, email };
}
const cookieOf = ({ headers }: Answer, name: string): string =>
  headers
    .getSetCookie()
    .map((line) => line.split(';')[0] ?? '')
    .find((pair) => pair.startsWith(`${name}=`)) ?? '';
async function enterWithGoogle(name: string, cookie = ''): Promise<Answer> {
  const begun = await site.call('GET', '/api/auth/google');
  const cameTo = await goThroughProvider(begun.headers.get('location') ?? '', name);
  const cookies = `${cookieOf(begun, 'google')}; ${cookie}`;
  return site.call('GET', cameTo.pathname + cameTo.search, { headers: { cookie: cookies } });
}
const placeOf = ({ headers }: Answer) => headers.get('location');
const enterWithPassword = async (email: string, password: string) => {
  const answer = await site.call('POST', '/api/auth/login', { body: { email, password } });
  return { status: answer.status, cookie: cookieOf(answer, 'sid') };
};
const isLinked = async (id: number) =>
  (await site.owner.rows(sql`select from access.identities where member_id = ${id}`)).length === 1;
const lastChangeOf = async (id: number) =>
  (
    await site.owner.one<{ change: string }>(sql`
      select facts->>'change' as change from notices.notices where member_id = ${id} and kind = 'security'
      order by member_number desc limit 1`)
  ).change;
const reset = async (memberId: number, newPassword: string) => {
  const token = await site.database.transaction((tx) => issueMailToken(tx, memberId, 'reset-password'));
  const answer = await site.call('POST', '/api/auth/reset-password', { body: { token, newPassword } });
  assert.equal(answer.status, 204);
};

describe('a linked Google account', () => {
  it('is a change of security, which holds withdrawals', async () => {
    const { id } = await newAccount('holder');
    assert.equal(placeOf(await enterWithGoogle('holder')), '/');
    const { changedAt } = await site.owner.one<{ changedAt: Date | null }>(sql`
      select security_changed_at as "changedAt" from members.members where id = ${id}`);
    assert.ok(changedAt !== null);
    assert.equal(await lastChangeOf(id), 'google-linked');
  });
  it('is unlinked by a reset of the password, and linked again only by the signed-in member', async () => {
    const { id, email } = await newAccount('resetter');
    assert.equal(placeOf(await enterWithGoogle('resetter')), '/');
    await reset(id, 'mine again 22');
    assert.deepEqual([await isLinked(id), await lastChangeOf(id)], [false, 'password-google-unlinked']);
    const thief = await enterWithGoogle('resetter');
    assert.equal(placeOf(thief), '/auth?error=google-link-again');
    assert.equal(cookieOf(thief, 'sid'), '');
    const { cookie: stranger } = await site.member();
    assert.equal(placeOf(await enterWithGoogle('resetter', stranger)), '/auth?error=google-link-again');
    const { cookie } = await enterWithPassword(email, 'mine again 22');
    assert.equal(placeOf(await enterWithGoogle('resetter', cookie)), '/');
    assert.equal(await isLinked(id), true);
  });
  it('opens nothing after "this was not me", and is not linked again before the reset', async () => {
    const { id, email } = await newAccount('denier');
    assert.equal(placeOf(await enterWithGoogle('denier')), '/');
    const { cookie } = await enterWithPassword(email, PASSWORD);
    const as: Person = { id, email, cookie };
    assert.equal((await site.call('POST', '/api/user/not-me', { as })).status, 204);
    assert.equal(await isLinked(id), false);
    assert.equal(placeOf(await enterWithGoogle('denier')), '/auth?error=reset-required');
    assert.equal((await enterWithPassword(email, PASSWORD)).status, 403);
    await reset(id, 'mine again 22');
    assert.equal(placeOf(await enterWithGoogle('denier')), '/auth?error=google-link-again');
    assert.equal((await enterWithPassword(email, 'mine again 22')).status, 200);
  });
});
