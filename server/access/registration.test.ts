import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { sql } from '#platform/database.ts';
import { deviceTextOf } from '../../test/device.ts';
import { type Site, testSite } from '../../test/site.ts';

/** Devices and public addresses, behind a trusted proxy, an untrusted one, and none. */
const site = await testSite({ after }, { TRUSTED_PROXIES: '127.0.0.1' });

const deviceWith = (canvas: string): string => deviceTextOf({ canvas });

let count = 0;
const newEmail = () => {
  count += 1;
  return `registering${count}@example.com`;
};
/** Registers from `address`, as passed on by a proxy. */
const register = (device: string, address: string, email = newEmail(), at: Site = site) =>
  at.call('POST', '/api/auth/register', {
    body: {
      email,
      password: 'a quiet river 7',
      firstName: 'Mina',
      deviceFingerprint: deviceWith(device),
      hcaptchaToken: '10000000-aaaa-bbbb-cccc-000000000001',
    },
    headers: { 'x-forwarded-for': address },
  });
const check = async (device: string, address: string, email = newEmail()) =>
  (
    await site.call('POST', '/api/security/check-registration', {
      body: { email, deviceFingerprint: deviceWith(device) },
      headers: { 'x-forwarded-for': address },
    })
  ).body;
const reviewsOf = (email: string) =>
  site.owner.rows<{ status: string; facts: { address: string; reasons: string[] } }>(
    sql`select status, facts from access.registration_reviews where email = ${email}`,
  );
const isMember = async (email: string) =>
  (await site.owner.rows(sql`select from members.members where email = ${email}`)).length === 1;
async function registerThree(device: string, address: string): Promise<string[]> {
  const ids: string[] = [];
  for (let member = 1; member <= 3; member += 1) {
    const { status, body } = await register(device, address);
    assert.equal(status, 201, `member ${member}`);
    ids.push(body.id);
  }
  return ids;
}

describe('the fourth member of one device at one public address', () => {
  const address = '45.80.112.10';
  it('§1-7 auth and security: needs a review, which the check announces and registration stores', async () => {
    await registerThree('shared', address);
    assert.deepEqual(await check('shared', address), {
      allowed: false,
      blockAccount: false,
      requiresManualReview: true,
      reasons: ['This device was used for other accounts'],
    });
    const email = newEmail();
    for (const attempt of [1, 2]) {
      const { status, problem, headers } = await register('shared', address, email);
      assert.deepEqual([status, problem.code], [403, 'manual-review-required'], `attempt ${attempt}`);
      assert.deepEqual(headers.getSetCookie(), []);
    }
    assert.equal(await isMember(email), false);
    const [review, ...more] = await reviewsOf(email);
    assert.deepEqual([review?.status, review?.facts.address, more.length], ['open', address, 0]);
    const elsewhere = await register('another device', '45.80.112.99', email);
    assert.equal(elsewhere.problem.code, 'manual-review-required', 'a review stays open wherever one goes');
  });
  it('registers after an operator’s approval, but not after a refusal', async () => {
    const [allowed, turnedDown] = [newEmail(), newEmail()];
    for (const email of [allowed, turnedDown]) await register('shared', address, email);
    await site.owner.rows(sql`
      update access.registration_reviews set status = case email when ${allowed} then 'allowed' else 'refused' end
      where email in (${allowed}, ${turnedDown})`);
    assert.equal((await register('shared', address, allowed)).status, 201);
    const refused = await register('shared', address, turnedDown);
    assert.deepEqual([refused.status, refused.problem.code], [403, 'registration-not-allowed']);
    assert.deepEqual(refused.problem.reasons, ['An operator turned this registration down']);
  });
  it('does not count the same device at another address, or another device', async () => {
    assert.equal((await check('shared', '45.80.112.11')).allowed, true);
    assert.equal((await check('other', address)).allowed, true);
    assert.equal((await register('shared', '2a0b:1::1')).status, 201);
  });
  it('§1-9 device seen before: needs no review if the others were seen more than 30 days ago', async () => {
    await registerThree('long ago', address);
    await site.owner.rows(sql`update access.devices set last_seen_at = last_seen_at - interval '31 days'`);
    assert.equal((await check('long ago', address)).allowed, true);
  });
});

describe('a banned member on the same device and public address', () => {
  it('makes the next registration need a review', async () => {
    const address = '45.81.9.7';
    const { body } = await register('banned', address);
    assert.equal((await check('banned', address)).allowed, true);
    await site.owner.rows(sql`update members.members set role = 'banned' where id = ${Number(body.id)}`);
    assert.equal((await check('banned', address)).requiresManualReview, true);
    const email = newEmail();
    assert.equal((await register('banned', address, email)).problem.code, 'manual-review-required');
    assert.equal((await reviewsOf(email)).length, 1);
  });
});

describe('a loopback or private address', () => {
  for (const address of [
    '127.0.0.1',
    '::1',
    '::ffff:127.0.0.1',
    '10.1.2.3',
    '192.168.0.7',
    '172.16.0.1',
    'fd00::1',
  ])
    it(`needs no review: ${address}`, async () => {
      const device = `device at ${address}`;
      const ids = await registerThree(device, address);
      await site.owner.rows(sql`update members.members set role = 'banned' where id = ${Number(ids[0])}`);
      assert.equal((await check(device, address)).allowed, true);
      assert.equal((await register(device, address)).status, 201);
    });
});

describe('X-Forwarded-For', () => {
  const addressOf = async (at: Site, forwarded: string): Promise<string> => {
    const email = newEmail();
    const { status, body } = await register(email, forwarded, email, at);
    assert.equal(status, 201, JSON.stringify(body));
    const row = await at.owner.one<{ address: string }>(
      sql`select host(address) as address from access.sessions where member_id = ${Number(body.id)}`,
    );
    return row.address;
  };

  it('is used from a trusted proxy, of a list only the proxy’s own entry', async () => {
    assert.equal(await addressOf(site, '45.80.112.50'), '45.80.112.50');
    assert.equal(await addressOf(site, '45.82.2.66, 45.80.112.51'), '45.80.112.51');
    assert.equal(await addressOf(site, '45.80.112.52, 127.0.0.1'), '45.80.112.52');
  });
  it('is ignored without a trusted proxy or from another one', async () => {
    const [plain, elsewhere] = [
      await testSite({ after }),
      await testSite({ after }, { TRUSTED_PROXIES: '10.0.0.0/8' }),
    ];
    for (const at of [plain, elsewhere])
      for (const forwarded of ['45.80.112.60', '127.0.0.2', '10.0.0.1'])
        assert.equal(await addressOf(at, forwarded), '127.0.0.1');
  });
  it('sets the source of a postback only from a trusted proxy', async () => {
    for (const [trusted, code] of [
      ['127.0.0.1', 'source-refused'],
      ['10.0.0.1', 'invalid-signature'],
    ] as const) {
      const at = await testSite({ after }, { TRUSTED_PROXIES: trusted });
      const settings = { sourceAddresses: ['127.0.0.1'], sourcePolicy: 'refuse' };
      const as = await at.member({ role: 'admin' });
      await at.call('PUT', '/api/admin/providers/cpx', { as, body: { isEnabled: true, settings } });
      const forged = await at.call('GET', '/api/webhooks/postback/cpx?status=1', {
        headers: { 'x-forwarded-for': '45.80.112.70' },
      });
      assert.deepEqual([trusted, forged.problem.code], [trusted, code]);
    }
  });
  it('is read with the port that a proxy appends', async () => {
    assert.equal(await addressOf(site, '45.80.112.80:17085'), '45.80.112.80');
    assert.equal(await addressOf(site, '[2601:db8::1]:64828'), '2601:db8::1');
  });
  it('without an address counts as the proxy, and refuses nobody', async () => {
    for (const forwarded of ['unknown', '"a"', 'x'.repeat(500), '45.80.112.81, unknown']) {
      assert.equal(await addressOf(site, forwarded), '127.0.0.1');
      const { problem } = await site.call('GET', '/api/webhooks/postback/cpx?status=1', {
        headers: { 'x-forwarded-for': forwarded },
      });
      assert.equal(problem.code, 'unknown-provider', forwarded);
    }
  });
});
