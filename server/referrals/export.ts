import type { Reader } from '#platform/database.ts';
import { readRowByRow } from '#platform/pages.ts';
import { type ReferralRow, readReferralsAfter } from './queries.ts';

/** A member's referrals for the export of their data. */

/** Exports a member's referrals. Of a friend's id it exports only the last six digits. */
export async function* exportReferrals(reader: Reader, memberId: number): AsyncGenerator<unknown> {
  const rows = readRowByRow<ReferralRow>((last, limit) =>
    readReferralsAfter(reader, memberId, last?.referredId ?? 0, limit),
  );
  for await (const row of rows)
    yield {
      id: row.id,
      friend: String(row.referredId).slice(-6),
      createdAt: row.createdAt.toISOString(),
      rewardAmount: String(row.rewardPoints),
      status: row.state,
      decidedAt: row.decidedAt?.toISOString() ?? null,
    };
}
