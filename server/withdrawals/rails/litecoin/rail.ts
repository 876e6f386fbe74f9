import type { AddressVersions } from '#contract/destination-code.ts';
import type { Config } from '#platform/config.ts';
import { type CoinNetwork, coinDestination } from '../coin/addresses.ts';
import { coinRail, type WalletFactory } from '../coin/coin-rail.ts';
import { coinRpc } from '../coin/coin-rpc.ts';
import { coreWallet } from '../coin/core-wallet.ts';
import type { RailDefinition } from '../rail.ts';

/**
 * Litecoin Core. Replacement (RBF) is disabled, so that a stored payment is not replaced by mistake. The cap on the
 * network fee is about fifty times an ordinary fee.
 */
export const litecoinWallet: WalletFactory = (access, chain) =>
  coreWallet(coinRpc(access), { chain, feeMax: '0.01000000', fundingOptions: { replaceable: false } });

/**
 * The version bytes are from `chainparams.cpp` of Litecoin Core 0.21. The old script addresses (`3…`, on test networks
 * `2…`) are missing on purpose, because they can't be distinguished from Bitcoin addresses. MWEB addresses
 * (`ltcmweb1…`) have another human-readable part and never match.
 */
export const litecoinVersions: Record<CoinNetwork, AddressVersions> = {
  main: { bech32: 'ltc', pubKeyHash: 0x30, scriptHash: 0x32 },
  test: { bech32: 'tltc', pubKeyHash: 0x6f, scriptHash: 0x3a },
  regtest: { bech32: 'rltc', pubKeyHash: 0x6f, scriptHash: 0x3a },
};

const networkOf = (config: Config): CoinNetwork => config.litecoinNetwork;

export const rail: RailDefinition = coinRail({
  id: 'litecoin',
  name: 'Litecoin',
  koreanName: '라이트코인',
  symbol: 'LTC',
  rateId: 'litecoin',
  destination: coinDestination({
    name: 'Litecoin',
    pattern: '^(?:[LM][1-9A-HJ-NP-Za-km-z]{25,34}|ltc1[02-9ac-hj-np-z]{20,80})$',
    versions: litecoinVersions,
    beginnings: {
      main: ['M', 'L', 'ltc1'],
      test: ['m', 'n', 'Q', 'tltc1'],
      regtest: ['m', 'n', 'Q', 'rltc1'],
    },
    unpayable: [
      { form: '^[23][1-9A-HJ-NP-Za-km-z]{25,34}$', fault: 'like-bitcoin' },
      { form: '^(?:ltc|t|r)mweb1', fault: 'private' },
    ],
    networkOf,
  }),
  usualPorts: { main: 9332, test: 19332, regtest: 19443 },
  explorers: {
    main: 'https://litecoinspace.org/tx/{reference}',
    test: 'https://litecoinspace.org/testnet/tx/{reference}',
  },
  networkOf,
  wallet: litecoinWallet,
});
