import type { CoinNetwork } from '../addresses.ts';
import { type CoinNodeAccess, coinRpc } from './coin-rpc.ts';
import { coreWalletRail } from './core-wallet.ts';
import type { Rail } from './rail.ts';

/**
 * Litecoin Core. Replacement is switched off, so that a stored payment can't be outbid by mistake. The cap on the
 * network fee is some fifty times what an ordinary payment costs.
 */
export function litecoinRail(access: CoinNodeAccess, chain: CoinNetwork): Rail {
  return coreWalletRail(coinRpc(access), {
    chain,
    feeMax: '0.01000000',
    fundingOptions: { replaceable: false },
  });
}
