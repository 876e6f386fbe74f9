import { PROVIDER_CALLS_MAX, type readPostbacks } from '#contract/earning-postbacks.ts';
import type { QueryOf } from '#contract/endpoint.ts';
import { type Sql, sql } from '#platform/database.ts';
import type { ListSql, SearchTerms } from '#platform/http/operator-list.ts';
import { creditCallsOf, postbackColumns, postbackJoins } from './postback-queries.ts';

/**
 * The operators' list of providers' calls, newest first. Ordinary credits have no index of their own, so that they pay
 * for none: they are read by the number of the call, and found by their earning. All other calls are read by
 * `earning.other_calls`.
 */
type List = ListSql<typeof readPostbacks>;

const searchOther = ({ text, rowId }: SearchTerms): Sql => sql`
  select postback_id from earning.other_calls where postback_id = ${rowId}::bigint
  union select postback_id from earning.other_calls where transaction_id = ${text}
  union select postback_id from earning.other_calls where member_ref = ${text}`;

const allCalls: List = {
  table: sql`earning.postbacks`,
  alias: sql`p`,
  key: sql`p.id`,
  withId: ({ rowId }) => sql`p.id = ${rowId}::bigint`,
  columns: postbackColumns,
  joins: postbackJoins,
  sorts: { at: [sql`p.id`] },
  filters: {
    outcome: (outcome) => sql`earning.outcome_of(p.verdict) = ${outcome}`,
    provider: (provider) => sql`p.provider = ${provider}
      and p.id > (select coalesce(max(id), 0) - ${PROVIDER_CALLS_MAX}::bigint from earning.postbacks)`,
  },
  search: (terms) => sql`
    select id from earning.postbacks where id = ${terms.rowId}::bigint
    union ${searchOther(terms)} union ${creditCallsOf(terms.text, terms.memberId)}`,
};

const otherCalls: List = {
  table: sql`earning.other_calls`,
  alias: sql`c`,
  key: sql`c.postback_id`,
  withId: ({ rowId }) => sql`c.postback_id = ${rowId}::bigint`,
  columns: postbackColumns,
  joins: sql`join earning.postbacks p on p.id = c.postback_id ${postbackJoins}`,
  sorts: { at: [sql`c.postback_id`] },
  filters: {
    outcome: (outcome) => sql`c.outcome = ${outcome}`,
    provider: (provider) => sql`c.provider = ${provider}`,
  },
  search: searchOther,
};

export const postbackSource = ({ outcome }: QueryOf<typeof readPostbacks>): List =>
  outcome === undefined || outcome === 'booked' ? allCalls : otherCalls;
