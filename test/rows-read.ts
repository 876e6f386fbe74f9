import { sql, type Tx } from '#platform/database.ts';

export type RowsRead = { name: string; read_count: bigint };

/**
 * The tables of which a transaction has read more than `max` rows so far. Connections keep their plans, so a plan
 * that was made while a table was empty must still read single rows when the table is large.
 */
export const tablesReadBeyond = (tx: Tx, max: number) =>
  tx.rows<RowsRead>(sql`
    select relname as name, seq_tup_read + idx_tup_fetch as read_count from pg_stat_xact_user_tables
    where seq_tup_read + idx_tup_fetch > ${max}::integer`);
