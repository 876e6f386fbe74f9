import type { CoinSimulation } from '../coin/simulation.ts';

export const simulation: CoinSimulation = {
  versions: {
    main: { bech32: 'ltc', pubKeyHash: 0x30, scriptHash: 0x32, mweb: 'ltcmweb1' },
    test: { bech32: 'tltc', pubKeyHash: 0x6f, scriptHash: 0x3a, mweb: 'tmweb1' },
    regtest: { bech32: 'rltc', pubKeyHash: 0x6f, scriptHash: 0x3a, mweb: 'tmweb1' },
  },
  hasSegwit: true,
  networkOf: (config) => config.litecoinNetwork,
  prices: { usd: 80.5, eur: 74.06, krw: 111_895 },
};
