import type { Config } from '#platform/config.ts';
import type { AddressVersions, CoinNetwork } from './addresses.ts';

/**
 * What the sandbox's coin node has to know of a coin. A coin's `far-end.ts` is imported by the sandbox and tests
 * alone.
 */
export type CoinFarEnd = {
  /** `mweb` is how the coin's confidential addresses begin, which a node knows and this site does not pay. */
  versions: Readonly<Record<CoinNetwork, AddressVersions & { mweb?: string }>>;
  /** Whether a new address of the wallet is a bech32 one. */
  hasSegwit: boolean;
  networkOf: (config: Config) => CoinNetwork;
  /** What one coin costs at the sandbox's rate source. */
  prices: { usd: number; eur: number; krw: number };
};
