import { type ListedDecision, readMadeDecisions } from '#contract/decisions.ts';
import { fullNameOf } from '#contract/full-name.ts';
import { type Sql, sql } from '#platform/database.ts';
import type { ListSql, OperatorListBinding } from '#platform/http/operator-list.ts';
import type { Platform } from '#platform/platform.ts';
import { readSettings } from '#platform/settings.ts';
import { idOf, placeOf, subjectOf } from './decision-id.ts';
import * as queries from './queries.ts';

/** The operators' list of all decisions. */

const listedDecisionOf = (row: queries.MadeRow): ListedDecision => ({
  id: idOf(row),
  kind: row.kind,
  userId: row.memberId === null ? null : String(row.memberId),
  userName: row.firstName === null ? null : fullNameOf({ firstName: row.firstName, lastName: row.lastName }),
  about: row.about ?? '',
  rule: row.rule,
  reason: row.reason,
  subject: subjectOf(row),
  createdAt: row.decidedAt.toISOString(),
  decidedByEmail: row.decidedByEmail,
  expiresAt: row.expiresAt?.toISOString() ?? null,
  liftedAt: row.liftedAt?.toISOString() ?? null,
  isActive: row.isActive,
  isOwnWord: row.isOwnWord,
});

/** The decision with this id. Another text is no id, and has none. */
function withId(text: string): Sql {
  const place = placeOf(text);
  return sql`d.source = ${place?.source ?? null}::text and d.source_id = ${place?.sourceId ?? null}::bigint`;
}

/** Where a list reads: the rows, what names them, and their order. */
type Place = { rows: Sql; key: Sql; order: readonly Sql[] };

/** The newest of each source, by their times. */
const ofAllSources: Place = {
  rows: sql`decisions.newest`,
  key: sql`(d.source || '-' || d.source_id)`,
  order: [sql`d.created_at`, sql`d.source`, sql`d.source_id`],
};
/** All of one source, by its numbers, which are indexed. */
const ofSource = (source: string): Place => ({
  rows: sql`(select m.* from decisions.made m where m.source = ${source})`,
  key: sql`d.source_id`,
  order: [sql`d.source_id`],
});

function listOf({ rows, key, order }: Place): ListSql<typeof readMadeDecisions> {
  const found = (condition: Sql) => sql`select ${key} from ${rows} d where ${condition}`;
  return {
    table: rows,
    alias: sql`d`,
    key,
    withId: ({ text }) => withId(text),
    columns: queries.madeColumns,
    joins: queries.madeJoins,
    sorts: { createdAt: order },
    filters: { source: () => sql`true` },
    search: ({ text, lowerCasePrefix, memberId, name }) => sql`
      ${found(withId(text))}
      union all ${found(sql`d.member_id = ${memberId}::integer`)}
      union all ${found(sql`d.about like ${lowerCasePrefix}`)}
      union all ${found(sql`d.member_id in (
        select m.id from members.profiles m where m.email like ${lowerCasePrefix} and m.deleted_at is null)`)}
      union all ${found(sql`d.member_id in (select m.id from members.named(${name}) m)`)}`,
  };
}

type Parts = Pick<Platform, 'database' | 'config'>;

export const madeListOf = ({
  database,
  config,
}: Parts): OperatorListBinding<typeof readMadeDecisions, queries.MadeRow> => ({
  endpoint: readMadeDecisions,
  source: async ({ source }) => ({
    ...listOf(source === undefined ? ofAllSources : ofSource(source)),
    // Where the site holds no withdrawal, none waits for the time of an address.
    where: (await readSettings(database, config.mode)).switches.addressHold
      ? sql`true`
      : sql`d.kind <> 'withdrawal_held'`,
  }),
  toReply: listedDecisionOf,
});
