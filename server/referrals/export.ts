import { type Reader, sql } from '#platform/database.ts';

/** A member's referrals for the export of their data. */

const PAGE_ROWS = 500;

type Row = {
  referredId: number;
  id: string;
  createdAt: Date;
  rewardPoints: bigint;
  state: string;
  decidedAt: Date | null;
};

const readAfter = (reader: Reader, memberId: number, referredId: number) =>
  reader.rows<Row>(sql`
    select referred_id as "referredId", id, created_at as "createdAt", reward_points as "rewardPoints", state,
      decided_at as "decidedAt" from referrals.referrals
    where referrer_id = ${memberId} and referred_id > ${referredId} order by referred_id limit ${PAGE_ROWS}`);

/** Exports referrals. A friend is named only by the last six digits of their id. */
export async function* exportReferrals(reader: Reader, memberId: number): AsyncGenerator<unknown> {
  let referredId = 0;
  for (;;) {
    const rows = await readAfter(reader, memberId, referredId);
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
