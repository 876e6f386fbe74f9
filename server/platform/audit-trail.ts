/**
 * The audit trail: each act of an operator is a row with who, when, what, target, reason, before and after. The row is
 * written in the transaction of the act, so there is no act without its row, and no row without its act. Rows are never
 * changed or deleted; the application's role has no right to do so.
 *
 * An operator's endpoint that changes something names its act in the contract (`act`). A call that changes nothing
 * leaves no row. A refused one changes nothing, with two exceptions that are kept and leave a row: the first of two
 * approvals, and the halt of a payout that can't end yet (`payout-halted`).
 *
 * The owner of the database can change what the application can't. `act-chain.ts` makes that show.
 */
import { isDeepStrictEqual } from 'node:util';
import type { Act } from '#contract/acts.ts';
import { readAuditTrail } from '#contract/audit-trail.ts';
import { json, type Reader, sql, type Tx } from './database.ts';
import { handleOperatorList, type ListSql } from './http/operator-list.ts';
import type { Platform } from './platform.ts';
import { NUMBER, type TimelineSource } from './timeline.ts';

/** The changed fields by name. Secrets must be masked. */
type Fields = Readonly<Record<string, unknown>>;

export type RecordedAct = {
  /** Null for the command line and for the site itself. */
  operatorId: number | null;
  act: Act;
  /** The id of the changed thing. */
  target: string;
  reason?: string | null;
  before?: Fields | null;
  after?: Fields | null;
};

/** Adds acts to the audit trail, in the transaction of the acts themselves. */
export async function recordActs(tx: Tx, recorded: readonly RecordedAct[]): Promise<void> {
  if (recorded.length === 0) return;
  await tx.rows(sql`
    insert into platform.acts (operator_id, act, target, reason, before, after)
    select "operatorId", act, target, reason, before, after
    from jsonb_to_recordset(${json(recorded)}::jsonb)
      as recorded ("operatorId" integer, act text, target text, reason text, before jsonb, after jsonb)`);
}

/** The fields that differ, before and after; undefined if none does. */
export function changedFields(before: Fields, after: Fields): { before: Fields; after: Fields } | undefined {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (name) => !isDeepStrictEqual(before[name], after[name]),
  );
  if (names.length === 0) return undefined;
  const of = (fields: Fields) => Object.fromEntries(names.map((name) => [name, fields[name] ?? null]));
  return { before: of(before), after: of(after) };
}

type Row = {
  id: bigint;
  at: Date;
  operatorId: number | null;
  act: Act;
  target: string;
  reason: string | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
};

/** The start of a site day, or of the day after it. */
const startOf = (day: string, later: 0 | 1 = 0) => sql`
  (${day}::date + ${later}::integer)::timestamp at time zone (select c.site_timezone from platform.site_clock c)`;

/** The words of a text as a search: each may go on, and all must be in the row. Null for a text without words. */
function wordSearchOf(text: string): string | null {
  const words = text.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.length === 0 ? null : words.map((word) => `${word}:*`).join(' & ');
}

const source: ListSql<typeof readAuditTrail> = {
  table: sql`platform.acts`,
  alias: sql`a`,
  key: sql`a.id`,
  withId: ({ rowId }) => sql`a.id = ${rowId}::bigint`,
  columns: sql`a.id, a.at, a.operator_id as "operatorId", a.act, a.target, a.reason, a.before, a.after`,
  sorts: { at: [sql`a.id`] },
  filters: {
    operatorId: (operatorId) => sql`a.operator_id = ${operatorId}::integer`,
    action: (act) => sql`a.act = ${act}`,
    target: (target) => sql`a.target = ${target}`,
    fromDay: (day) => sql`a.at >= (${startOf(day)})`,
    toDay: (day) => sql`a.at < (${startOf(day, 1)})`,
  },
  search: ({ text, memberId, rowId }) => sql`
    select id from platform.acts where target = ${text}
    union select id from platform.acts where operator_id = ${memberId}::integer
    union select id from platform.acts where id = ${rowId}::bigint
    union select id from platform.acts where words @@ to_tsquery('simple', ${wordSearchOf(text)})`,
};

/** HTTP for operators: the list of acts. */
export function registerAuditTrail(platform: Platform): void {
  handleOperatorList(platform, {
    endpoint: readAuditTrail,
    source,
    toReply: ({ id, at, operatorId, act, ...row }: Row) => ({
      id: String(id),
      at: at.toISOString(),
      operatorId: operatorId === null ? null : String(operatorId),
      action: act,
      ...row,
    }),
  });
}

/** Finds who did an act to a target, the last time. `operatorId` is null for the command line and the site itself. */
export const findActor = (reader: Reader, act: Act, target: string) =>
  reader.row<Pick<Row, 'operatorId'>>(sql`
    select operator_id as "operatorId" from platform.acts where target = ${target} and act = ${act}
    order by id desc limit 1`);

/** Acts whose own rows are lines of the member's timeline, with the operator and the reason. */
const actsWithLines: readonly Act[] = ['member.suspend', 'member.lift-suspension', 'member.delete'];

/** Operators' other acts on a member as lines of the member's timeline. */
export const actLines: TimelineSource = {
  name: 'act',
  part: 'decisions',
  placeForm: NUMBER,
  read: async (reader, memberId, after, limit) => {
    const before = after === null ? null : BigInt(after);
    const acts = await reader.rows<Pick<Row, 'id' | 'at' | 'operatorId' | 'act' | 'reason'>>(sql`
      select id, at, operator_id as "operatorId", act, reason from platform.acts
      where target = ${String(memberId)} and act <> all(${actsWithLines}::text[])
        and (id < ${before}::bigint or ${before}::bigint is null)
      order by id desc limit ${limit}`);
    return acts.map(({ id, at, operatorId, act, reason }) => ({
      place: String(id),
      at,
      kind: 'act',
      text: `Act of an operator: ${act}`,
      link: null,
      amount: null,
      balanceAfter: null,
      facts: { act, reason, operatorId: operatorId === null ? null : String(operatorId) },
    }));
  },
};
