import * as contract from '#contract/referrals.ts';
import { handle } from '#platform/http/handle.ts';
import type { Platform } from '#platform/platform.ts';
import { readReferralStats, readReferrals } from './referrals.ts';

/** HTTP for members: their referrals. */
export function referralsRoutes(platform: Platform): void {
  handle(platform, contract.readReferralStats, ({ caller }) => readReferralStats(platform, caller.id));
  handle(platform, contract.readReferrals, ({ caller }) => readReferrals(platform, caller.id));
}
