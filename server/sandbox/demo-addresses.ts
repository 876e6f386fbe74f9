import { createHash } from 'node:crypto';
import { bech32, createBase58check } from '@scure/base';
import type { Coin, Network } from './coin-chain.ts';

/** Right addresses that nobody has the key of, for the people of the demo world. */
const prefixes: Record<Network, string> = { main: 'ltc', test: 'tltc', regtest: 'rltc' };
const DASH_MAIN = 0x4c;
const DASH_TEST = 0x8c;

const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();

export function demoAddress(coin: Coin, network: Network, owner: string): string {
  const hash = sha256(Buffer.from(`demo ${owner}`)).subarray(0, 20);
  if (coin === 'litecoin') return bech32.encode(prefixes[network], [0, ...bech32.toWords(hash)]);
  const version = network === 'main' ? DASH_MAIN : DASH_TEST;
  return createBase58check(sha256).encode(Uint8Array.from([version, ...hash]));
}
