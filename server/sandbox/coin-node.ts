import { createHash, timingSafeEqual } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { Log } from '#platform/log.ts';
import {
  addressOf,
  type Chain,
  type ChainState,
  confirmationsOf,
  decode,
  emptyState,
  isOwn,
  mine,
  type Network,
  openChain,
} from './coin-chain.ts';
import { readCoin } from './coin-registry.ts';
import { answerCall, type Call, type RpcAnswer } from './coin-rpc-methods.ts';

/**
 * Simulates a coin node with the JSON-RPC of Core-family nodes, for payouts without a real node. It answers the calls
 * of a payout with the real codes, mines a block every few seconds while a payment has few confirmations, and keeps its
 * chain in one file, which is replaced atomically.
 */
export type CoinNodeOptions = {
  /** The id of a coin's rail. */
  coin: string;
  network: Network;
  user: string;
  password: string;
  /** The folder of the chain's file, `coin-{coin}-{network}.json`. */
  directory: string;
  log: Log;
  /** Time between blocks; 0 mines only when asked. */
  blockIntervalMs?: number;
};

/** A received call. The body is raw text, which the node parses. */
export type CoinNodeRequest = { method: string; authorization: string | undefined; body: string };
export type CoinNodeResponse = { status: number; contentType: string; body: string };

export type ChainEntry = {
  coin: string;
  txId: string;
  address: string;
  amount: string;
  confirmations: number;
};

export type CoinNode = {
  handle: (request: CoinNodeRequest) => CoinNodeResponse;
  /** All payments to addresses outside the wallet, oldest first. */
  chain: () => ChainEntry[];
  mine: (blockCount: number) => void;
  close: () => void;
};

const BLOCK_INTERVAL_MS = 5_000;
/** The node mines blocks until the newest payment has this many confirmations. */
const SETTLED_CONFIRMATIONS = 12;
const REQUEST_BYTES_MAX = 1024 * 1024;

/** Opens the node with the chain from its file. */
export function coinNode(options: CoinNodeOptions): CoinNode {
  const file = join(options.directory, `coin-${options.coin}-${options.network}.json`);
  const state = readState(file);
  const chain = openChain(readCoin(options.coin), options.network, state);
  let isSaved = true;
  /** A chain that could not be saved, as on a full disk, is saved with the next block or turn. */
  const save = (): boolean => {
    try {
      writeState(options.directory, file, state);
      isSaved = true;
    } catch (error) {
      isSaved = false;
      options.log.error({ error }, 'the simulated coin node could not save its chain');
    }
    return isSaved;
  };
  const mineAndSave = (blockCount: number) => {
    mine(chain, blockCount);
    save();
  };
  const takeTurn = () => {
    if (isYoung(chain)) mineAndSave(1);
    else if (!isSaved) save();
  };
  const intervalMs = options.blockIntervalMs ?? BLOCK_INTERVAL_MS;
  const timer = intervalMs > 0 ? setInterval(takeTurn, intervalMs) : undefined;
  timer?.unref();
  return {
    handle: (request) => {
      try {
        return handle(options, chain, save, request);
      } catch (error) {
        options.log.error({ error }, 'the simulated coin node failed');
        return json(500, null, { code: -1, message: 'Internal error' }, null);
      }
    },
    chain: () => entries(options.coin, chain),
    mine: mineAndSave,
    close: () => clearInterval(timer),
  };
}

/** Serves the node on a port; 0 takes a free one. */
export function listenCoinNode(
  node: CoinNode,
  port = 0,
): Promise<{ port: number; close: () => Promise<void> }> {
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    let byteCount = 0;
    request.on('data', (chunk: Buffer) => {
      byteCount += chunk.length;
      if (byteCount > REQUEST_BYTES_MAX) request.destroy();
      else chunks.push(chunk);
    });
    request.on('end', () => {
      const answer = node.handle({
        method: request.method ?? '',
        authorization: request.headers.authorization,
        body: Buffer.concat(chunks).toString('utf8'),
      });
      response.writeHead(answer.status, { 'content-type': answer.contentType }).end(answer.body);
    });
  });
  return new Promise((resolve, reject) => {
    // Without a listener a later error, such as too many open files, would end the process.
    server.on('error', reject);
    server.listen(port, '127.0.0.1', () => {
      const close = () => new Promise<void>((done) => server.close(() => done()));
      resolve({ port: (server.address() as AddressInfo).port, close });
    });
  });
}

function handle(
  options: CoinNodeOptions,
  chain: Chain,
  save: () => boolean,
  request: CoinNodeRequest,
): CoinNodeResponse {
  if (request.method !== 'POST') return plain(405, 'JSONRPC server handles only POST requests');
  if (!isAuthorised(options, request.authorization)) return plain(401, '');
  const call = parseCall(request.body);
  if (call === undefined) return json(500, null, { code: -32700, message: 'Parse error' }, null);
  const answer = answerCall(chain, call);
  // Write the file before answering, so that a crash does not lose an accepted payment.
  if (answer.hasChanged && !save()) return json(500, null, { code: -20, message: 'Database error' }, call.id);
  return json(statusOf(answer), answer.result, answer.error, call.id);
}

function isAuthorised(options: CoinNodeOptions, authorization: string | undefined): boolean {
  const expected = `Basic ${Buffer.from(`${options.user}:${options.password}`).toString('base64')}`;
  return timingSafeEqual(digest(expected), digest(authorization ?? ''));
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function parseCall(body: string): Call | undefined {
  try {
    const call = JSON.parse(body) as Partial<Call> | null;
    if (typeof call?.method !== 'string') return undefined;
    return { id: call.id ?? null, method: call.method, params: call.params ?? {} };
  } catch {
    return undefined; // not JSON; answered as a parse error
  }
}

function statusOf(answer: RpcAnswer): number {
  if (answer.error === null) return 200;
  return answer.error.code === -32601 ? 404 : 500;
}

function json(status: number, result: unknown, error: RpcAnswer['error'], id: unknown): CoinNodeResponse {
  return { status, contentType: 'application/json', body: `${JSON.stringify({ result, error, id })}\n` };
}

function plain(status: number, body: string): CoinNodeResponse {
  return { status, contentType: 'text/plain', body };
}

function isYoung(chain: Chain): boolean {
  const newest = chain.state.payments.at(-1);
  if (newest === undefined) return false;
  return confirmationsOf(chain, newest) < SETTLED_CONFIRMATIONS;
}

function entries(coin: string, chain: Chain): ChainEntry[] {
  return chain.state.payments.flatMap((payment) =>
    decode(payment.bytesHex).outputs.flatMap((output) => {
      const address = addressOf(chain, output.script);
      if (address === null || isOwn(chain, address)) return [];
      const confirmations = confirmationsOf(chain, payment);
      return [{ coin, txId: payment.id, address, amount: coinText(output.amount), confirmations }];
    }),
  );
}

function coinText(units: bigint): string {
  return `${units / 100_000_000n}.${String(units % 100_000_000n).padStart(8, '0')}`;
}

function readState(file: string): ChainState {
  if (!existsSync(file)) return emptyState();
  return JSON.parse(readFileSync(file, 'utf8')) as ChainState;
}

function writeState(directory: string, file: string, state: ChainState): void {
  mkdirSync(directory, { recursive: true });
  writeFileSync(`${file}.new`, JSON.stringify(state), { flush: true });
  renameSync(`${file}.new`, file);
}
