import * as contract from '#contract/referrals.ts';
import { handle } from '#platform/http/handle.ts';
import type { Platform } from '#platform/platform.ts';
import { readReferralStats, readReferrals } from './referrals.ts';

/** HTTP for members: the friends they brought. */
export function referralsRoutes(platform: Platform): void {
  const { database } = platform;
  handle(platform, contract.readReferralStats, ({ caller }) => readReferralStats(database, caller.id));
  handle(platform, contract.readReferrals, ({ caller }) => readReferrals(database, caller.id));
}
