import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, describe, it } from 'node:test';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Endpoint } from '#contract/endpoint.ts';
import { type Answer, testSite } from './site.ts';
import { storedState } from './stored-state.ts';
import { takenByOperators, validBodies, wrongTimes } from './valid-bodies.ts';
import { wellFormedPath } from './well-formed-path.ts';

/**
 * Calls every bound endpoint from other sites and with wrong bodies. The cases are generated, so a new endpoint is
 * covered without a line here. After each group the whole state must be unchanged.
 */
const site = await testSite({ after }, { LIMIT_FACTOR: '100000' });
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
    const port = site.config.port;
    const origins = [
      'https://evil.example',
      'null',
      `http://localhost.evil.example:${port}`,
      `https://localhost:${port}`,
      '',
    ];
    for (const endpoint of changing)
      for (const origin of origins) {
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

type Shape = {
  type?: string;
  properties?: Record<string, Shape>;
  required?: string[];
  anyOf?: Shape[];
  oneOf?: Shape[];
};
const shapeOf = (endpoint: Endpoint): Shape =>
  z.toJSONSchema(endpoint.body, { io: 'input', unrepresentable: 'any' }) as Shape;
// Of several kinds of a body, the last one has every field.
const fieldsOf = (shape: Shape): string[] =>
  Object.keys((shape.anyOf?.[0] ?? shape.oneOf?.at(-1) ?? shape).properties ?? {});

const nameOf = ({ method, path }: Endpoint): string => `${method} ${path}`;
const bodyOf = (endpoint: Endpoint): Fields => {
  const body = validBodies[nameOf(endpoint)];
  assert.ok(body, `${nameOf(endpoint)} has no body in valid-bodies.ts`);
  return body;
};

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

const NUL = String.fromCharCode(0);
const ESCAPE = 'a\u001b[2Jb';
/** Values that every field refuses, except those in `takes`. */
const wrongValues: unknown[] = [
  ...[{ a: 1 }, [['x']], true, null, -1, 1.5, 2 ** 63],
  ...[`a${NUL}b`, ESCAPE, 'half an emoji \ud83d'],
];
/** Valid texts that every other kind of field refuses, as the contract says. */
const oddTexts = ['9'.repeat(400), '1e3', ' 1', '+1', '0x10', '-5', '١٢٣'];

/** The wrong values that a field accepts, by endpoint and field. */
const takes: Record<string, unknown[]> = {
  'POST /api/auth/register lastName': [null],
  'POST /api/auth/register referralCode': [null],
  'POST /api/security/check-registration phoneNumber': [null],
  'POST /api/behavior/log target': [null],
  'POST /api/behavior/log metadata': [null, { a: 1 }],
  'POST /api/behavior/log sessionId': [null],
  'PUT /api/user/settings emailNotifications': [true],
  'PUT /api/user/settings notices.paid.mail': [true],
  'PUT /api/user/settings notices.paid.push': [false],
  // The session determines the member; the body's value is not read.
  'POST /api/cpx/generate-url userId': wrongValues,
  'POST /api/theoremreach/generate-url userId': wrongValues,
  'POST /api/admin/pending-earnings/:id/approve reviewNote': [null],
  ...takenByOperators,
  // The path determines the method; the body's value is not read.
  'PUT /api/admin/payment-methods/:method method': wrongValues.filter((value) => typeof value === 'string'),
  // A browser reports them, and nobody types them.
  ...Object.fromEntries(
    ['userAgent', 'screenResolution', 'timezone', 'language', 'platform', 'plugins', 'canvas', 'webgl'].map(
      (field) => [`POST /api/device/fingerprint ${field}`, [ESCAPE]],
    ),
  ),
  // A password that was chosen before is typed as it is.
  ...Object.fromEntries(
    [
      'POST /api/auth/login password',
      'POST /api/auth/admin/login password',
      'POST /api/auth/send-phone-verification password',
      'PUT /api/user/password currentPassword',
      'DELETE /api/user/account password',
    ].map((field) => [field, [ESCAPE]]),
  ),
  // The cells are checked line by line.
  'POST /api/admin/catalogue/import csv': [ESCAPE],
};

/** Fields that the contract leaves to the rail's own shape. The rules behind it refuse the wrong values. */
const shapedByRail = /^(PUT|POST) \/api\/admin\/payment-methods\/:method(\/test)? credentials(\.|$)/;

type Path = readonly string[];
type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Every field of a body, including nested ones. */
const pathsOf = (body: Fields): Path[] =>
  Object.entries(body).flatMap(([field, value]) => [
    [field],
    ...(isFields(value) ? pathsOf(value).map((path) => [field, ...path]) : []),
  ]);

const valueAt = (body: Fields, [field = '', ...rest]: Path): unknown =>
  rest.length === 0 ? body[field] : valueAt(body[field] as Fields, rest);

const withValue = (body: Fields, [field = '', ...rest]: Path, value: unknown): Fields => ({
  ...body,
  [field]: rest.length === 0 ? value : withValue(body[field] as Fields, rest, value),
});

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

  for (const endpoint of withBody)
    it(`§1-7 every call: refuse wrong shapes and change nothing: ${nameOf(endpoint)}`, async () => {
      const before = await storedState(site.owner);
      const as = { public: {}, webhook: {}, member: { as: member }, operator: { as: operator } }[
        endpoint.access
      ];
      const call = (body: unknown, headers = {}) =>
        site.call(endpoint.method, wellFormedPath(endpoint), { ...as, body, headers });
      for (const body of malformed)
        assertProblem(await call(body, { 'content-type': 'application/json' }), [400], body);
      const valid = bodyOf(endpoint);
      // If a body matches none of two shapes, no field is named, because either shape may be meant.
      const isEither = shapeOf(endpoint).anyOf !== undefined;
      assertProblem(await call({ ...valid, surprise: 1 }), [400], 'an unknown field');
      const fitting: Fields[] = [valid];
      for (const path of pathsOf(valid)) {
        const field = path.join('.');
        const taken = takes[`${nameOf(endpoint)} ${field}`] ?? [];
        const isTime = /^\d{4}-\d\d-\d\d/.test(String(valueAt(valid, path)));
        for (const value of [...wrongValues, ...(isTime ? wrongTimes : []), ...oddTexts]) {
          const body = withValue(valid, path, value);
          const mayFit =
            oddTexts.includes(value as string) || taken.some((one) => isDeepStrictEqual(one, value));
          if (mayFit && endpoint.body.safeParse(body).success) {
            fitting.push(body);
            continue;
          }
          const what = `${field} = ${JSON.stringify(value).slice(0, 40)}`;
          if (!shapedByRail.test(`${nameOf(endpoint)} ${field}`))
            assert.ok(!endpoint.body.safeParse(body).success, `${what}: the contract takes it`);
          const answer = await call(body);
          assertProblem(answer, [400, 422], what);
          for (const error of isEither ? [] : (answer.problem.errors ?? []))
            assert.ok(`${error.path}.`.startsWith(`${field}.`), `${what}: refused for ${error.path}`);
        }
      }
      assert.deepEqual(await storedState(site.owner), before);
      // Valid values reach the rules behind the schema, which have their own tests.
      for (const body of fitting) {
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
