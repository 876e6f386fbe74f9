import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#platform/database.ts';
import { deleteOldAnswers } from '#platform/http/idempotency.ts';
import { prepareJobs } from '#platform/jobs.ts';
import { MASKED } from '#platform/secrets.ts';
import { type Answer, type Person, silentLog, testSite } from '../../test/site.ts';
import { startPayouts } from './jobs.ts';
import { changePaymentMethod, publishedMethod } from './payment-methods.ts';
import { rails } from './rails/registry.ts';

const site = await testSite({ after });
await prepareJobs(site.urls.workerUrl, 'earnest_app', silentLog());
await site.sandbox.prepare(site.platform);
const operator = await site.member({ role: 'admin' });
await site.call('PUT', '/api/admin/site', { as: operator, body: { payoutDelaySeconds: 0 } });

const ADDRESS = 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9';
const request = (change: object = {}) => ({
  amountPoints: '1000',
  method: 'litecoin',
  recipientInfo: { address: ADDRESS },
  ...change,
});
const withdraw = (as: Person, body: unknown = request(), headers: Record<string, string> = {}) =>
  site.call('POST', '/api/withdrawal', { as, body, headers });
const rich = () => site.member({ balancePoints: 10_000n, isPhoneVerified: true });
const statsOf = async (as: Person) => (await site.call('GET', '/api/user/stats', { as })).body;
const as = operator;

function refused(answer: Answer, status: number, code: string): void {
  assert.deepEqual([answer.status, answer.problem.code], [status, code], JSON.stringify(answer.body));
}

test('pays exactly the amount that a member requested and an operator approved', async () => {
  const member = await rich();
  const asked = await withdraw(member);
  assert.equal(asked.status, 201);
  const { id, createdAt, ...rest } = asked.body;
  assert.deepEqual(rest, { method: 'litecoin', status: 'pending', amount: '1000', processedAt: null });
  assert.equal(new Date(createdAt).toISOString(), createdAt);
  assert.equal((await statsOf(member)).balance, '9000');
  const queue = await site.call('GET', '/api/admin/withdrawals-data?status=pending', { as });
  assert.equal(queue.body.pagination.limit, 20);
  assert(queue.body.withdrawals.some((row: { id: string }) => row.id === id));
  const approved = await site.call('POST', `/api/admin/withdrawals/${id}/approve`, { as });
  assert.equal(approved.status, 200);
  assert.deepEqual(
    [approved.body.status, approved.body.rate, approved.body.coinAmount, approved.body.payoutState],
    ['approved', '80.5', '0.01242236', 'queued'],
  );
  const payouts = startPayouts(site.platform);
  after(() => payouts.close());
  await payouts.sweep();
  const chain = (await site.call('GET', '/sandbox/chain')).body as {
    address: string;
    amount: string;
    txId: string;
  }[];
  const paid = chain.filter((entry) => entry.address === ADDRESS);
  assert.equal(paid.length, 1);
  assert.equal(paid[0]?.amount, '0.01242236');
  const history = await site.call('GET', '/api/withdrawal/history', { as: member });
  assert.equal(history.body.pagination.limit, 10);
  assert.equal(history.body.data[0].txId, paid[0]?.txId);
  assert.equal(history.body.data[0].status, 'approved');
});

test('§2-5 rejection: requires a reason, returns the points, and refuses a second decision', async () => {
  const member = await rich();
  const { id } = (await withdraw(member)).body;
  const path = `/api/admin/withdrawals/${id}`;
  refused(await site.call('POST', `${path}/reject`, { as, body: {} }), 400, 'invalid-request');
  refused(await site.call('POST', `${path}/reject`, { as, body: { reason: '  ' } }), 400, 'invalid-request');
  const rejected = await site.call('POST', `${path}/reject`, { as, body: { reason: 'Please ask again' } });
  assert.equal(rejected.status, 200);
  assert.equal(rejected.body.rejectionReason, 'Please ask again');
  assert.equal((await statsOf(member)).balance, '10000');
  assert.equal((await statsOf(member)).totalEarned, '10000', 'a return is nothing earned');
  refused(await site.call('POST', `${path}/approve`, { as }), 409, 'already-decided');
  refused(await site.call('POST', `${path}/reject`, { as, body: { reason: 'x' } }), 409, 'already-decided');
  for (const unknown of ['00000000-0000-4000-8000-000000000000', 'x', '%00', '1']) {
    refused(await site.call('POST', `/api/admin/withdrawals/${unknown}/approve`, { as }), 404, 'not-found');
  }
});

test('answers bad requests with the contract’s status and code, and changes nothing', async () => {
  const member = await rich();
  const shapes: unknown[] = [
    {},
    [],
    request({ amountPoints: 1000 }),
    request({ amountPoints: '1e3' }),
    request({ amountPoints: '-1000' }),
    request({ amountPoints: '01000' }),
    request({ amountPoints: '1000.5' }),
    request({ amountPoints: ' 1000' }),
    request({ amountPoints: '9'.repeat(16) }),
    request({ amountPoints: '9223372036854775808' }),
    request({ amountPoints: null }),
    request({ method: 'LITECOIN' }),
    request({ method: ['litecoin'] }),
    request({ recipientInfo: ADDRESS }),
    request({ recipientInfo: { address: `${ADDRESS}\u0000` } }),
    request({ recipientInfo: { address: 'x'.repeat(255) } }),
    request({ recipientInfo: { address: ADDRESS, name: 'x' } }),
    request({ recipientInfo: {} }),
    request({ extra: true }),
    '{"amountPoints":',
  ];
  for (const body of shapes) {
    const headers = typeof body === 'string' ? { 'content-type': 'application/json' } : {};
    refused(await withdraw(member, body, headers), 400, 'invalid-request');
  }
  for (const amountPoints of ['1e3', '-1000', '1000.5']) {
    const { problem } = await withdraw(member, request({ amountPoints }));
    assert.deepEqual(problem.errors, [{ path: 'amountPoints', message: 'Invalid amount' }]);
  }
  const plain = { 'content-type': 'text/plain' };
  refused(await withdraw(member, JSON.stringify(request()), plain), 415, 'unsupported-media-type');
  refused(await withdraw(member, request(), { origin: 'https://evil.example' }), 403, 'cross-site');
  refused(await site.call('POST', '/api/withdrawal', { body: request() }), 401, 'unauthenticated');
  refused(await withdraw(member, request({ method: 'bitcoin' })), 422, 'method-disabled');
  const tooLittle = await withdraw(member, request({ amountPoints: '999' }));
  refused(tooLittle, 422, 'below-minimum');
  assert.equal(tooLittle.problem.minimumAmount, 1_000);
  refused(await withdraw(member, request({ amountPoints: '10001' })), 409, 'insufficient-balance');
  for (const address of [
    '',
    '3CNHUhP3uyB9EUtRLsmvFUmvGdjGdkTxJw',
    'tltc1qw508d6qejxtdg4y5r3zarvary0c5xw7klfsuq0',
    'XmN7PQYWKn5MJFna5fRYgP6mxT2F7xpekE',
  ]) {
    refused(await withdraw(member, request({ recipientInfo: { address } })), 422, 'invalid-address');
  }
  const recipientInfo = { address: 'XmN7PQYWKn5MJFna5fRYgP6mxT2F7xpekE' };
  assert.equal((await withdraw(member, request({ recipientInfo }))).problem.method, 'dash');
  const unproven = await site.member({ balancePoints: 10_000n });
  refused(await withdraw(unproven), 403, 'phone-not-verified');
  assert.equal((await statsOf(member)).balance, '10000');
  assert.equal(
    (await site.call('GET', '/api/withdrawal/history', { as: member })).body.pagination.totalCount,
    0,
  );
});

test('refuses members with suspended withdrawals, keeps their points, and still shows the history', async () => {
  const member = await rich();
  await site.owner.rows(sql`
    insert into members.suspensions (member_id, reason, severity, suspension_type, created_at)
    values (${member.id}, 'test', 'temporary', 'withdrawal_blocked', platform.business_now())`);
  refused(await withdraw(member), 403, 'withdrawals-suspended');
  assert.equal((await statsOf(member)).balance, '10000');
  assert.equal((await site.call('GET', '/api/withdrawal/history', { as: member })).status, 200);
});

test('repeats the answer to an Idempotency-Key without a second effect, and refuses another body', async () => {
  const member = await rich();
  const headers = { 'idempotency-key': 'withdraw-once' };
  const first = await withdraw(member, request(), headers);
  assert.equal(first.status, 201);
  const again = await withdraw(member, request(), headers);
  assert.deepEqual([again.status, again.body], [201, first.body]);
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
  refused(await withdraw(member, request({ amountPoints: '2000' }), headers), 422, 'idempotency-mismatch');
  assert.equal((await statsOf(member)).balance, '9000');
});

test('repeats a refusal with the same code and message under its key', async () => {
  const member = await rich();
  const headers = { 'idempotency-key': 'too-little' };
  const tooLittle = request({ amountPoints: '999' });
  const first = await withdraw(member, tooLittle, headers);
  refused(first, 422, 'below-minimum');
  assert.equal(first.problem.minimumAmount, 1_000);
  assert.equal(first.headers.get('idempotent-replayed'), null);
  const again = await withdraw(member, tooLittle, headers);
  assert.deepEqual([again.status, again.body], [422, first.body]);
  assert.equal(again.headers.get('content-type'), first.headers.get('content-type'));
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
  await site.owner.rows(sql`
    update platform.idempotency
    set reply = reply #- '{refusal,extensions}' #- '{refusal,retryAfterS}' where member_id = ${member.id}`);
  const { minimumAmount: _, ...kept } = first.problem;
  assert.deepEqual((await withdraw(member, tooLittle, headers)).body, kept);
});

test('sends Retry-After with each repetition of a request over the limit', async () => {
  const member = await rich();
  const headers = { 'idempotency-key': 'the-sixth' };
  for (let count = 0; count < 5; count += 1) assert.equal((await withdraw(member)).status, 201);
  const first = await withdraw(member, request(), headers);
  const again = await withdraw(member, request(), headers);
  refused(again, 429, 'withdrawal-limit-reached');
  assert.deepEqual(again.body, first.body);
  assert.ok(Number(again.headers.get('retry-after')) > 0);
  assert.equal(again.headers.get('retry-after'), first.headers.get('retry-after'));
});

test('finds a key’s withdrawal after its answer was deleted, and refuses another request', async () => {
  const member = await rich();
  const headers = { 'idempotency-key': 'withdraw-once-for-ever' };
  const first = await withdraw(member, request(), headers);
  assert.equal(first.status, 201);
  await site.owner.rows(sql`
    update platform.idempotency set created_at = created_at - interval '25 hours' where member_id = ${member.id}`);
  await deleteOldAnswers(site.database);
  const kept = await site.owner.rows(sql`select from platform.idempotency where member_id = ${member.id}`);
  assert.equal(kept.length, 0);
  const other = await withdraw(member, request({ amountPoints: '2000' }), headers);
  refused(other, 422, 'idempotency-mismatch');
  const again = await withdraw(member, request(), headers);
  refused(again, 422, 'idempotency-mismatch');
  await site.owner.rows(sql`delete from platform.idempotency where member_id = ${member.id}`);
  assert.deepEqual((await withdraw(member, request(), headers)).body, first.body);
  assert.equal((await statsOf(member)).balance, '9000');
});

test('refuses the sixth request of a day, with Retry-After', async () => {
  const member = await rich();
  for (let count = 0; count < 5; count += 1) assert.equal((await withdraw(member)).status, 201);
  const sixth = await withdraw(member);
  refused(sixth, 429, 'withdrawal-limit-reached');
  // The seconds until the next site day.
  const { left } = await site.owner.one<{ left: number }>(sql`
    select extract(epoch from (s.day + 1)::timestamp at time zone c.site_timezone - s.now)::float as left
    from platform.clock c, (
      select platform.business_now() as now, platform.site_day(platform.business_now()) as day) s`);
  const waitS = Number(sixth.headers.get('retry-after'));
  assert.ok(waitS >= left && waitS < left + 10, `${waitS} s of ${left} s`);
  const page = await site.call('GET', '/api/withdrawal/history?page=2&limit=2', { as: member });
  assert.deepEqual(page.body.pagination, { page: 2, totalPages: 3, totalCount: 5, limit: 2 });
  assert.equal(page.body.data.length, 2);
  for (const query of ['page=0', 'limit=101', 'limit=x', 'page=-1', 'page=1.5']) {
    refused(
      await site.call('GET', `/api/withdrawal/history?${query}`, { as: member }),
      400,
      'invalid-request',
    );
  }
});

test('refuses operators’ calls from members and visitors', async () => {
  const member = await rich();
  const { id } = (await withdraw(member)).body;
  const calls: [string, string, unknown?][] = [
    ['GET', '/api/admin/withdrawals-data'],
    ['GET', '/api/admin/stats'],
    ['GET', '/api/admin/payment-methods'],
    ['PUT', '/api/admin/payment-methods/litecoin', { isEnabled: false }],
    ['POST', `/api/admin/withdrawals/${id}/approve`],
    ['POST', `/api/admin/withdrawals/${id}/reject`, { reason: 'x' }],
    ['POST', `/api/admin/withdrawals/${id}/sync`],
    ['POST', '/api/admin/withdrawals/approve-all'],
    ['POST', '/api/admin/withdrawals/reject-all', { reason: 'x' }],
  ];
  for (const [method, path, body] of calls) {
    refused(await site.call(method, path, { body }), 401, 'unauthenticated');
    refused(await site.call(method, path, { as: member, body }), 403, 'forbidden');
  }
  const queue = await site.call('GET', `/api/admin/withdrawals-data?q=${id}`, { as });
  assert.equal(queue.body.withdrawals[0].status, 'pending');
  assert.equal(queue.body.withdrawals[0].userId, String(member.id));
});

test('decides all requests only if they are those that the operator saw', async () => {
  const path = '/api/admin/withdrawals';
  await site.call('POST', `${path}/reject-all`, { as, body: { reason: 'Clean' } });
  const member = await rich();
  await withdraw(member);
  for (const body of [{ expectedCount: 2 }, { expectedCount: 1, expectedPoints: '999' }]) {
    refused(await site.call('POST', `${path}/approve-all`, { as, body }), 409, 'totals-changed');
    const rejection = { ...body, reason: 'x' };
    refused(await site.call('POST', `${path}/reject-all`, { as, body: rejection }), 409, 'totals-changed');
  }
  for (const body of [{ expectedCount: -1 }, { expectedCount: '1' }, { expectedPoints: 1000 }])
    refused(await site.call('POST', `${path}/approve-all`, { as, body }), 400, 'invalid-request');
  const { pendingWithdrawals: expectedCount, pendingAmount: expectedPoints } = (
    await site.call('GET', '/api/admin/stats', { as })
  ).body;
  const decided = await site.call('POST', `${path}/reject-all`, {
    as,
    body: { reason: 'x', expectedCount, expectedPoints },
  });
  const { actId, ...counts } = decided.body;
  assert.match(actId, /^[0-9a-f-]{36}$/);
  assert.deepEqual(counts, { processed: 1, failed: [] });
});

test('§2-7 withdrawals: reads the queue’s filters, sort and page from the query, refuses invalid ones', async () => {
  const member = await rich();
  for (let count = 0; count < 3; count += 1) await withdraw(member);
  const queue = (query: string) =>
    site.call('GET', `/api/admin/withdrawals-data?q=${member.id}&${query}`, { as });
  const { body } = await queue('limit=2&sort=amount&status=pending&method=litecoin&minAmount=1000');
  assert.deepEqual(body.pagination, { page: 1, totalPages: 2, totalCount: 3, limit: 2 });
  assert.equal(body.withdrawals.length, 2);
  assert.equal((await queue('maxAmount=999')).body.pagination.totalCount, 0);
  assert.equal((await queue('olderThanHours=1')).body.pagination.totalCount, 0);
  for (const wrong of [
    'sort=email',
    'sort=--amount',
    'status=open',
    'minAmount=-1',
    'maxAmount=1.5',
    'olderThanHours=x',
  ])
    refused(await queue(wrong), 400, 'invalid-request');
});

test('publishes the shapes of all rails in the OpenAPI document', async () => {
  const { paths } = (await site.call('GET', '/api/openapi.json')).body;
  const propertiesOf = (path: string, method: string) =>
    paths[path][method].requestBody.content['application/json'].schema.properties;
  const { recipientInfo } = propertiesOf('/api/withdrawal', 'post');
  const litecoin = recipientInfo.anyOf.find(({ title }: { title: string }) => title === 'Litecoin');
  assert.deepEqual([litecoin.required, Object.keys(litecoin.properties)], [['address'], ['address']]);
  const { credentials } = propertiesOf('/api/admin/payment-methods/{method}', 'put');
  assert.deepEqual(
    credentials.anyOf.map(({ title }: { title: string }) => title),
    rails.map(({ name }) => name),
  );
  const names = ['rpcUser', 'rpcPassword', 'rpcHost', 'rpcPort'];
  assert.deepEqual(Object.keys(credentials.anyOf[0].properties), names);
});

test('publishes the shapes of shown credentials in the OpenAPI document, without secrets', async () => {
  const { paths } = (await site.call('GET', '/api/openapi.json')).body;
  const schemaOf = (path: string, method: string) =>
    paths[path][method].responses['200'].content['application/json'].schema;
  const listed = schemaOf('/api/admin/payment-methods', 'get').items.properties.credentials;
  const changed = schemaOf('/api/admin/payment-methods/{method}', 'put').properties.credentials;
  assert.deepEqual(listed, changed);
  assert.deepEqual(
    listed.anyOf.map(({ title }: { title: string }) => title),
    rails.map(({ name }) => name),
  );
  const { properties } = listed.anyOf[0];
  assert.deepEqual(Object.keys(properties), ['rpcUser', 'rpcPassword', 'rpcHost', 'rpcPort']);
  for (const name of ['rpcUser', 'rpcPassword']) assert.deepEqual(properties[name].enum, ['', MASKED]);
  for (const method of (await site.call('GET', '/api/admin/payment-methods', { as })).body)
    assert.deepEqual(publishedMethod.parse(method), method);
});

test('says in a sentence what is wrong with a field of a rail', async () => {
  const member = await rich();
  const change = (method: string, credentials: object) =>
    site.call('PUT', `/api/admin/payment-methods/${method}`, { as, body: { credentials } });
  const recipient = (recipientInfo: object) => withdraw(member, request({ recipientInfo }));
  const faults: [Answer, string, string][] = [
    [await change('litecoin', { rpcUser: 'x'.repeat(201) }), 'credentials.rpcUser', 'At most 200 characters'],
    [await change('paypal', { rpcUser: 'x' }), 'credentials', 'This method has none'],
    [await withdraw(member, request({ recipientInfo: null })), 'recipientInfo', 'Must be an object'],
    [await withdraw(member, request({ recipientInfo: ADDRESS })), 'recipientInfo', 'Must be an object'],
    [await recipient({}), 'recipientInfo.address', 'Required'],
    [await recipient({ address: ADDRESS, name: 'x' }), 'recipientInfo.name', 'Unknown field'],
    [await recipient({ address: ADDRESS, 'a b': 'x' }), 'recipientInfo.a b', 'Unknown field'],
    [await withdraw(member, request({ extra: true })), 'extra', 'Unknown field'],
    [await change('litecoin', { rpcToken: 'x' }), 'credentials.rpcToken', 'Unknown field'],
    [
      await site.call('GET', '/api/admin/withdrawals-data?method=LTC', { as }),
      'method',
      'Must be an id in lower case',
    ],
  ];
  for (const [answer, path, message] of faults) {
    refused(answer, 400, 'invalid-request');
    assert.deepEqual(answer.problem.errors, [{ path, message }]);
  }
});

test('reads payment methods with masked secrets, and changes any subset of fields', async () => {
  const read = await site.call('GET', '/api/admin/payment-methods', { as });
  assert.equal(read.headers.get('x-total-count'), String(rails.length));
  const [litecoin] = read.body;
  assert.equal(litecoin.method, 'litecoin');
  assert.equal(litecoin.credentials.rpcPassword, '***encrypted***');
  const path = '/api/admin/payment-methods/litecoin';
  const host = await site.call('PUT', path, { as, body: { credentials: { rpcHost: '169.254.169.254' } } });
  refused(host, 400, 'invalid-request');
  assert.equal(host.problem.errors?.[0]?.path, 'credentials.rpcHost');
  const changed = await site.call('PUT', path, { as, body: { settings: { processingFee: 100 } } });
  const { version, ...settings } = changed.body;
  assert.notEqual(version, litecoin.version);
  const withFee = { ...litecoin.settings, processingFee: 100 };
  assert.deepEqual({ ...settings, version: litecoin.version }, { ...litecoin, settings: withFee });
  const { id: _, name: __, secretNames: ___, endpointNames: ____, ...sent } = changed.body;
  const same = await site.call('PUT', path, { as, body: sent });
  assert.deepEqual(same.body, changed.body);
  const methods = await site.call('GET', '/api/withdrawal/methods', { as: await rich() });
  assert.deepEqual(methods.body[0], {
    method: 'litecoin',
    name: 'Litecoin',
    minimumAmount: 1000,
    maximumAmount: 0,
    processingFee: 100,
  });
  await changePaymentMethod(site.platform, 'litecoin', { settings: { processingFee: 0 } });
  refused(await site.call('PUT', '/api/admin/payment-methods/nothing', { as, body: {} }), 404, 'not-found');
});
