import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '#platform/log.ts';
import { coinNode, listenCoinNode } from '../server/sandbox/coin-node.ts';
import { amountUnits } from '../server/withdrawals/payout-amount.ts';
import { freePort } from './free-port.ts';
import { caller, randomRegtestAddress, type TestCoinNode } from './litecoind.ts';

/** The sandbox's coin node on its own port, with the interface that tests use for the real one. */
export async function startSandboxCoinNode(
  t: { after: (work: () => Promise<void>) => void },
  coin = 'litecoin',
): Promise<TestCoinNode> {
  const directory = await mkdtemp(join(tmpdir(), 'coin-node-'));
  const access = {
    host: '127.0.0.1',
    port: await freePort(),
    user: 'payer',
    password: randomBytes(12).toString('hex'),
  };
  const log = createLog('silent');
  const open = () => coinNode({ coin, network: 'regtest', directory, log, blockIntervalMs: 0, ...access });
  let node = open();
  let listener: Awaited<ReturnType<typeof listenCoinNode>> | undefined;
  const start = async () => {
    node = open();
    listener = await listenCoinNode(node, access.port);
  };
  const kill = async () => {
    node.close();
    await listener?.close();
    listener = undefined;
  };
  t.after(async () => {
    await kill();
    await rm(directory, { recursive: true, force: true });
  });
  await start();
  const call = caller(access);
  return {
    access,
    call,
    start,
    kill,
    mine: async (blockCount) => node.mine(blockCount),
    outputsTo: async (address) =>
      node
        .chain()
        .filter((entry) => entry.address === address)
        .map((entry) => ({
          transactionId: entry.txId,
          amountUnits: amountUnits(entry.amount),
          confirmations: entry.confirmations,
        })),
    foreignAddress: randomRegtestAddress,
    ownAddress: async () => String(await call('getnewaddress', { address_type: 'bech32' })),
  };
}
