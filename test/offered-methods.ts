import { changePaymentMethod, type MethodParts } from '../server/withdrawals/payment-methods.ts';

/** An account of a node that refuses every connection. */
const UNREACHABLE = { rpcHost: '127.0.0.1', rpcPort: 1, rpcUser: 'user', rpcPassword: 'password' };

export type Coin = 'litecoin' | 'dash';

/** Switches a coin on as an operator does, so that members may choose it. Nothing is paid. */
export const offerMethod = (platform: MethodParts, method: Coin) =>
  changePaymentMethod(platform, method, { isEnabled: true, credentials: UNREACHABLE });
