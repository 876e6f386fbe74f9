import { type Reader, sql } from '#platform/database.ts';

/** Whom a member brought and what came of it, for the member's own copy of their data. */

const PAGE_ROWS = 500;

type Row = {
  referred_id: number;
  id: string;
  created_at: Date;
  reward_points: bigint;
  state: string;
  decided_at: Date | null;
};

const readAfter = (reader: Reader, memberId: number, referredId: number) =>
  reader.rows<Row>(sql`
    select referred_id, id, created_at, reward_points, state, decided_at from referrals.referrals
    where referrer_id = ${memberId} and referred_id > ${referredId} order by referred_id limit ${PAGE_ROWS}`);

/** Who the friends are is theirs to tell; the member knows them by the end of their id alone. */
export async function* exportReferrals(reader: Reader, memberId: number): AsyncGenerator<unknown> {
  let referredId = 0;
  for (;;) {
    const rows = await readAfter(reader, memberId, referredId);
    for (const row of rows)
      yield {
        id: row.id,
        friend: String(row.referred_id).slice(-6),
        createdAt: row.created_at.toISOString(),
        rewardAmount: String(row.reward_points),
        status: row.state,
        decidedAt: row.decided_at?.toISOString() ?? null,
      };
    if (rows.length < PAGE_ROWS) return;
    referredId = rows.at(-1)?.referred_id ?? referredId;
  }
}
