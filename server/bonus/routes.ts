import * as contract from '#contract/bonus.ts';
import { handle } from '#platform/http/handle.ts';
import type { Platform } from '#platform/platform.ts';
import { claimDailyBonus, readDailyBonus } from './bonus.ts';

/** HTTP for members: today's bonus, and claiming it. */
export function bonusRoutes(platform: Platform): void {
  const { database } = platform;
  handle(platform, contract.readDailyBonus, ({ caller }) => readDailyBonus(database, caller.id));
  handle(platform, contract.claimDailyBonus, async ({ caller, idempotencyKey, announce }) => {
    const { reply, balance } = await claimDailyBonus(database, caller.id, idempotencyKey);
    if (balance !== null)
      announce(caller.id, { type: 'balance', balance: String(balance < 0n ? 0n : balance) });
    return reply;
  });
}
