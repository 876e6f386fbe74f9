import { fullNameOf } from '#contract/full-name.ts';
import { type Block, readBlocks } from '#contract/risk.ts';
import { sql } from '#platform/database.ts';
import type { OperatorListBinding } from '#platform/http/operator-list.ts';
import { type BlockRow, blockColumns, blockJoins, isActive } from './queries.ts';

/** A block in the contract's shape. */
export const blockOf = ({ firstName, lastName, ...row }: BlockRow): Block => ({
  ...row,
  id: String(row.id),
  expiresAt: row.expiresAt?.toISOString() ?? null,
  createdAt: row.createdAt.toISOString(),
  createdBy: firstName === null ? null : fullNameOf({ firstName, lastName }),
});

/** The operators' list of blocks. */
export const blockList: OperatorListBinding<typeof readBlocks, BlockRow> = {
  endpoint: readBlocks,
  toReply: blockOf,
  source: {
    table: sql`risk.blocks`,
    alias: sql`b`,
    key: sql`b.id`,
    withId: ({ rowId }) => sql`b.id = ${rowId}::bigint`,
    columns: blockColumns,
    joins: blockJoins,
    sorts: { createdAt: [sql`b.id`] },
    filters: {
      kind: (kind) => sql`b.kind = ${kind}`,
      state: (state) => (state === 'active' ? isActive : sql`not ${isActive}`),
    },
    search: ({ lowerCasePrefix, rowId }) => sql`
      select id from risk.blocks where id = ${rowId}::bigint
      union all select id from risk.blocks where value like ${lowerCasePrefix}`,
  },
};
