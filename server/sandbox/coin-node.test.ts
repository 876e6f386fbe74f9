import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { createLog } from '#platform/log.ts';
import { startSandboxCoinNode } from '../../test/sandbox-coin-node.ts';
import { dashWallet } from '../withdrawals/rails/dash/rail.ts';
import { litecoinWallet } from '../withdrawals/rails/litecoin/rail.ts';
import { type CoinNode, coinNode, listenCoinNode } from './coin-node.ts';

const log = createLog('silent');
const credentials = { user: 'user', password: 'password', log };
const authorization = `Basic ${Buffer.from('user:password').toString('base64')}`;
const ADDRESS = 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9';

function post(node: CoinNode, call: unknown, given: string | undefined = authorization) {
  const body = typeof call === 'string' ? call : JSON.stringify(call);
  return node.handle({ method: 'POST', authorization: given, body });
}

function directoryFor(t: { after: (work: () => void) => void }): string {
  const directory = mkdtempSync(join(tmpdir(), 'coin-node-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

async function pay(node: CoinNode, coinAmount: string): Promise<string> {
  const listener = await listenCoinNode(node);
  const wallet = litecoinWallet({ host: '127.0.0.1', port: listener.port, ...credentials }, 'main');
  const payment = await wallet.sign({ address: ADDRESS, coinAmount }, []);
  assert(payment.kind === 'signed', JSON.stringify(payment));
  assert.equal((await wallet.broadcast(payment.bytesHex)).kind, 'accepted');
  await listener.close();
  return payment.transactionId;
}

test('answers like Litecoin Core: statuses, codes, and amounts as numbers with eight decimals', (t) => {
  const node = coinNode({ coin: 'litecoin', network: 'main', directory: directoryFor(t), ...credentials });
  t.after(node.close);
  assert.equal(node.handle({ method: 'GET', authorization, body: '' }).status, 405);
  for (const wrong of [undefined, '', 'Basic', 'Basic dXNlcjpub3Q=', `${authorization}=`]) {
    assert.equal(post(node, { method: 'getblockcount' }, wrong ?? '').status, 401, wrong);
  }
  assert.match(post(node, '{').body, /"code":-32700/);
  assert.equal(post(node, { id: 1, method: 'nothing' }).status, 404);
  const unknown = post(node, { id: 7, method: 'gettransaction', params: ['00'] });
  assert.equal(unknown.status, 500);
  assert.deepEqual(JSON.parse(unknown.body), {
    result: null,
    error: { code: -5, message: 'Invalid or non-wallet transaction id' },
    id: 7,
  });
  assert.match(post(node, { method: 'getbalances', params: { x: 1 } }).body, /"code":-8/);
  assert.match(post(node, { method: 'getbalances' }).body, /"trusted":6000\.00000000,/);
});

test('mines blocks while a payment has few confirmations, and none otherwise', async (t) => {
  const node = coinNode({
    coin: 'litecoin',
    network: 'main',
    directory: directoryFor(t),
    blockIntervalMs: 20,
    ...credentials,
  });
  t.after(node.close);
  const height = () => JSON.parse(post(node, { method: 'getblockcount' }).body).result as number;
  await sleep(100);
  assert.equal(height(), 1);
  const txId = await pay(node, '0.01242236');
  while ((node.chain()[0]?.confirmations ?? 0) < 12) await sleep(10);
  await sleep(100);
  assert.deepEqual(node.chain(), [
    { coin: 'litecoin', txId, address: ADDRESS, amount: '0.01242236', confirmations: 12 },
  ]);
});

test('keeps the chain across a restart', async (t) => {
  const directory = directoryFor(t);
  const open = () =>
    coinNode({ coin: 'litecoin', network: 'main', directory, blockIntervalMs: 0, ...credentials });
  const first = open();
  await pay(first, '1.00000000');
  first.mine(3);
  const second = open();
  assert.deepEqual(second.chain(), first.chain());
  assert.equal(second.chain()[0]?.confirmations, 3);
  await pay(second, '2.00000000');
  assert.equal(second.chain().length, 2);
});

test('answers with an error and goes on while its file can’t be written, and writes it afterwards', async (t) => {
  const directory = join(directoryFor(t), 'chain');
  const open = (blockIntervalMs: number) =>
    coinNode({ coin: 'litecoin', network: 'main', directory, blockIntervalMs, ...credentials });
  const node = open(5);
  t.after(node.close);
  await pay(node, '1.00000000');
  rmSync(directory, { recursive: true });
  writeFileSync(directory, '');
  const answer = post(node, { method: 'generatetoaddress', params: [20, ADDRESS] });
  assert.equal(answer.status, 500);
  assert.match(answer.body, /"code":-20/);
  await sleep(50);
  assert.equal(post(node, { method: 'getblockcount' }).status, 200);
  rmSync(directory);
  while (!existsSync(directory)) await sleep(5);
  assert.deepEqual(open(0).chain(), node.chain());
});

test('pays Dash in the same way', async (t) => {
  const node = await startSandboxCoinNode(t, 'dash');
  const wallet = dashWallet(node.access, 'regtest');
  const address = 'yWziQMcwmKjRdzi7eWjwiQX8EjWcd6dSg6';
  const payment = await wallet.sign({ address, coinAmount: '0.04123711' }, []);
  assert(payment.kind === 'signed', JSON.stringify(payment));
  assert.deepEqual(await wallet.broadcast(payment.bytesHex), { kind: 'accepted' });
  await node.mine(1);
  assert.deepEqual(await wallet.broadcast(payment.bytesHex), { kind: 'already-mined' });
  assert.deepEqual(await wallet.status(payment.transactionId), { kind: 'known', confirmations: 1 });
  assert.deepEqual(await node.outputsTo(address), [
    { transactionId: payment.transactionId, amountUnits: 4_123_711n, confirmations: 1 },
  ]);
  const litecoin = await wallet.sign({ address: node.foreignAddress(), coinAmount: '1.00000000' }, []);
  assert.equal(litecoin.kind, 'refused');
});
