import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { coinRpc } from './coin-rpc.ts';
import { coreWallet } from './core-wallet.ts';

/** A node on the wire whose state of the chain a test sets. Its wallet lists nothing. */
const NOW_S = 1_900_000_000;
const current = { blocks: 500, headers: 500, mediantime: NOW_S - 900, connections: 8 };
let state = current;
const called: string[] = [];
let chainName = 'main';
const answers: Record<string, () => unknown> = {
  getblockchaininfo: () => ({ ...state, chain: chainName, bestblockhash: '00', initialblockdownload: false }),
  getnetworkinfo: () => ({ connections: state.connections }),
  getwalletinfo: () => ({ hdseedid: 'a seed' }),
  listtransactions: () => [],
};
const server = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += String(chunk);
  const { method } = JSON.parse(body) as { method: string };
  called.push(method);
  const answer = answers[method]?.();
  const error = answer === undefined ? { code: -32601, message: 'Method not found' } : null;
  response.writeHead(error ? 500 : 200).end(JSON.stringify({ result: answer ?? null, error }));
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
after(() => {
  server.closeAllConnections();
  server.close();
});
const { port } = server.address() as AddressInfo;

const walletOn = (chain: 'main' | 'test' | 'regtest') => {
  chainName = chain;
  const rpc = coinRpc({ host: '127.0.0.1', port, user: 'u', password: 'p' });
  return coreWallet(rpc, { chain, feeMax: '0.01', fundingOptions: {}, nowMs: () => NOW_S * 1_000 });
};
const reasonsOf = async (chain: 'main' | 'test' | 'regtest', given: Partial<typeof current>) => {
  state = { ...current, ...given };
  const wallet = walletOn(chain);
  const listing = await wallet.list(new Date(0));
  called.length = 0;
  const signed = await wallet.sign({ address: 'an address', coinAmount: '0.10000000' }, []);
  const isRefusedFirst = !called.some(
    (method) => method !== 'getblockchaininfo' && method !== 'getnetworkinfo',
  );
  return [listing, isRefusedFirst ? signed : undefined].map((one) =>
    one !== undefined && 'reason' in one ? `${one.kind}: ${one.reason}` : one?.kind,
  );
};

const BEHIND = 'The node is behind: it has 123 of 500 blocks. Wait until it has fetched the rest.';
const ALONE = 'The node has no peers, so it may be behind. Connect it to the network.';
const OLD =
  'The node’s newest blocks are of 2030-03-17T15:46:39.000Z, so it may be behind. Look at its peers and its clock.';

test('believes no list and signs nothing of a node that is behind on the main network', async () => {
  for (const [given, reason] of [
    [{ blocks: 123 }, BEHIND],
    [{ connections: 0 }, ALONE],
    [{ mediantime: NOW_S - 7_201 }, OLD],
  ] as const)
    assert.deepEqual(await reasonsOf('main', given), [`unknown: ${reason}`, `unavailable: ${reason}`]);
});

test('believes a node that has all blocks, and one whose newest blocks came slowly', async () => {
  for (const given of [{}, { mediantime: NOW_S - 7_200 }, { connections: 1 }])
    assert.deepEqual(await reasonsOf('main', given), ['listed', undefined]);
});

test('asks a test network for all blocks alone, and a private chain for nothing', async () => {
  const lonely = { connections: 0, mediantime: NOW_S - 1_000_000 };
  assert.deepEqual(await reasonsOf('test', lonely), ['listed', undefined]);
  assert.deepEqual(await reasonsOf('test', { blocks: 123 }), [
    `unknown: ${BEHIND}`,
    `unavailable: ${BEHIND}`,
  ]);
  assert.deepEqual(await reasonsOf('regtest', { ...lonely, blocks: 123 }), ['listed', undefined]);
});
