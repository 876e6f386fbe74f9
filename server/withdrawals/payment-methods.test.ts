import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, test } from 'node:test';
import { sql } from '#platform/database.ts';
import { createSecrets, MASKED } from '#platform/secrets.ts';
import { startWorld } from '../../test/withdrawals-world.ts';
import { changePaymentMethod, findRail, readPaymentMethods, setUpRail } from './payment-methods.ts';

const world = await startWorld({ after });
const { parts } = world;
const credentials = {
  rpcUser: 'canary-user',
  rpcPassword: 'canary-password',
  rpcHost: '127.0.0.1',
  rpcPort: 19443,
};

test('§2-3 payment method: encrypts secrets, masks them in answers, keeps them when the mask is sent', async () => {
  const answer = await changePaymentMethod(parts, 'litecoin', { credentials });
  assert.deepEqual(answer.credentials, {
    rpcUser: '***encrypted***',
    rpcPassword: '***encrypted***',
    rpcHost: '127.0.0.1',
    rpcPort: 19443,
  });
  const stored = async () =>
    JSON.stringify(await world.owner.rows(sql`select * from withdrawals.methods`), text);
  assert(!(await stored()).includes('canary'));
  const before = await stored();
  await changePaymentMethod(parts, 'litecoin', { credentials: answer.credentials });
  assert.equal(await stored(), before);
  assert(await findRail(parts, 'litecoin'));
  await changePaymentMethod(parts, 'litecoin', { credentials: { rpcPassword: 'another' } });
  assert.notEqual(await stored(), before);
  const cleared = await changePaymentMethod(parts, 'litecoin', { credentials: { rpcUser: '' } });
  assert.equal(cleared.credentials.rpcUser, '');
  assert.equal(await findRail(parts, 'litecoin'), undefined);
});

const seal = (method: string, stored: object) =>
  parts.secrets.seal(JSON.stringify(stored), `withdrawals.methods ${method} credentials`);
const store = (method: string, sealed: string) =>
  world.owner.rows(
    sql`update withdrawals.methods set sealed_credentials = ${sealed} where method = ${method}`,
  );

test('masks what a rail does not declare readable, and leaves out names that it does not have', async () => {
  await store('dash', seal('dash', { ...credentials, rpcToken: 'canary-token' }));
  const dash = (await readPaymentMethods(parts)).find(({ method }) => method === 'dash');
  assert.deepEqual(dash?.credentials, { ...credentials, rpcUser: MASKED, rpcPassword: MASKED });
});

test('shows and changes a method whose credentials can’t be read, and replaces them as a whole', async (t) => {
  const stored = seal('litecoin', credentials);
  await store('dash', stored);
  const error = t.mock.method(parts.log, 'error', () => undefined);
  const readDash = async () => (await readPaymentMethods(parts)).find(({ method }) => method === 'dash');
  const masked = { rpcUser: MASKED, rpcPassword: MASKED, rpcHost: MASKED, rpcPort: MASKED };
  assert.deepEqual((await readDash())?.credentials, masked);
  assert.equal(await findRail(parts, 'dash'), undefined);
  const lines = error.mock.calls.map(({ arguments: [fields] }) => fields as unknown as { method: string });
  assert.deepEqual([...new Set(lines.map(({ method }) => method))], ['dash']);
  assert.doesNotMatch(JSON.stringify(lines), new RegExp(`canary|${stored.slice(-20)}`));

  for (const change of [{ isEnabled: false }, { isEnabled: true, credentials: masked }]) {
    const changed = await changePaymentMethod(parts, 'dash', change);
    assert.deepEqual([changed.isEnabled, changed.credentials], [change.isEnabled, masked]);
  }
  const limited = await changePaymentMethod(parts, 'dash', { settings: { processingFee: 5 } });
  assert.equal(limited.settings.processingFee, 5);
  await changePaymentMethod(parts, 'dash', { settings: { processingFee: 0 } });
  await assert.rejects(
    changePaymentMethod(parts, 'dash', { credentials: { ...masked, rpcPassword: 'new' } }),
    { code: 'invalid-request' },
  );
  const mended = await changePaymentMethod(parts, 'dash', { credentials });
  assert.deepEqual(mended.credentials, { ...credentials, rpcUser: MASKED, rpcPassword: MASKED });
  assert(await findRail(parts, 'dash'));
});

test('§2-7 payment methods: changes only the given fields', async () => {
  const [before] = await readPaymentMethods(parts);
  const changed = await changePaymentMethod(parts, 'litecoin', { settings: { minimumAmount: 2_000 } });
  const { version } = changed;
  assert.deepEqual(changed, {
    ...before,
    settings: { ...before?.settings, minimumAmount: 2_000 },
    version,
  });
  await changePaymentMethod(parts, 'litecoin', { settings: { minimumAmount: 0 } });
});

test('refuses a host outside RPC_ALLOWED_HOSTS in every spelling, and changes nothing', async () => {
  const before = await readPaymentMethods(parts);
  const hosts = [
    '169.254.169.254',
    'localhost',
    '127.0.0.2',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '::1',
    '[::1]',
    '::ffff:127.0.0.1',
    '127.0.0.1.',
    '127.0.0.1:80',
    'user@127.0.0.1',
    '127.0.0.1@evil.example',
    '127.0.0.1/path',
    '127.0.0.1#',
    '127.0.0.1?x',
    'http://127.0.0.1',
    'evil.example',
    '0.0.0.0',
    '10.0.0.1',
    '①②⑦.0.0.1',
    '127。0。0。1',
    'metadata.google.internal',
    '127.0.0.1 ',
  ];
  for (const rpcHost of hosts) {
    await assert.rejects(
      changePaymentMethod(parts, 'litecoin', { isEnabled: false, credentials: { rpcHost } }),
      { code: 'invalid-request' },
      rpcHost,
    );
  }
  assert.deepEqual(await readPaymentMethods(parts), before);
});

test('refuses credentials of a method without an account, unknown methods and contradictions', async () => {
  const change = (method: string, body: Parameters<typeof changePaymentMethod>[2]) =>
    changePaymentMethod(parts, method, body);
  for (const method of ['paypal', 'nowpayments']) {
    await assert.rejects(change(method, { credentials }), { code: 'invalid-request' });
    assert.deepEqual((await change(method, { credentials: {} })).credentials, {});
  }
  await assert.rejects(change('bitcoin', {}), { code: 'not-found' });
  await assert.rejects(change('dash', { method: 'litecoin' }), { code: 'invalid-request' });
  await assert.rejects(change('dash', { settings: { maximumAmount: 999 } }), { code: 'invalid-request' });
  await assert.rejects(change('dash', { settings: { minimumAmount: 5_000, maximumAmount: 4_999 } }), {
    code: 'invalid-request',
  });
  const methods = await readPaymentMethods(parts);
  assert.deepEqual(
    methods.slice(0, 4).map(({ method }) => method),
    ['litecoin', 'dash', 'paypal', 'nowpayments'],
  );
  assert.deepEqual(methods[1]?.settings, { minimumAmount: 0, maximumAmount: 0, processingFee: 0 });
});

function text(_name: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

test('logs that credentials were stored with another APP_SECRET', async (t) => {
  const former = createSecrets(randomBytes(32));
  await store('dash', former.seal(JSON.stringify(credentials), 'withdrawals.methods dash credentials'));
  const error = t.mock.method(parts.log, 'error', () => undefined);
  const setup = await setUpRail(parts, 'dash');
  assert.match(setup.kind === 'unusable' ? setup.reason : '', /If APP_SECRET was changed/);
  assert.match(JSON.stringify(error.mock.calls[0]?.arguments), /made with another APP_SECRET/);
});
