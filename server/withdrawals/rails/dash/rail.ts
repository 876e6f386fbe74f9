import { NO_BECH32 } from '#contract/destination-code.ts';
import type { Config } from '#platform/config.ts';
import { type CoinNetwork, coinDestination } from '../coin/addresses.ts';
import { coinRail, type WalletFactory } from '../coin/coin-rail.ts';
import { coinRpc } from '../coin/coin-rpc.ts';
import { coreWallet } from '../coin/core-wallet.ts';
import type { RailDefinition } from '../rail.ts';

/** Dash Core: the same calls without the option for replacement, which Dash does not have. */
export const dashWallet: WalletFactory = (access, chain) =>
  coreWallet(coinRpc(access), { chain, feeMax: '0.01000000', fundingOptions: {} });

const networkOf = (config: Config): CoinNetwork => config.dashNetwork;

export const rail: RailDefinition = coinRail({
  id: 'dash',
  name: 'Dash',
  koreanName: '대시',
  symbol: 'DASH',
  rateId: 'dash',
  destination: coinDestination({
    name: 'Dash',
    pattern: '^[X7][1-9A-HJ-NP-Za-km-z]{25,34}$',
    // The version bytes are those of `chainparams.cpp` in Dash Core.
    versions: {
      main: { bech32: NO_BECH32, pubKeyHash: 0x4c, scriptHash: 0x10 },
      test: { bech32: NO_BECH32, pubKeyHash: 0x8c, scriptHash: 0x13 },
      regtest: { bech32: NO_BECH32, pubKeyHash: 0x8c, scriptHash: 0x13 },
    },
    beginnings: { main: ['X', '7'], test: ['y', '8'], regtest: ['y', '8'] },
    networkOf,
  }),
  usualPorts: { main: 9998, test: 19998, regtest: 19898 },
  explorers: {
    main: 'https://insight.dash.org/insight/tx/{reference}',
    test: 'https://insight.testnet.networks.dash.org/insight/tx/{reference}',
  },
  networkOf,
  wallet: dashWallet,
});
