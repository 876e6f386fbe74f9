import { createHash } from 'node:crypto';
import { bech32, createBase58check } from '@scure/base';
import type { Network } from './coin-chain.ts';
import type { SimulatedCoin } from './coin-registry.ts';

const sha256 = (bytes: Uint8Array): Uint8Array => createHash('sha256').update(bytes).digest();

/** Makes a valid address without a known key, for a person of the demo world. */
export function demoAddress(coin: SimulatedCoin, network: Network, owner: string): string {
  const hash = sha256(Buffer.from(`demo ${owner}`)).subarray(0, 20);
  const versions = coin.versions[network];
  if (coin.hasSegwit) return bech32.encode(versions.bech32, [0, ...bech32.toWords(hash)]);
  return createBase58check(sha256).encode(Uint8Array.from([versions.pubKeyHash, ...hash]));
}
