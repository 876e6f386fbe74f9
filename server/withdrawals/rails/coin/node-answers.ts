import assert from 'node:assert/strict';
import type { Json } from '../../lossless-json.ts';
import type { CoinRpc, RpcReply } from './coin-rpc.ts';
import { sentenceOfError } from './node-errors.ts';
import type { CoinInput } from './wallet.ts';

/** Reads the answers of a Core-family node. An answer in an undocumented shape is a fault and throws. */
export type Unavailable = { kind: 'unavailable'; reason: string };
export type Outcome<T> = { kind: 'ok'; value: T } | Unavailable;

/** Makes a call that only reads or prepares, and returns its answer as an object. After an error it can be retried. */
export async function ask(rpc: CoinRpc, method: string, params: Record<string, Json>) {
  return objectOf(method, await rpc(method, params));
}

export function objectOf(method: string, reply: RpcReply): Outcome<Record<string, Json>> {
  if (reply.kind !== 'result') return failureOf(reply);
  const { result } = reply;
  assert(typeof result === 'object' && result !== null && !Array.isArray(result), `${method} is an object`);
  return { kind: 'ok', value: result };
}

export function failureOf(reply: { reason: string } | { code: number; message: string }): Unavailable {
  return unavailable('reason' in reply ? reply.reason : sentenceOfError(reply));
}

export function unavailable(reason: string): Unavailable {
  return { kind: 'unavailable', reason };
}

export function member(value: Json, name: string): Json | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value[name] : undefined;
}

export function list(value: Json | undefined): Json[] {
  assert(Array.isArray(value), 'the node answers with a list');
  return value;
}

export function text(value: Json | undefined): string {
  assert(typeof value === 'string' || typeof value === 'number', 'the node answers with text');
  return String(value);
}

/** The seed of a wallet's keys, from `getwalletinfo`. One family of nodes names the seed, another the key chain. */
export function seedIdOf(info: Record<string, Json>): string | null {
  const seedId = info.hdseedid ?? info.hdchainid;
  return typeof seedId === 'string' ? seedId : null;
}

export function inputOf(value: Json): CoinInput {
  const outputIndex = member(value, 'vout');
  assert(typeof outputIndex === 'number', 'an outpoint has a number');
  return { transactionId: text(member(value, 'txid')), outputIndex };
}

export function outpoint(input: CoinInput): Json {
  return { txid: input.transactionId, vout: input.outputIndex };
}

export function isSameInput(one: CoinInput, other: CoinInput): boolean {
  return one.transactionId === other.transactionId && one.outputIndex === other.outputIndex;
}

/** Core before 22 has a list `addresses`, later versions have one `address`. */
export function addressOf(output: Json): string | undefined {
  const script = member(output, 'scriptPubKey');
  if (script === undefined) return undefined;
  const addresses = member(script, 'addresses');
  const address =
    Array.isArray(addresses) && addresses.length === 1 ? addresses[0] : member(script, 'address');
  return typeof address === 'string' ? address : undefined;
}
