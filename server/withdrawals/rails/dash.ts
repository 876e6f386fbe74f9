import type { CoinNetwork } from '../addresses.ts';
import { type CoinNodeAccess, coinRpc } from './coin-rpc.ts';
import { coreWalletRail } from './core-wallet.ts';
import type { Rail } from './rail.ts';

/** Dash Core: the same calls without replacement, which Dash does not know. */
export function dashRail(access: CoinNodeAccess, chain: CoinNetwork): Rail {
  return coreWalletRail(coinRpc(access), { chain, feeMax: '0.01000000', fundingOptions: {} });
}
