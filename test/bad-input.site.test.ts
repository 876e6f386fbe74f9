import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, describe, it } from 'node:test';
import type { Endpoint } from '#contract/endpoint.ts';
import { buildWeb } from './built-web.ts';
import { isCampaign, ofTurn } from './combinations.ts';
import { type Answer, testSite, withoutSockets } from './site.ts';
import { storedState } from './stored-state.ts';
import { validBodies } from './valid-bodies.ts';
import { wellFormedPath } from './well-formed-path.ts';
import { bodyOf, type Fields, fieldsOf, nameOf, shapeOf, type Wrong, wrongOf } from './wrong-bodies.ts';

/**
 * Calls every bound endpoint from other sites and with wrong bodies. The cases are generated, so a new endpoint is
 * covered without a line here. After each group the whole state must be unchanged.
 */
if (isCampaign) await buildWeb();
const site = withoutSockets(await testSite({ after }, { LIMIT_FACTOR: '100000' }));
const member = await site.member({ balancePoints: 5_000n, isPhoneVerified: true });
const operator = await site.member({ role: 'admin' });
const endpoints = site.platform.endpoints;

const assertProblem = (answer: Answer, statuses: readonly number[], what: string) => {
  assert.ok(statuses.includes(answer.status), `${what}: ${answer.status} ${JSON.stringify(answer.body)}`);
  assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json/, what);
  assert.equal(typeof answer.problem.code, 'string', what);
  assert.equal(answer.problem.status, answer.status, what);
  assert.ok(!/at .*\.ts:\d+|select |insert /i.test(JSON.stringify(answer.body)), `${what}: says too much`);
};

describe('the origin of a call', () => {
  it('changes nothing for a foreign, missing or look-alike origin', async () => {
    const before = await storedState(site.owner);
    const changing = endpoints.filter(({ method, access }) => method !== 'GET' && access !== 'webhook');
    assert.ok(changing.length > 10);
    const exempt = changing.filter(({ fromAnywhere }) => fromAnywhere === true).map(nameOf);
    assert.deepEqual(exempt, ['POST /api/unsubscribe/:token']);
    const port = site.config.port;
    const origins = [
      'https://evil.example',
      'null',
      `http://localhost.evil.example:${port}`,
      `https://localhost:${port}`,
      '',
    ];
    // `admit` decides for all routes alike, so each has one of them.
    for (const [turn, endpoint] of changing.filter((one) => !exempt.includes(nameOf(one))).entries())
      for (const origin of ofTurn(origins, turn)) {
        const answer = await site.call(endpoint.method, wellFormedPath(endpoint), {
          as: operator,
          body: {},
          headers: { origin },
        });
        assertProblem(answer, [403], `${endpoint.path} from "${origin}"`);
        assert.equal(answer.problem.code, 'cross-site');
      }
    assert.deepEqual(await storedState(site.owner), before);
  });
  it('treats a request without Origin and Sec-Fetch-Site as foreign', async () => {
    assert.match(await rawRequest('POST', '/api/auth/logout', ''), /^HTTP\/1\.1 403 /);
    assert.match(
      await rawRequest('POST', '/api/auth/logout', 'sec-fetch-site: cross-site\r\n'),
      /^HTTP\/1\.1 403 /,
    );
    assert.match(
      await rawRequest('POST', '/api/auth/logout', 'sec-fetch-site: same-origin\r\n'),
      /^HTTP\/1\.1 204 /,
    );
  });
});

function rawRequest(method: string, path: string, headers: string, body = ''): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(site.config.port, '127.0.0.1', () =>
      socket.write(
        `${method} ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n` +
          `content-length: ${Buffer.byteLength(body)}\r\n${headers}\r\n${body}`,
      ),
    );
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('end', () => resolve(Buffer.concat(chunks).toString()));
    socket.on('error', reject);
  });
}

const malformed = [
  '[]',
  'null',
  '"text"',
  '5',
  '{',
  '{"a":',
  '{"__proto__":{"x":1}}',
  '{"constructor":{"prototype":{}}}',
];

describe('bodies and parameters', () => {
  const withBody = endpoints.filter(
    (endpoint) =>
      endpoint.method !== 'GET' && endpoint.access !== 'webhook' && fieldsOf(shapeOf(endpoint)).length > 0,
  );
  it('are tried on every endpoint with a body and on every field', () => {
    assert.deepEqual(Object.keys(validBodies).sort(), withBody.map(nameOf).sort());
    for (const endpoint of withBody)
      assert.deepEqual(
        Object.keys(bodyOf(endpoint)).sort(),
        fieldsOf(shapeOf(endpoint)).sort(),
        nameOf(endpoint),
      );
  });

  /** Bodies that the contract takes, by endpoint. They are called when every wrong one was. */
  const fitting = new Map<Endpoint, Fields[]>();
  const callerOf = { public: {}, webhook: {}, member: { as: member }, operator: { as: operator } };
  const callOf =
    (endpoint: Endpoint) =>
    (body: unknown, headers = {}) =>
      site.call(endpoint.method, wellFormedPath(endpoint), { ...callerOf[endpoint.access], body, headers });
  let before: string[] = [];

  it('are sent to a site whose state is known', async () => {
    before = await storedState(site.owner);
  });

  for (const endpoint of withBody)
    it(`§1-7 every call: refuse wrong shapes and change nothing: ${nameOf(endpoint)}`, async () => {
      const call = callOf(endpoint);
      await Promise.all(
        malformed.map(async (body) =>
          assertProblem(await call(body, { 'content-type': 'application/json' }), [400], body),
        ),
      );
      const valid = bodyOf(endpoint);
      // If a body matches none of two shapes, no field is named, because either shape may be meant.
      const isEither = shapeOf(endpoint).anyOf !== undefined;
      assertProblem(await call({ ...valid, surprise: 1 }), [400], 'an unknown field');
      const fits = [valid];
      fitting.set(endpoint, fits);
      const isRefused = async ({ field, value, body }: Wrong) => {
        const answer = await call(body);
        const what = `${field} = ${JSON.stringify(value).slice(0, 40)}`;
        assertProblem(answer, [400, 422], what);
        for (const error of isEither ? [] : (answer.problem.errors ?? []))
          assert.ok(`${error.path}.`.startsWith(`${field}.`), `${what}: refused for ${error.path}`);
      };
      const wrong = wrongOf(endpoint, valid, (body) => void fits.push(body));
      await Promise.all(wrong.filter(({ isCalled }) => isCalled).map(isRefused));
    });

  // One look at the whole state is enough for all of these calls.
  it('have changed nothing by a wrong shape', async () =>
    assert.deepEqual(await storedState(site.owner), before));

  // Valid values reach the rules behind the schema, which have their own tests.
  for (const endpoint of withBody)
    it(`reach the rules with valid values: ${nameOf(endpoint)}`, async () => {
      const call = callOf(endpoint);
      const [valid] = fitting.get(endpoint) ?? assert.fail('its wrong shapes were not tried');
      for (const body of fitting.get(endpoint) ?? []) {
        const answer = await call(body);
        const what = `${answer.status} ${JSON.stringify(answer.body)} for ${JSON.stringify(body).slice(0, 400)}`;
        assert.ok(answer.status < 500, what);
        if (body === valid) assert.notEqual(answer.problem.code, 'invalid-request', what);
      }
    });

  it('answer 415 to other content types than JSON, and change nothing', async () => {
    const before = await storedState(site.owner);
    const body = 'amountPoints=1000&method=litecoin';
    for (const type of [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/xml',
      'application/jsonx',
      'application/json-patch+json',
    ]) {
      const answer = await site.call('POST', '/api/withdrawal', {
        as: member,
        body,
        headers: { 'content-type': type },
      });
      assertProblem(answer, [415], type);
    }
    assert.deepEqual(await storedState(site.owner), before);
  });
  it('answer 413 to a body that is too large', async () => {
    const huge = { email: 'a@example.com', password: 'x'.repeat(300_000) };
    assertProblem(await site.call('POST', '/api/auth/login', { body: huge }), [413], 'a huge body');
  });
  it('answer thousands of wrong fields briefly, and store no refusal of a wrong shape', async () => {
    const before = await storedState(site.owner);
    const letters = [...'abcdefghij'];
    const names = letters.flatMap((one) =>
      letters.flatMap((two) => letters.map((three) => one + two + three)),
    );
    const many = Object.fromEntries(
      names.flatMap((name) => [0, 1, 2].map((n) => [`${name}${'x'.repeat(n)}`, 1])),
    );
    const long = { ['x'.repeat(40_000)]: 1 };
    const key = { 'idempotency-key': crypto.randomUUID() };
    for (const fields of [many, long]) {
      const request = { amountPoints: '1000', method: 'litecoin' };
      for (const [path, body] of [
        ['/api/withdrawal', { ...request, recipientInfo: fields }],
        ['/api/withdrawal', { ...request, recipientInfo: { address: 'x' }, ...fields }],
        ['/api/auth/login', { email: 'a@example.com', password: 'x', ...fields }],
        ['/api/behavior/log', { action: 'a', metadata: fields }],
        ['/api/behavior/log', Array.from({ length: 3_000 }, () => ({}))],
      ] as const) {
        const answer = await site.call('POST', path, { as: member, body, headers: key });
        assertProblem(answer, [400], path);
        assert.ok(JSON.stringify(answer.body).length < 10_000, path);
      }
    }
    assert.deepEqual(await storedState(site.owner), before);
  });
  it('answer 404 to HEAD for lists and exports, which would run without a reader', async () => {
    for (const path of ['/api/user/history?format=csv', '/api/user/export'])
      assert.equal((await site.call('HEAD', path, { as: member })).status, 404, path);
  });
  it('answer 400 to pages out of bounds, and ignore unknown parameters', async () => {
    for (const query of [
      'page=0',
      'page=-1',
      'page=1.5',
      'page=x',
      'limit=0',
      'limit=101',
      'page=99999999999999999999',
      'page=1&page=2',
      'limit=',
    ])
      assertProblem(await site.call('GET', `/api/user/history?${query}`, { as: member }), [400], query);
    assert.equal((await site.call('GET', '/api/user/history?page=2&utm=x', { as: member })).status, 200);
    const beyond = await site.call('GET', '/api/user/history?page=999999999', { as: member });
    assert.deepEqual([beyond.status, beyond.body.data], [200, []]);
  });
  it('answer 404 to unknown ids, malformed ids and unknown paths', async () => {
    for (const path of [
      '/api/admin/withdrawals/x/approve',
      '/api/admin/withdrawals/%00/approve',
      '/api/admin/withdrawals/%ff/approve',
      '/api/admin/withdrawals/%E0%A4%A/approve',
      `/api/admin/withdrawals/${'x'.repeat(400)}/approve`,
      `/api/admin/withdrawals/${crypto.randomUUID()}/approve`,
      '/api/admin/pending-earnings/0/approve',
      '/api/nothing',
      '/api/user/../admin/stats',
      '/api//user',
      '/api/user/',
    ])
      assertProblem(await site.call('POST', path, { as: operator, body: {} }), [404], path);
    assertProblem(await site.call('GET', '/api/USER', { as: member }), [404], 'other case');
    assertProblem(await site.call('PATCH', '/api/user', { as: member, body: {} }), [404], 'another method');
  });
});

describe('every answer', () => {
  it('carries the security headers', async () => {
    for (const path of ['/api/user', '/api/nothing', '/api/config', '/']) {
      const { headers } = await site.call('GET', path);
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/);
      assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
      assert.equal(headers.get('cache-control'), 'no-store');
      assert.equal(headers.get('x-powered-by'), null);
      assert.equal(headers.get('server'), null);
    }
  });
  it('has a new nonce in every document', async () => {
    const nonceOf = (answer: Answer) =>
      /'nonce-([^']+)'/.exec(answer.headers.get('content-security-policy') ?? '')?.[1];
    const [first, second] = [await site.call('GET', '/auth'), await site.call('GET', '/auth')];
    assert.ok(nonceOf(first));
    assert.notEqual(nonceOf(first), nonceOf(second));
    assert.ok(!String(first.body).includes('__CSP_NONCE__'));
  });
  it('§1-2 unknown paths: is 200 for a known screen, and 404 for other paths and files outside the web', async () => {
    assert.equal((await site.call('GET', '/earn')).status, 200);
    for (const path of [
      '/nothing',
      '/earn/x',
      '/.git/config',
      '/package.json',
      '/..%2f..%2fpackage.json',
      '/index.html',
      '/.stamp',
    ])
      assert.equal((await site.call('GET', path)).status, 404, path);
  });
  it('is described in the published contract, for every endpoint', async () => {
    const { body } = await site.call('GET', '/api/openapi.json');
    assert.equal(body.openapi, '3.1.0');
    for (const endpoint of endpoints)
      assert.ok(
        body.paths[endpoint.path.replaceAll(/:(\w+)/g, '{$1}')]?.[endpoint.method.toLowerCase()],
        endpoint.path,
      );
    const docs = await site.call('GET', '/api/docs');
    assert.equal(docs.status, 200);
    assert.match(String(docs.body), /\/api\/withdrawal/);
  });
});
