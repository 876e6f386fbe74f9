import { sentence } from '#contract/operator-sentences.ts';
import type { Json } from '../../lossless-json.ts';
import { amountText, amountUnits } from '../../payout-amount.ts';
import type { CoinRpc } from './coin-rpc.ts';
import {
  ask,
  failureOf,
  inputOf,
  isSameInput,
  list,
  member,
  type Outcome,
  objectOf,
  outpoint,
  text,
} from './node-answers.ts';
import type { CoinInput, CoinOrder } from './wallet.ts';

/**
 * Chooses the coins of a payment. Coins of unfinished payouts are locked. Where few confirmed coins are left, the
 * change is split into several, so that not every payment spends the unconfirmed change of the one before it: one that
 * is replaced would take all of them with it.
 */

export type CoreWalletRules = {
  /** The required chain of the node, as `getblockchaininfo` names it. */
  chain: 'main' | 'test' | 'regtest';
  /** The maximum network fee of a payment, as decimal text in whole coins. */
  feeMax: string;
  /** Options of `walletcreatefundedpsbt` that only this coin has. */
  fundingOptions: Record<string, Json>;
  /** The clock with which the age of the node's blocks is compared. */
  nowMs?: () => number;
};

/**
 * The number of blocks within which a payment should be mined. The node estimates the fee, or uses its fallback fee.
 */
const TARGET_BLOCKS = 6;
/** With this many free confirmed coins or fewer the change is split. */
const COINS_WANTED = 4;
export const CHANGE_OUTPUTS_MAX = 4;
/** A part of the change is worth at least this, and at least the payment, so that it can pay another one. */
const PART_UNITS_MIN = 1_000_000n;

/**
 * Locks the coins of unfinished payouts that the wallet could choose, and releases all others. The node keeps locks
 * only in memory. @returns the number of confirmed coins that a payment may spend
 */
export async function restoreLocks(rpc: CoinRpc, reserved: readonly CoinInput[]): Promise<Outcome<number>> {
  const reply = await rpc('listlockunspent', {});
  if (reply.kind !== 'result') return failureOf(reply);
  const locked = list(reply.result).map(inputOf);
  const isReserved = (input: CoinInput) => reserved.some((one) => isSameInput(one, input));
  const leftOver = locked.filter((input) => !isReserved(input));
  if (leftOver.length > 0) {
    const freed = await rpc('lockunspent', { unlock: true, transactions: leftOver.map(outpoint) });
    if (freed.kind !== 'result') return failureOf(freed);
  }
  const unspent = await rpc('listunspent', { minconf: 0 });
  if (unspent.kind !== 'result') return failureOf(unspent);
  let confirmedCount = 0;
  for (const coin of list(unspent.result)) {
    const input = inputOf(coin);
    if (isReserved(input)) {
      const kept = await rpc('lockunspent', { unlock: false, transactions: [outpoint(input)] });
      // An error means that the coin was spent meanwhile, so the wallet can't choose it.
      if (kept.kind === 'unavailable' || kept.kind === 'unknown') return failureOf(kept);
    } else if (Number(member(coin, 'confirmations')) > 0) confirmedCount += 1;
  }
  return { kind: 'ok', value: confirmedCount };
}

type Funded = Outcome<Record<string, Json>> | { kind: 'refused'; reason: string };

/** Chooses coins for a payment and locks them. `freeCount` is the number of confirmed coins to choose from. */
export async function fund(
  rpc: CoinRpc,
  rules: CoreWalletRules,
  order: CoinOrder,
  freeCount: number,
): Promise<Funded> {
  const payee = { [order.address]: order.coinAmount };
  const funded = await fundOutputs(rpc, rules, [], [payee]);
  if (funded.kind !== 'ok' || freeCount > COINS_WANTED) return funded;
  const split = await splitChange(rpc, order, funded.value);
  if (split === undefined) return funded;
  const spread = await fundOutputs(rpc, rules, split.inputs, [payee, ...split.parts]);
  // The payment with one change is as good. A fee above the cap is refused later in either case.
  return spread.kind === 'ok' ? spread : funded;
}

async function fundOutputs(
  rpc: CoinRpc,
  rules: CoreWalletRules,
  inputs: Json[],
  outputs: Json[],
): Promise<Funded> {
  const reply = await rpc('walletcreatefundedpsbt', {
    inputs,
    outputs,
    locktime: 0,
    options: { lockUnspents: true, conf_target: TARGET_BLOCKS, ...rules.fundingOptions },
  });
  if (reply.kind === 'error' && isFinal(reply.message)) {
    return { kind: 'refused', reason: sentence('amount-too-small-for-network') };
  }
  return objectOf('walletcreatefundedpsbt', reply);
}

/** Whether an error of funding is permanent. Only an amount below the network's dust limit is. */
function isFinal(message: string): boolean {
  return /amount is too small|amount too small|dust/i.test(message);
}

/**
 * The coins of a payment, and all parts of its change but the last, which the wallet adds. Undefined if the change is
 * too small to split, or the node gives no addresses for it.
 */
async function splitChange(
  rpc: CoinRpc,
  order: CoinOrder,
  funded: Record<string, Json>,
): Promise<{ inputs: Json[]; parts: Json[] } | undefined> {
  const position = Number(funded.changepos);
  const decoded = await ask(rpc, 'decodepsbt', { psbt: text(funded.psbt) });
  if (position < 0 || decoded.kind !== 'ok') return undefined;
  const tx = decoded.value.tx ?? null;
  const change = list(member(tx, 'vout'))[position] ?? null;
  const changeUnits = amountUnits(member(change, 'value'));
  const orderUnits = amountUnits(order.coinAmount);
  const partUnitsMin = orderUnits > PART_UNITS_MIN ? orderUnits : PART_UNITS_MIN;
  const fitting = Number(changeUnits / partUnitsMin);
  const count = Math.min(CHANGE_OUTPUTS_MAX, fitting);
  const parts: Json[] = [];
  while (parts.length < count - 1) {
    const address = await rpc('getrawchangeaddress', {});
    if (address.kind !== 'result') return undefined;
    parts.push({ [text(address.result)]: amountText(changeUnits / BigInt(count)) });
  }
  const inputs = list(member(tx, 'vin')).map((input) => outpoint(inputOf(input)));
  return parts.length === 0 ? undefined : { inputs, parts };
}
