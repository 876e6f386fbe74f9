import { NO_BECH32 } from '#contract/destination-code.ts';
import type { CoinSimulation } from '../coin/simulation.ts';

export const simulation: CoinSimulation = {
  versions: {
    main: { bech32: NO_BECH32, pubKeyHash: 0x4c, scriptHash: 0x10 },
    test: { bech32: NO_BECH32, pubKeyHash: 0x8c, scriptHash: 0x13 },
    regtest: { bech32: NO_BECH32, pubKeyHash: 0x8c, scriptHash: 0x13 },
  },
  hasSegwit: false,
  networkOf: (config) => config.dashNetwork,
  prices: { usd: 24.25, eur: 22.31, krw: 33_707.5 },
};
