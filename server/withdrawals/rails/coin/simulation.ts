import type { AddressVersions } from '#contract/destination-code.ts';
import type { Config } from '#platform/config.ts';
import type { CoinNetwork } from './addresses.ts';

/**
 * The facts of a coin for the sandbox's simulated node. Only the sandbox and tests import a coin's `simulation.ts`.
 */
export type CoinSimulation = {
  /**
   * `mweb` is the prefix of the coin's confidential addresses. A node accepts them, and this site does not pay them.
   */
  versions: Readonly<Record<CoinNetwork, AddressVersions & { mweb?: string }>>;
  /** Whether new addresses of the wallet are bech32 addresses. */
  hasSegwit: boolean;
  networkOf: (config: Config) => CoinNetwork;
  /** The price of one coin at the sandbox's rate source. */
  prices: { usd: number; eur: number; krw: number };
};
