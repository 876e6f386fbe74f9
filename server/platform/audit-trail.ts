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
import { type Act, type Actor, screenOfTarget, type TargetKind } from '#contract/acts.ts';
import {
  type RecordedAct as RecordedActInList,
  readAuditTrail,
  readFormerReasons,
} from '#contract/audit-trail.ts';
import { MEMBER_ID } from '#contract/fields.ts';
import { fullNameOf } from '#contract/full-name.ts';
import { json, type Reader, sql, type Tx } from './database.ts';
import { handle } from './http/handle.ts';
import { handleOperatorList, type ListSql, type OperatorListBinding } from './http/operator-list.ts';
import type { Platform } from './platform.ts';
import { NUMBER, type TimelineSource } from './timeline.ts';

/** The changed fields by name. Secrets must be masked. */
type Fields = Readonly<Record<string, unknown>>;

/** What an act changed. What belongs to a member names the member; null if it is known to nobody whose it is. */
type Target =
  | { kind: 'member'; id: number }
  | {
      kind: 'withdrawal' | 'ticket' | 'claim' | 'mail' | 'chat-ban' | 'chat-message' | 'decision';
      id: string;
      memberId: number;
    }
  | { kind: 'earning' | 'quarantine' | 'postback'; id: bigint; memberId: number | null }
  | {
      kind: Exclude<
        TargetKind,
        | 'member'
        | 'withdrawal'
        | 'ticket'
        | 'claim'
        | 'mail'
        | 'chat-ban'
        | 'chat-message'
        | 'decision'
        | 'earning'
        | 'quarantine'
        | 'postback'
      >;
      id: string;
    };

/** Who acts: the id of an operator, or who acts without one. */
export type ActorOrId = number | Exclude<Actor, 'operator'>;

/** The operator who acts; null if none does. */
export const operatorIdOf = (actor: ActorOrId): number | null => (typeof actor === 'number' ? actor : null);

/** Who acts, as it is stored. */
export const actorFieldsOf = (actor: ActorOrId): { actor: Actor; operatorId: number | null } => ({
  actor: typeof actor === 'number' ? 'operator' : actor,
  operatorId: operatorIdOf(actor),
});

export type RecordedAct = {
  actor: ActorOrId;
  act: Act;
  target: Target;
  reason?: string | null;
  before?: Fields | null;
  after?: Fields | null;
};

/** Adds acts to the audit trail, in the transaction of the acts themselves. */
export async function recordActs(tx: Tx, recorded: readonly RecordedAct[]): Promise<void> {
  if (recorded.length === 0) return;
  await tx.rows(sql`
    insert into platform.acts
      (actor, operator_id, act, target_kind, target, member_id, reason, before, after)
    select actor, "operatorId", act, "targetKind", target, "memberId", reason, before, after
    from jsonb_to_recordset(${json(recorded.map(columnsOf))}::jsonb)
      as recorded (actor text, "operatorId" integer, act text, "targetKind" text, target text, "memberId" integer,
        reason text, before jsonb, after jsonb)`);
}

function columnsOf({ actor, target, ...rest }: RecordedAct) {
  return {
    ...rest,
    ...actorFieldsOf(actor),
    targetKind: target.kind,
    target: String(target.id),
    memberId: memberOf(target),
  };
}

function memberOf(target: Target): number | null {
  if (target.kind === 'member') return target.id;
  return 'memberId' in target ? target.memberId : null;
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
  actor: Actor | null;
  operatorId: number | null;
  act: Act;
  target: string;
  targetKind: TargetKind | null;
  memberId: number | null;
  reason: string | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
};

/** The kinds of targets by the first word of the act, for rows from before they were stored. */
const formerKinds: Partial<Record<string, TargetKind>> = {
  'audit-trail': 'audit-trail',
  books: 'books',
  catalogue: 'catalogue',
  earning: 'earning',
  job: 'job',
  mail: 'mail',
  member: 'member',
  operator: 'member',
  'payment-method': 'payment-method',
  payout: 'withdrawal',
  points: 'member',
  postback: 'postback',
  provider: 'provider',
  quarantine: 'quarantine',
  rate: 'currency',
  secret: 'secret',
  site: 'site',
  ticket: 'ticket',
  withdrawal: 'withdrawal',
};

/** The kind of a row's target. The act `payout.reconcile` is about a method or about a payment. */
const kindOf = ({ targetKind, act }: Pick<Row, 'targetKind' | 'act'>): TargetKind | null =>
  targetKind ?? (act === 'payout.reconcile' ? null : (formerKinds[act.split('.')[0] ?? ''] ?? null));

/** The start of a site day, or of the day after it. */
const startOf = (day: string, later: 0 | 1 = 0) => sql`
  (select platform.day_start_in(c.site_timezone, ${day}::date + ${later}::integer) from platform.site_clock c)`;

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
  columns: sql`a.id, a.at, a.actor, a.operator_id as "operatorId", a.act, a.target, a.target_kind as "targetKind",
    a.about_member_id as "memberId", a.reason, a.before, a.after`,
  sorts: { at: [sql`a.id`] },
  filters: {
    actor: (actor) => (actor === 'operator' ? sql`a.operator_id is not null` : sql`a.actor = ${actor}`),
    operatorId: (operatorId) => sql`a.operator_id = ${operatorId}::integer`,
    action: (act) => sql`a.act = ${act}`,
    memberId: (id) => sql`a.about_member_id = ${MEMBER_ID.test(id) ? Number(id) : null}::integer`,
    target: (target) => sql`a.target = ${target}`,
    fromDay: (day) => sql`a.at >= (${startOf(day)})`,
    toDay: (day) => sql`a.at < (${startOf(day, 1)})`,
  },
  search: ({ text, memberId, rowId }) => sql`
    select id from platform.acts where target = ${text}
    union select id from platform.acts where operator_id = ${memberId}::integer
    union select id from platform.acts where about_member_id = ${memberId}::integer
    union select id from platform.acts where id = ${rowId}::bigint
    union select id from platform.acts where words @@ to_tsquery('simple', ${wordSearchOf(text)})`,
};

const textOrNull = (id: number | null): string | null => (id === null ? null : String(id));

type NamedMember = { id: number; firstName: string; lastName: string | null; email: string };
/** Reads who the members are. The audit trail is of no feature and knows ids alone. */
export type ReadMembers = (ids: readonly number[]) => Promise<readonly NamedMember[]>;

function recordedActOf(row: Row, member: NamedMember | undefined): RecordedActInList {
  const { id, at, actor, operatorId, act, target, memberId, reason, before, after } = row;
  return {
    id: String(id),
    at: at.toISOString(),
    operatorId: textOrNull(operatorId),
    actor: operatorId === null ? actor : 'operator',
    action: act,
    target,
    targetKind: kindOf(row),
    memberId: textOrNull(memberId),
    memberName: member === undefined ? null : fullNameOf(member),
    memberEmail: member?.email ?? null,
    reason,
    before,
    after,
  };
}

/** The operators' list of acts. */
export const auditTrailList = (
  readMembers: ReadMembers,
): OperatorListBinding<typeof readAuditTrail, Row> => ({
  endpoint: readAuditTrail,
  source,
  toReplies: async (rows) => {
    const ids = [...new Set(rows.flatMap(({ memberId }) => (memberId === null ? [] : [memberId])))];
    const members = new Map((await readMembers(ids)).map((member) => [member.id, member]));
    return rows.map((row) => recordedActOf(row, members.get(row.memberId ?? 0)));
  },
});

/** HTTP for operators: the list of acts, and the reasons to give again. */
export function registerAuditTrail(platform: Platform, readMembers: ReadMembers): void {
  handleOperatorList(platform, auditTrailList(readMembers));
  handle(platform, readFormerReasons, ({ query }) => listFormerReasons(platform.database, query.action));
}

const REASONS_MAX = 5;
/** Among so many acts of the kind. Each has the same reason as the one before where many were rejected at once. */
const ACTS_READ = 500;

async function listFormerReasons(reader: Reader, act: Act): Promise<string[]> {
  const rows = await reader.rows<{ reason: string }>(sql`
    select reason
    from (select id, operator_id, reason from platform.acts where act = ${act} order by id desc limit ${ACTS_READ}) a
    where operator_id is not null and reason is not null
    group by reason order by max(id) desc limit ${REASONS_MAX}`);
  return rows.map(({ reason }) => reason);
}

/** Lists the newest acts on a target, newest first. */
export const listActsOn = (reader: Reader, target: { kind: TargetKind; id: string }, limit: number) =>
  reader.rows<Pick<Row, 'at' | 'actor' | 'operatorId' | 'act' | 'reason'>>(sql`
    select at, actor, operator_id as "operatorId", act, reason
    from platform.acts_on(${target.kind}, ${target.id}, ${limit})`);

/** Finds who did an act to a member, the last time. `operatorId` is null if no operator did. */
export const findActor = (reader: Reader, act: Act, memberId: number) =>
  reader.row<Pick<Row, 'operatorId'>>(sql`
    select operator_id as "operatorId" from platform.acts where about_member_id = ${memberId} and act = ${act}
    order by id desc limit 1`);

/** The address of what an act changed. The member's own page shows the line. */
function linkOf(row: Pick<Row, 'act' | 'target' | 'targetKind'>): string | null {
  const kind = kindOf(row);
  const screen = kind === 'member' ? undefined : screenOfTarget(kind, row.target);
  return screen === undefined ? null : `${screen.path}?${new URLSearchParams(screen.search)}`;
}

/** Acts whose own rows are lines of the member's timeline, with the operator and the reason. */
const actsWithLines: readonly Act[] = [
  'member.suspend',
  'member.lift-suspension',
  'member.delete',
  'withdrawal.approve',
  'withdrawal.reject',
];

/** The other acts on a member, and on what is the member's, as lines of the member's timeline. */
export const actLines: TimelineSource = {
  name: 'act',
  part: 'decisions',
  placeForm: NUMBER,
  read: async (reader, memberId, after, limit) => {
    const before = after === null ? null : BigInt(after);
    const acts = await reader.rows<Omit<Row, 'memberId' | 'before' | 'after'>>(sql`
      select id, at, actor, operator_id as "operatorId", act, target, target_kind as "targetKind", reason
      from platform.acts
      where about_member_id = ${memberId} and act <> all(${actsWithLines}::text[])
        and (id < ${before}::bigint or ${before}::bigint is null)
      order by id desc limit ${limit}`);
    return acts.map((row) => ({
      place: String(row.id),
      at: row.at,
      kind: 'act',
      text: `Act: ${row.act}`,
      link: linkOf(row),
      amount: null,
      balanceAfter: null,
      facts: {
        act: row.act,
        reason: row.reason,
        actor: row.operatorId === null ? row.actor : 'operator',
        operatorId: textOrNull(row.operatorId),
      },
    }));
  },
};
