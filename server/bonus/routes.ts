import * as contract from '#contract/bonus.ts';
import { handle } from '#platform/http/handle.ts';
import type { Platform } from '#platform/platform.ts';
import { claimDailyBonus, readDailyBonus } from './bonus.ts';

/** HTTP for members: reading and claiming today's bonus. */
export function bonusRoutes(platform: Platform): void {
  handle(platform, contract.readDailyBonus, ({ caller }) => readDailyBonus(platform, caller.id));
  handle(platform, contract.claimDailyBonus, ({ caller, idempotencyKey }) =>
    claimDailyBonus(platform, caller.id, idempotencyKey),
  );
}
