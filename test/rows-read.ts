import { type Sql, sql, type Tx } from '#platform/database.ts';

export type RowsRead = { name: string; read_count: bigint };

const readCount: Sql = sql`seq_tup_read + idx_tup_fetch`;

/**
 * The tables of which a transaction has read more than `max` rows so far. Connections keep their plans, so a plan
 * that was made while a table was empty must still read single rows when the table is large.
 * @param before what was counted at the begin of the transaction: PostgreSQL counts those before it for a while too
 */
export async function tablesReadBeyond(
  tx: Tx,
  max: number,
  before: readonly RowsRead[] = [],
): Promise<RowsRead[]> {
  const counted = await tx.rows<RowsRead>(
    sql`select relname as name, ${readCount} as read_count from pg_stat_xact_user_tables`,
  );
  return counted
    .map(({ name, read_count }) => {
      const former = before.find((one) => one.name === name)?.read_count ?? 0n;
      return { name, read_count: read_count - former };
    })
    .filter(({ read_count }) => read_count > BigInt(max));
}
