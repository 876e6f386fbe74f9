import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Address } from '@scure/btc-signer';
import type { Json } from '../server/withdrawals/lossless-json.ts';
import { amountUnits } from '../server/withdrawals/payout-amount.ts';
import { type CoinNodeAccess, coinRpc } from '../server/withdrawals/rails/coin/coin-rpc.ts';
import { litecoinVersions } from '../server/withdrawals/rails/litecoin/rail.ts';
import { freePort } from './free-port.ts';

/**
 * Debian's `litecoind` as a private chain in regtest: a wallet with mature coins and a few calls that read the
 * chain's state. A shell holds the daemon and kills it when the pipe to the test closes, so that even a killed test
 * leaves no process behind.
 */
const BINARY = process.env.LITECOIND ?? '/usr/bin/litecoind';
const READY_WITHIN_MS = 60_000;
const PID_FILE = 'litecoind.pid';
/** Few, because a wallet reads all its entries for many calls: each block that is mined to it adds one. */
const OWN_COINS = 20;
/** A coin can be spent after 100 blocks. */
const BLOCKS_TO_MATURE = 100;

/** The payments at one address that are confirmed or wait for a block. */
export type ChainOutput = { transactionId: string; amountUnits: bigint; confirmations: number };

/** The calls that the rail's tests need of a node, real or of the sandbox. */
export type TestCoinNode = {
  access: CoinNodeAccess;
  call: (method: string, params?: Record<string, Json>) => Promise<Json>;
  mine: (blockCount: number) => Promise<void>;
  outputsTo: (address: string) => Promise<ChainOutput[]>;
  foreignAddress: () => string;
  ownAddress: () => Promise<string>;
  /** Kills the node without warning. What it has written stays. */
  kill: () => Promise<void>;
  start: () => Promise<void>;
};

export type Litecoind = TestCoinNode & {
  /** Starts it again after `kill`, with further options. */
  start: (options?: readonly string[]) => Promise<void>;
  /** Mines coins to the wallet that is loaded, until it can spend them. */
  fund: () => Promise<void>;
  /** Removes the newest blocks; their payments wait for a block again. */
  reorganise: (blockCount: number) => Promise<void>;
  /** Stops the node's process. It takes connections and answers none until `thaw`. */
  freeze: () => Promise<void>;
  thaw: () => Promise<void>;
};

type Cleanup = { after: (work: () => Promise<void>) => void };

/**
 * The reason to skip without litecoind, for `test(name, { skip: litecoindMissing() }, …)`. On CI a missing daemon is
 * an error, because payouts are not tested without a real node.
 */
export function litecoindMissing(): string | false {
  if (existsSync(BINARY)) return false;
  const message = `NOT TESTED ON A REAL CHAIN: ${BINARY} is missing (Debian: apt-get install litecoind)`;
  if (process.env.CI) throw new Error(message);
  process.stderr.write(`\n*** ${message} ***\n\n`);
  return message;
}

/** A random Litecoin regtest address without a private key in any wallet. */
export function randomRegtestAddress(): string {
  return Address({ ...litecoinVersions.regtest, wif: 0 }).encode({
    type: 'wpkh',
    hash: randomBytes(20),
  });
}

/** Starts a funded node and stops it after the test. */
export async function startLitecoind(t: Cleanup): Promise<Litecoind> {
  const directory = await mkdtemp(join(tmpdir(), 'litecoind-'));
  const access = {
    host: '127.0.0.1',
    port: await freePort(),
    user: 'payer',
    password: randomBytes(12).toString('hex'),
  };
  let daemon: ChildProcess | undefined;
  const stop = async () => {
    if (daemon) await endDaemon(daemon);
    daemon = undefined;
  };
  t.after(async () => {
    await stop();
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  });
  const call = caller({ ...access, timeoutMs: READY_WITHIN_MS });
  const start = async (options: readonly string[] = []) => {
    daemon = spawnDaemon(directory, access, options);
    await untilReady(call, daemon);
  };
  const signal = async (name: NodeJS.Signals) =>
    void process.kill(Number(await readFile(join(directory, PID_FILE), 'utf8')), name);
  await start();
  await call('createwallet', { wallet_name: 'payouts', load_on_startup: true });
  const node: Litecoind = {
    access,
    call,
    start,
    kill: stop,
    // A block without payments to the same address at the same height would be the one that was removed before.
    mine: (blockCount) => mineTo(call, randomRegtestAddress(), blockCount),
    fund: async () => {
      await mineTo(call, await ownAddress(call), OWN_COINS);
      await node.mine(BLOCKS_TO_MATURE);
    },
    outputsTo: (address) => outputsTo(call, address),
    foreignAddress: randomRegtestAddress,
    ownAddress: () => ownAddress(call),
    reorganise: (blockCount) => reorganise(call, blockCount),
    freeze: () => signal('SIGSTOP'),
    thaw: () => signal('SIGCONT'),
  };
  await node.fund();
  return node;
}

/** A caller that fails the test on every error. */
export function caller(access: CoinNodeAccess): TestCoinNode['call'] {
  const rpc = coinRpc(access);
  return async (method, params = {}) => {
    const reply = await rpc(method, params);
    if (reply.kind === 'result') return reply.result;
    throw new Error(`${method}: ${JSON.stringify(reply)}`);
  };
}

function spawnDaemon(directory: string, access: CoinNodeAccess, more: readonly string[]): ChildProcess {
  const options = [
    '-regtest',
    `-datadir=${directory}`,
    `-pid=${join(directory, PID_FILE)}`,
    `-rpcport=${access.port}`,
    `-rpcuser=${access.user}`,
    `-rpcpassword=${access.password}`,
    '-server',
    '-listen=0',
    '-dnsseed=0',
    '-dbcache=16',
    '-par=1',
    // By default a new wallet makes 1,000 keys, which takes two seconds.
    '-keypool=100',
    '-fallbackfee=0.0002',
    '-printtoconsole=0',
    // A chain that activates MWEB at height 432 without a payment into it makes no further block.
    '-vbparams=mweb:4000000000:4000000001',
    ...more,
  ];
  const script = '"$@" & pid=$!; cat >/dev/null; kill -9 "$pid"; wait "$pid"';
  return spawn('/bin/sh', ['-c', script, 'litecoind', BINARY, ...options], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
}

async function endDaemon(daemon: ChildProcess): Promise<void> {
  if (daemon.exitCode !== null || daemon.signalCode !== null) return;
  const ended = new Promise((resolve) => daemon.once('exit', resolve));
  daemon.stdin?.end();
  await ended;
}

async function untilReady(call: TestCoinNode['call'], daemon: ChildProcess): Promise<void> {
  const deadline = Date.now() + READY_WITHIN_MS;
  for (;;) {
    try {
      await call('getblockcount');
      return;
    } catch (error) {
      if (Date.now() > deadline || daemon.exitCode !== null) throw error;
      await sleep(50);
    }
  }
}

async function ownAddress(call: TestCoinNode['call']): Promise<string> {
  return String(await call('getnewaddress', { address_type: 'bech32' }));
}

async function mineTo(call: TestCoinNode['call'], address: string, blockCount: number): Promise<void> {
  await call('generatetoaddress', { nblocks: blockCount, address });
}

async function reorganise(call: TestCoinNode['call'], blockCount: number): Promise<void> {
  const height = Number(await call('getblockcount'));
  await call('invalidateblock', {
    blockhash: await call('getblockhash', { height: height - blockCount + 1 }),
  });
}

type Scan = { height: number; unspents: { txid: string; amount: Json; height: number }[] };
type Raw = { txid: string; vout: { value: Json; scriptPubKey: { addresses?: string[] } }[] };

async function outputsTo(call: TestCoinNode['call'], address: string): Promise<ChainOutput[]> {
  const scan = (await call('scantxoutset', {
    action: 'start',
    scanobjects: [`addr(${address})`],
  })) as unknown as Scan;
  const mined = scan.unspents.map((output) => ({
    transactionId: output.txid,
    amountUnits: amountUnits(output.amount),
    confirmations: scan.height - output.height + 1,
  }));
  const waiting: ChainOutput[] = [];
  const waitingIds = await call('getrawmempool');
  assert(Array.isArray(waitingIds));
  for (const txid of waitingIds) {
    const raw = (await call('getrawtransaction', { txid, verbose: true })) as unknown as Raw;
    for (const output of raw.vout.filter((one) => one.scriptPubKey.addresses?.includes(address))) {
      waiting.push({ transactionId: raw.txid, amountUnits: amountUnits(output.value), confirmations: 0 });
    }
  }
  return [...mined, ...waiting];
}
