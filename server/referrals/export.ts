import type { Reader } from '#platform/database.ts';
import { readReferralsAfter } from './queries.ts';

/** A member's referrals for the export of their data. */

const PAGE_ROWS = 500;

/** Exports a member's referrals. Of a friend's id it exports only the last six digits. */
export async function* exportReferrals(reader: Reader, memberId: number): AsyncGenerator<unknown> {
  let referredId = 0;
  for (;;) {
    const rows = await readReferralsAfter(reader, memberId, referredId, PAGE_ROWS);
    for (const row of rows)
      yield {
        id: row.id,
        friend: String(row.referredId).slice(-6),
        createdAt: row.createdAt.toISOString(),
        rewardAmount: String(row.rewardPoints),
        status: row.state,
        decidedAt: row.decidedAt?.toISOString() ?? null,
      };
    if (rows.length < PAGE_ROWS) return;
    referredId = rows.at(-1)?.referredId ?? referredId;
  }
}
