import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { sql } from '#platform/database.ts';
import { freePort } from '../../test/free-port.ts';
import { type Litecoind, litecoindMissing, startLitecoind } from '../../test/litecoind.ts';
import { startWorld } from '../../test/withdrawals-world.ts';
import { testPaymentMethod } from './connection.ts';
import { changePaymentMethod, readPaymentMethods } from './payment-methods.ts';

/** The test of a payment method names what is wrong in one sentence. */
const world = await startWorld({ after }, []);
const { operator } = world;
const skip = litecoindMissing();
const node: Litecoind | null = skip ? null : await startLitecoind({ after });

type Given = { rpcHost?: string; rpcPort?: number; rpcUser?: string; rpcPassword?: string };
const ofNode = (): Given => {
  const { host = '', port = 0, user = '', password = '' } = node?.access ?? {};
  return { rpcHost: host, rpcPort: port, rpcUser: user, rpcPassword: password };
};
const stepsOf = async (credentials: Given | undefined, parts = world.parts) => {
  const body = credentials === undefined ? undefined : { credentials };
  return (await testPaymentMethod(parts, { method: 'litecoin', body, operatorId: operator })).steps;
};
/** The step that failed, with its sentence. */
const faultOf = async (credentials: Given | undefined, parts = world.parts) => {
  const last = (await stepsOf(credentials, parts)).at(-1);
  return last?.ok ? null : [last?.name, last?.text];
};
const onNetwork = (litecoinNetwork: 'main' | 'regtest') => ({
  ...world.parts,
  config: { ...world.parts.config, litecoinNetwork },
});

test('says of a real node that it can pay, and what', { skip }, async () => {
  const steps = await stepsOf(ofNode());
  assert.deepEqual(
    steps.map(({ name, ok }) => [name, ok]),
    ['account', 'node', 'network', 'blocks', 'wallet', 'balance', 'payments'].map((name) => [name, true]),
  );
  assert.match(steps[1]?.text ?? '', /^The node answers: LitecoinCore:\d/);
  assert.match(steps[3]?.text ?? '', /^It is in sync, at block \d+\.$/);
  assert.match(steps[5]?.text ?? '', /^It can pay \d+\.\d{8}\.$/);
});

test('finds a wrong password, a node that is not there and one on another network', { skip }, async () => {
  const refused = ['node', 'The node refused the RPC user or password.'];
  assert.deepEqual(await faultOf({ ...ofNode(), rpcPassword: 'wrong' }), refused);
  assert.deepEqual(await faultOf({ ...ofNode(), rpcUser: 'wrong' }), refused);
  const away = { ...ofNode(), rpcPort: await freePort() };
  assert.deepEqual(await faultOf(away), ['node', 'The node is not reachable.']);
  assert.deepEqual(await faultOf(ofNode(), onNetwork('main')), [
    'network',
    'The node is on the network regtest, and this site pays on main.',
  ]);
});

test('finds a node without its wallet, and a locked wallet, which the balance does not show', {
  skip,
}, async () => {
  await node?.call('unloadwallet', { wallet_name: 'payouts' });
  assert.deepEqual(await faultOf(ofNode()), ['wallet', 'The node has no such wallet loaded.']);
  await node?.call('loadwallet', { filename: 'payouts' });
  await node?.call('encryptwallet', { passphrase: 'a phrase' });
  const locked = 'The wallet is locked, so it can’t sign. Unlock it with walletpassphrase.';
  assert.deepEqual(await faultOf(ofNode()), ['wallet', locked]);
  await node?.call('walletpassphrase', { passphrase: 'a phrase', timeout: 1_000 });
  assert.equal(await faultOf(ofNode()), null);
});

/** A node on the wire that is on the main network and behind, or that answers as no node does. */
async function startAnswers(answers: Record<string, unknown>): Promise<number> {
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += String(chunk);
    const { method } = JSON.parse(body) as { method: string };
    response.end(JSON.stringify({ result: answers[method] ?? null, error: null }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}
const account = { rpcHost: '127.0.0.1', rpcUser: 'user', rpcPassword: 'password' };

test('finds a node that is behind, and a party that is no node', async () => {
  const chain = { chain: 'main', blocks: 400, headers: 500, initialblockdownload: false };
  const rpcPort = await startAnswers({ getnetworkinfo: { connections: 8 }, getblockchaininfo: chain });
  assert.deepEqual(await faultOf({ ...account, rpcPort }, onNetwork('main')), [
    'blocks',
    'The node is behind: it has 400 of 500 blocks. Wait until it has fetched the rest.',
  ]);
  const strange = await startAnswers({ getnetworkinfo: ['no node'] });
  const [step, text] = (await faultOf({ ...account, rpcPort: strange })) ?? [];
  assert.deepEqual(
    [step, text],
    ['answer', 'What answered is not the expected party. The log has the cause.'],
  );
});

test('names what is missing, and refuses a host outside RPC_ALLOWED_HOSTS', async () => {
  assert.deepEqual(await faultOf(undefined), ['account', 'Not set: rpcUser, rpcPassword, rpcHost.']);
  assert.deepEqual(await faultOf({ rpcUser: 'user', rpcHost: '127.0.0.1' }), [
    'account',
    'Not set: rpcPassword.',
  ]);
  await assert.rejects(stepsOf({ ...account, rpcHost: '127.0.0.2' }), { code: 'invalid-request' });
  const paypal = { method: 'paypal', body: undefined, operatorId: operator };
  const { steps } = await testPaymentMethod(world.parts, paypal);
  assert.deepEqual(steps, [
    { name: 'account', ok: false, text: 'No payout rail is set up for this method.' },
  ]);
});

test('uses the stored secrets for masked ones, stores nothing, and leaves an act without secrets', async () => {
  const rpcPort = await freePort();
  await changePaymentMethod(world.parts, 'litecoin', {
    credentials: { ...account, rpcPort, rpcPassword: 'canary' },
  });
  const before = await readPaymentMethods(world.parts);
  const masked = '***encrypted***';
  const given = { rpcHost: '127.0.0.1', rpcPort, rpcUser: masked, rpcPassword: masked };
  assert.equal((await faultOf(given))?.[0], 'node');
  assert.deepEqual(await readPaymentMethods(world.parts), before);
  const last = await world.owner.one(sql`
    select operator_id as "operatorId", act, target, before, after from platform.acts order by id desc limit 1`);
  assert.deepEqual(last, {
    operatorId: operator,
    act: 'payment-method.test',
    target: 'litecoin',
    before: null,
    after: { rpcHost: '127.0.0.1', rpcPort, failedStep: 'node' },
  });
});

test('sends no stored secret to an address that it was not entered for, in the test or after a change', async () => {
  const received: string[] = [];
  const listener = createServer(({ headers }, response) => {
    received.push(headers.authorization ?? '');
    response.end('{}');
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  after(() => listener.close());
  const parts = {
    ...world.parts,
    config: { ...world.parts.config, rpcAllowedHosts: ['127.0.0.1', 'localhost'] },
  };
  const { port } = listener.address() as AddressInfo;
  const stored = { ...account, rpcPort: await freePort() };
  await changePaymentMethod(parts, 'litecoin', { credentials: stored });
  const before = await readPaymentMethods(parts);
  const refused = (names: readonly string[]) => ({
    code: 'invalid-request',
    extensions: {
      errors: names.map((name) => ({
        path: `credentials.${name}`,
        message: 'Type it in again: it was stored for another host or port',
      })),
    },
  });
  const masked = '***encrypted***';
  const cases: [Given, string[]][] = [
    [{ rpcPort: port }, ['rpcUser', 'rpcPassword']],
    [{ rpcHost: 'localhost' }, ['rpcUser', 'rpcPassword']],
    [{ rpcHost: '' }, ['rpcUser', 'rpcPassword']],
    [{ rpcPort: port, rpcUser: masked, rpcPassword: masked }, ['rpcUser', 'rpcPassword']],
    [{ rpcPort: port, rpcPassword: 'typed' }, ['rpcUser']],
  ];
  for (const [credentials, names] of cases) {
    await assert.rejects(stepsOf(credentials, parts), refused(names));
    await assert.rejects(changePaymentMethod(parts, 'litecoin', { credentials }), refused(names));
  }
  assert.deepEqual(received, []);
  assert.deepEqual(await readPaymentMethods(parts), before);
  const typed = { rpcPort: port, rpcUser: 'typed', rpcPassword: 'anew' };
  assert.equal((await stepsOf(typed, parts)).at(-1)?.ok, false);
  assert.deepEqual([...new Set(received)], [`Basic ${Buffer.from('typed:anew').toString('base64')}`]);
  const changed = await changePaymentMethod(parts, 'litecoin', { credentials: typed });
  assert.equal(changed.credentials.rpcPort, port);
  const same = { rpcHost: account.rpcHost, rpcPort: port, rpcPassword: masked };
  assert.equal((await stepsOf(same, parts)).at(-1)?.ok, false);
});

test('refuses a change by an operator who saw other settings', async () => {
  const [seen] = await readPaymentMethods(world.parts);
  const version = seen?.version;
  const first = await changePaymentMethod(world.parts, 'litecoin', {
    settings: { processingFee: 3 },
    version,
  });
  assert.notEqual(first.version, version);
  const second = { settings: { minimumAmount: 3_000 }, version };
  const refusal = { code: 'settings-changed' };
  await assert.rejects(changePaymentMethod(world.parts, 'litecoin', second), refusal);
  const again = { ...second, version: first.version };
  assert.equal((await changePaymentMethod(world.parts, 'litecoin', again)).settings.processingFee, 3);
});
