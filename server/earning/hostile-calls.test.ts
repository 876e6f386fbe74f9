import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { sql } from '#platform/database.ts';
import { values } from '../../test/postback-site.ts';
import { testSite } from '../../test/site.ts';
import { genuineOf, genuinePostback } from './providers/vectors.ts';

/** Forged calls of the postback URLs, and settings that no wall can use. */
const site = await testSite({ after });
const operator = await site.member({ role: 'admin' });
const configure = (body: Record<string, unknown>) =>
  site.call('PUT', '/api/admin/providers/kiwiwall', { as: operator, body });
assert.equal(
  (await configure({ isEnabled: true, apiKey: 'wall', secret: 'a secret of a test' })).status,
  200,
);

const keptCalls = async () =>
  (await site.owner.one<{ count: bigint }>(sql`select count(*) as count from earning.postbacks`)).count;

describe('a forged call', () => {
  const forged = '/api/webhooks/postback/kiwiwall?status=1&trans_id=1&sub_id=1&amount=1&signature=00';
  const headLength = `POST ${site.origin}${forged}\n\n`.length;
  const calls: [string, string, string | undefined, number, string][] = [
    [
      'whose stored text ends within a character',
      forged,
      `${'a'.repeat(7_999 - headLength)}😀`,
      403,
      'invalid-signature',
    ],
    ['for a provider id with NUL', '/api/webhooks/postback/a%00b', undefined, 404, 'unknown-provider'],
    [
      'for a provider id whose stored text ends within a character',
      `/api/webhooks/postback/${encodeURIComponent(`${'a'.repeat(39)}😀`)}`,
      undefined,
      404,
      'unknown-provider',
    ],
  ];
  for (const [what, path, body, status, code] of calls)
    it(`is refused and stored ${what}`, async () => {
      const before = await keptCalls();
      const answer = await site.call('POST', path, body === undefined ? {} : { body });
      assert.deepEqual([answer.status, answer.problem.code], [status, code]);
      assert.equal(await keptCalls(), before + 1n);
    });
});

describe('many forged calls', () => {
  it('are all refused, and stored up to the limit per minute and address', async () => {
    const strict = await testSite({ after }, { LIMIT_FACTOR: '0.1' });
    const as = await strict.member({ role: 'admin' });
    const body = { isEnabled: true, apiKey: 'wall', secret: 'a secret of a test' };
    await strict.call('PUT', '/api/admin/providers/kiwiwall', { as, body });
    for (const provider of ['kiwiwall', 'nobody'])
      for (let tries = 0; tries < 5; tries += 1) {
        const path = `/api/webhooks/postback/${provider}?trans_id=${tries}&signature=00`;
        const { status } = await strict.call('POST', path, { body: 'x'.repeat(20_000) });
        assert.equal(status, provider === 'kiwiwall' ? 403 : 404);
      }
    const { count, longest } = await strict.owner.one<{ count: bigint; longest: number }>(
      sql`select count(*) as count, max(length(raw)) as longest from earning.postbacks`,
    );
    assert.equal(count, 6n);
    assert.equal(longest, 8_000);
  });
});

describe('many calls with a good signature', () => {
  it('are all stored although they are refused', async () => {
    const strict = await testSite({ after }, { LIMIT_FACTOR: '0.1' });
    const as = await strict.member({ role: 'admin' });
    const secret = 'a secret of a test';
    const configure = (provider: string, change: Record<string, unknown>) =>
      strict.call('PUT', `/api/admin/providers/${provider}`, {
        as,
        body: { apiKey: 'wall', secret, ...change },
      });
    await configure('kiwiwall', {
      isEnabled: true,
      settings: { sourceAddresses: ['203.0.113.1'], sourcePolicy: 'refuse' },
    });
    await configure('wannads', { isEnabled: false });
    const send = async (form: string, transaction: string) => {
      const address = `${strict.origin}/api/webhooks/postback/${genuineOf(form).provider}`;
      const { url } = genuinePostback(form, values(form, 123_456_789, transaction), address, secret);
      return (await strict.call('GET', url.slice(strict.origin.length))).problem.code;
    };
    for (let tries = 0; tries < 8; tries += 1) {
      assert.equal(await send('kiwiwall', `70000${tries}`), 'source-refused');
      assert.equal(await send('wannads', `70000${tries}`), 'unknown-provider');
    }
    const { count } = await strict.owner.one<{ count: bigint }>(
      sql`select count(*) as count from earning.postbacks`,
    );
    assert.equal(count, 16n);
  });
});

describe('a wall id that no wall URL can contain', () => {
  it('is refused as a setting, so that members’ lists of walls keep working', async () => {
    const refused = await configure({ apiKey: 'a b' });
    assert.deepEqual([refused.status, refused.problem.errors?.[0]?.path], [400, 'apiKey']);
    assert.equal((await configure({ apiKey: '' })).status, 200);
  });
  it('hides the wall from members if it is already stored', async () => {
    await site.owner.rows(sql`update earning.providers set api_key = 'a/b' where id = 'kiwiwall'`);
    await configure({ isEnabled: true });
    const member = await site.member();
    const walls = await site.call('GET', '/api/offerwalls', { as: member });
    assert.deepEqual([walls.status, walls.body], [200, []]);
    assert.equal((await site.call('GET', '/api/kiwiwall/url', { as: member })).status, 404);
  });
});

describe('a call that names another member', () => {
  it('§1-7 walls and surveys: gets the wall of the signed-in member', async () => {
    const secret = 'another secret of a test';
    const body = { isEnabled: true, apiKey: 'app', secret };
    assert.equal((await site.call('PUT', '/api/admin/providers/cpx', { as: operator, body })).status, 200);
    const [member, other] = [await site.member(), await site.member()];
    const own = await site.call('GET', `/api/cpx/url?userId=${other.id}`, { as: member });
    assert.ok(own.body.url.includes(String(member.id)) && !own.body.url.includes(String(other.id)));
    const posted = { as: member, body: { userId: String(other.id) } };
    assert.deepEqual((await site.call('POST', '/api/cpx/generate-url', posted)).body, own.body);
    const theorem = '/api/theoremreach/generate-url';
    assert.equal((await site.call('POST', theorem, posted)).problem.code, 'unknown-provider');
    await site.call('PUT', '/api/admin/providers/theoremreach', { as: operator, body });
    const answer = await site.call('POST', theorem, posted);
    assert.equal(new URL(answer.body.url).searchParams.get('user_id'), String(member.id));
    assert.equal((await site.call('POST', theorem, { ...posted, body: { x: 1 } })).status, 400);
    assert.equal((await site.call('POST', theorem, { body: {} })).status, 401);
  });
});
