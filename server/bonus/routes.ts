import * as contract from '#contract/bonus.ts';
import { handle } from '#platform/http/handle.ts';
import type { Platform } from '#platform/platform.ts';
import { announceBalance } from '../ledger/ledger.ts';
import { claimDailyBonus, readDailyBonus } from './bonus.ts';

/** HTTP for members: reading and claiming today's bonus. */
export function bonusRoutes(platform: Platform): void {
  handle(platform, contract.readDailyBonus, ({ caller }) => readDailyBonus(platform, caller.id));
  handle(platform, contract.claimDailyBonus, async ({ caller, idempotencyKey }) => {
    const { reply, balance } = await claimDailyBonus(platform, caller.id, idempotencyKey);
    announceBalance(platform, caller.id, balance);
    return reply;
  });
}
