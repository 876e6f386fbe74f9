import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { block } from '#contract/risk.ts';
import { advanceClock } from '#platform/clock.ts';
import { sql } from '#platform/database.ts';
import { type Answer, testSite } from '../../test/site.ts';
import { domainOf, sourceOf } from './blocked-values.ts';

/** Blocks over HTTP: what they refuse, and how they end. */
const site = await testSite({ after }, { TRUSTED_PROXIES: '127.0.0.1,::1' });
let as = await site.member({ role: 'admin' });
const from = (address: string) => ({ 'x-forwarded-for': address });
const blockIp = (ipAddress: string, rest: object = {}, headers = {}) =>
  site.call('POST', '/api/admin/fraud/block-ip', {
    as,
    headers,
    body: { ipAddress, reason: 'A farm', ...rest },
  });
const blockDomain = (domain: string) =>
  site.call('POST', '/api/admin/fraud/block-domain', { as, body: { domain, reason: 'Thrown away' } });
const lift = (id: string) => site.call('DELETE', `/api/admin/fraud/blocks/${id}`, { as });
const values = async (query: string): Promise<string[]> =>
  (await site.call('GET', `/api/admin/fraud/blocks?${query}`, { as })).body.map(
    ({ value }: { value: string }) => value,
  );

/** A device without facts. */
const fields = [
  'userAgent',
  'screenResolution',
  'timezone',
  'language',
  'platform',
  'plugins',
  'canvas',
  'webgl',
];
const fingerprint = Buffer.from(
  JSON.stringify(Object.fromEntries(fields.map((field) => [field, '']))),
).toString('base64');

function refused(answer: Answer, status: number, code: string): void {
  assert.deepEqual([answer.status, answer.problem.code], [status, code], JSON.stringify(answer.body));
}

/** Calls until the answer has this status, because a node reads the blocks after the act. */
async function answers(path: string, address: string, status: number): Promise<Answer> {
  for (let left = 100; ; left -= 1) {
    const answer = await site.call('GET', path, { headers: from(address) });
    if (answer.status === status || left === 0) {
      assert.equal(answer.status, status);
      return answer;
    }
    await new Promise((done) => setTimeout(done, 20));
  }
}

test('§2-5 blocked address and domain: all calls of one are refused but webhooks and health', async () => {
  const blocked = await blockIp(' 203.0.113.8 ');
  assert.equal(blocked.status, 201);
  assert.deepEqual(block.strict().parse(blocked.body), blocked.body);
  assert.deepEqual(
    [blocked.body.value, blocked.body.kind, blocked.body.expiresAt],
    ['203.0.113.8', 'ip', null],
  );
  refused(await answers('/api/config', '203.0.113.8', 403), 403, 'address-blocked');
  await answers('/api/config', '::ffff:203.0.113.8', 403);
  await answers('/api/config', '203.0.113.9', 200);
  const headers = from('203.0.113.8');
  const member = await site.member();
  refused(await site.call('GET', '/api/user', { as: member, headers }), 403, 'address-blocked');
  refused(await site.call('GET', '/nowhere', { headers }), 403, 'address-blocked');
  const accept = { ...headers, accept: 'text/html,application/xhtml+xml' };
  const page = await site.call('GET', '/', { headers: accept });
  assert.deepEqual([page.status, page.headers.get('content-type')], [403, 'text/html; charset=utf-8']);
  assert.match(String(page.body), /mailto:support@/);
  assert.equal((await site.call('GET', '/healthz', { headers })).status, 200);
  const webhook = await site.call('GET', '/api/webhooks/postback/cpx', { headers });
  assert.notEqual(webhook.problem?.code, 'address-blocked');
  refused(await blockIp('203.0.113.8'), 409, 'already-exists');
  assert.equal((await lift(blocked.body.id)).status, 204);
  refused(await lift(blocked.body.id), 409, 'already-decided');
  refused(await lift('999999'), 404, 'not-found');
  await answers('/api/config', '203.0.113.8', 200);
  assert.equal((await blockIp('203.0.113.8')).status, 201, 'it can be blocked again');
});

test('an IPv6 address stands for its /64, and nobody blocks their own address', async () => {
  const { body } = await blockIp('2001:DB8:1:2:3::4');
  assert.equal(body.value, '2001:db8:1:2::/64');
  await answers('/api/config', '2001:db8:1:2:ffff::1', 403);
  await answers('/api/config', '2001:db8:1:3::1', 200);
  refused(await blockIp('198.51.100.7', {}, from('198.51.100.7')), 409, 'own-address');
  refused(await blockIp('::ffff:198.51.100.7', {}, from('198.51.100.7')), 409, 'own-address');
  const colleague = await site.member({ role: 'admin' });
  await site.owner.rows(sql`
    update access.sessions set address = '198.51.100.9' where member_id = ${colleague.id}`);
  refused(await blockIp('198.51.100.9'), 409, 'own-address');
  for (const wrong of ['', 'x', '1.2.3', '1.2.3.4/24', '203.0.113.8:80', '[::1]'])
    refused(await blockIp(wrong), 400, 'invalid-request');
  refused(await blockIp('203.0.113.10', { reason: ' ' }), 400, 'invalid-request');
  refused(await blockIp('203.0.113.10', { duration: '2days' }), 400, 'invalid-request');
  refused(
    await site.call('POST', '/api/admin/fraud/block-ip', {
      as: await site.member(),
      body: { ipAddress: '203.0.113.11', reason: 'x' },
    }),
    403,
    'forbidden',
  );
});

test('§2-5 blocked address and domain: registrations of a domain and its subdomains stop', async () => {
  const { body } = await blockDomain('@TempMail.Example');
  assert.equal(body.value, 'tempmail.example');
  const check = async (email: string) =>
    (
      await site.call('POST', '/api/security/check-registration', {
        body: { email, phoneNumber: '', deviceFingerprint: fingerprint },
      })
    ).body;
  const isBlocked = async (email: string) =>
    (await site.owner.one<{ blocked: boolean }>(sql`select risk.is_domain_blocked(${email}) as blocked`))
      .blocked;
  for (const email of ['a@tempmail.example', 'a@mx.tempmail.example'])
    assert.equal(await isBlocked(email), true);
  for (const email of ['a@nottempmail.example', 'tempmail.example@example.com', 'a@example'])
    assert.equal(await isBlocked(email), false);
  const answer = await check('a@tempmail.example');
  assert.deepEqual(
    [answer.allowed, answer.blockAccount, answer.reasons],
    [false, false, ['E-mail addresses of this domain are not accepted']],
  );
  for (const wrong of ['example', 'a b.example', '@', 'a@b.example', 'x'.repeat(254)])
    refused(await blockDomain(wrong), 400, 'invalid-request');
  await lift(body.id);
  assert.equal(await isBlocked('a@tempmail.example'), false);
});

test('one block of many asked for at once', async () => {
  const all = await Promise.all(Array.from({ length: 10 }, () => blockIp('203.0.113.30')));
  assert.deepEqual(all.map(({ status }) => status).sort(), [201, ...Array(9).fill(409)]);
});

test('a block ends by its time, and can be set again', async () => {
  const { body } = await blockIp('203.0.113.20', { duration: '1day' });
  assert.ok(body.expiresAt > body.createdAt);
  assert.ok((await values('kind=ip&state=active')).includes('203.0.113.20'));
  await advanceClock(site.owner, 86_401n);
  as = await site.member({ role: 'admin' });
  assert.ok((await values('kind=ip&state=inactive')).includes('203.0.113.20'));
  refused(await lift(body.id), 409, 'already-decided');
  assert.equal((await blockIp('203.0.113.20')).status, 201);
  assert.deepEqual(await values('q=203.0.113.20'), ['203.0.113.20', '203.0.113.20']);
});

test('two texts of one source or domain are one', () => {
  for (const [given, source] of [
    ['203.0.113.8', '203.0.113.8'],
    ['::ffff:203.0.113.8', '203.0.113.8'],
    ['::1', '::/64'],
    ['fe80::1%eth0', 'fe80::/64'],
    ['203.0.113.008', undefined],
  ] as const)
    assert.equal(sourceOf(given), source, given);
  assert.equal(domainOf('예시.example'), 'xn--vv4b11d.example');
  assert.equal(domainOf('XN--VV4B11D.example'), 'xn--vv4b11d.example');
});
