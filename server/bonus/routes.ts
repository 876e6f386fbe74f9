import * as contract from '#contract/bonus.ts';
import { handle } from '#platform/http/handle.ts';
import type { Platform } from '#platform/platform.ts';
import { shownBalance } from '../ledger/ledger.ts';
import { claimDailyBonus, readDailyBonus } from './bonus.ts';

/** HTTP for members: reading and claiming today's bonus. */
export function bonusRoutes(platform: Platform): void {
  handle(platform, contract.readDailyBonus, ({ caller }) => readDailyBonus(platform, caller.id));
  handle(platform, contract.claimDailyBonus, async ({ caller, idempotencyKey, announce }) => {
    const { reply, balance } = await claimDailyBonus(platform, caller.id, idempotencyKey);
    if (balance !== null) announce(caller.id, { type: 'balance', balance: shownBalance(balance) });
    return reply;
  });
}
