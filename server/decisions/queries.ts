import type { AppealStatus, DecisionKind, DecisionSource, ListedDecision } from '#contract/decisions.ts';
import { type Reader, sql, type Tx } from '#platform/database.ts';

/** SQL of decisions and appeals. `decisions.made` has the decisions of all features. */

/** A decision's place: its feature's table, and the row there. */
export type DecisionPlace = { source: DecisionSource; sourceId: bigint };

export type DecisionRow = DecisionPlace & {
  memberId: number;
  kind: DecisionKind;
  reason: string;
  rule: string | null;
  points: bigint | null;
  subject: string | null;
  place: string | null;
  decidedAt: Date;
  expiresAt: Date | null;
  liftedAt: Date | null;
  isActive: boolean;
  isOwnWord: boolean;
  isAppealable: boolean;
  appealUntil: Date | null;
};

type Nullable<Row> = { [Name in keyof Row]: Row[Name] | null };

export type AppealRow = {
  text: string;
  status: AppealStatus;
  createdAt: Date;
  answerBy: Date;
  isLate: boolean;
  answer: string | null;
  answeredAt: Date | null;
};

/** A rejection is done, so it is not active. */
const isActive = sql`(members.is_in_force(d.lifted_at, d.expires_at)
  and d.kind not in ('earning_rejected', 'withdrawal_rejected', 'registration_refused'))`;
const decisionColumns = sql`d.source, d.source_id as "sourceId", d.member_id as "memberId", d.kind, d.reason,
  d.rule, d.points, d.subject, d.place,
  d.created_at as "decidedAt", d.expires_at as "expiresAt", d.lifted_at as "liftedAt",
  ${isActive} as "isActive", d.is_own_word as "isOwnWord",
  coalesce(d.appeal_until > platform.business_now(), false) as "isAppealable",
  case when d.kind = 'earning_rejected' then d.appeal_until end as "appealUntil"`;
const appealColumns = sql`a.text, a.status, a.created_at as "createdAt", a.answer_by as "answerBy",
  a.status = 'open' and a.answer_by < platform.business_now() as "isLate", a.answer, a.answered_at as "answeredAt"`;
const appealsOf = sql`decisions.made d
  left join decisions.appeals a on a.source = d.source and a.source_id = d.source_id`;

export type MemberRow = DecisionRow & Nullable<AppealRow>;

/** Holds that ended without an appeal are in the history. The switch of the site says whether withdrawals wait. */
const isShown = (holdsDestinations: boolean) => sql`(
  d.kind not in ('earning_held', 'withdrawal_held') or a.id is not null
  or ${isActive} and (d.kind = 'earning_held' or ${holdsDestinations}::boolean))`;

/** Reads up to `limit` of a member's decisions: active blocks, what can be appealed, then the others, newest first. */
export const readDecisionsOf = (
  reader: Reader,
  memberId: number,
  { limit, holdsDestinations }: { limit: number; holdsDestinations: boolean },
) =>
  reader.rows<MemberRow>(sql`
    select ${decisionColumns}, ${appealColumns} from ${appealsOf}
    where d.member_id = ${memberId} and ${isShown(holdsDestinations)}
    order by d.source in ('suspension', 'ban') and ${isActive} desc,
      coalesce(d.appeal_until > platform.business_now(), false) and a.id is null desc,
      d.created_at desc, d.source, d.source_id desc
    limit ${limit}`);

/** A member's own decision. */
export const findDecision = (reader: Reader, memberId: number, { source, sourceId }: DecisionPlace) =>
  reader.row<MemberRow>(sql`
    select ${decisionColumns}, ${appealColumns} from ${appealsOf}
    where d.source = ${source} and d.source_id = ${sourceId} and d.member_id = ${memberId}`);

type NewAppeal = DecisionPlace & { memberId: number; text: string; answerBy: Date };

/** Adds an appeal, unless the decision has one; undefined then. */
export const insertAppeal = (tx: Tx, { source, sourceId, memberId, text, answerBy }: NewAppeal) =>
  tx.row<{ id: bigint }>(sql`
    insert into decisions.appeals (source, source_id, member_id, text, created_at, answer_by)
    values (${source}, ${sourceId}, ${memberId}, ${text}, platform.business_now(), ${answerBy})
    on conflict (source, source_id) do nothing
    returning id`);

/** What decides who may answer an appeal. */
export const findAnswering = (tx: Tx, { source, sourceId }: DecisionPlace, operatorId: number) =>
  tx.row<{ memberId: number; kind: DecisionKind; isOwnDecision: boolean }>(sql`
    select a.member_id as "memberId", d.kind,
      a.status = 'open' and coalesce(members.is_own(${operatorId}, d.created_by), false) as "isOwnDecision"
    from decisions.appeals a join decisions.made d on d.source = a.source and d.source_id = a.source_id
    where a.source = ${source} and a.source_id = ${sourceId}`);

/** Whether there is an operator beside this one who can decide now. */
export const readHasOther = async (tx: Tx, operatorId: number): Promise<boolean> =>
  (
    await tx.one<{ hasOther: boolean }>(sql`
      select exists (
        select from members.profiles o
        where o.role = 'admin' and not members.is_own(${operatorId}, o.id)
          and members.is_operator_since(o.id, platform.business_now())) as "hasOther"`)
  ).hasOther;

type Answer = DecisionPlace & { status: 'upheld' | 'overturned'; answer: string; operatorId: number };

/** Answers an open appeal; undefined if it was answered before. */
export const setAnswer = (tx: Tx, { source, sourceId, status, answer, operatorId }: Answer) =>
  tx.row<{ id: bigint }>(sql`
    update decisions.appeals set status = ${status}, answer = ${answer}, answered_at = platform.business_now(),
      answered_by = ${operatorId}
    where source = ${source} and source_id = ${sourceId} and status = 'open'
    returning id`);

export type ListedRow = DecisionRow &
  AppealRow & {
    firstName: string;
    lastName: string | null;
    email: string;
    decidedByEmail: string | null;
    answeredByEmail: string | null;
  };

export const listedColumns = sql`${decisionColumns}, ${appealColumns}, m.first_name as "firstName",
  m.last_name as "lastName", m.email, o.email as "decidedByEmail", w.email as "answeredByEmail"`;
export const listedJoins = sql`
  join decisions.made d on d.source = a.source and d.source_id = a.source_id
  join members.profiles m on m.id = a.member_id
  left join members.profiles o on o.id = d.created_by
  left join members.profiles w on w.id = a.answered_by`;

export const findAppeal = (reader: Reader, { source, sourceId }: DecisionPlace) =>
  reader.row<ListedRow>(sql`
    select ${listedColumns} from decisions.appeals a ${listedJoins}
    where a.source = ${source} and a.source_id = ${sourceId}`);

/** Where an appeal stands in the order of answers. The index has the same text. */
export const duePlace = sql`case when a.status = 'open' then a.answer_by else timestamptz '9999-01-01 00:00:00Z' end`;

/** Counts the open appeals, at most `countMax`, with the time of the oldest. */
export const readOpen = (reader: Reader, countMax: number) =>
  reader.one<{ count: bigint; oldestAt: Date | null }>(sql`
    select count(*) as count, min(created_at) as "oldestAt" from (
      select created_at from decisions.appeals where status = 'open'
      order by answer_by, id limit ${countMax}) as counted`);

export type ExportedAppeal = AppealRow & DecisionPlace & { id: bigint };

/** Reads a member's appeals with ids above `afterId`, oldest first. */
export const readAppealsAfter = (reader: Reader, memberId: number, afterId: bigint, limit: number) =>
  reader.rows<ExportedAppeal>(sql`
    select a.id, a.source, a.source_id as "sourceId", ${appealColumns} from decisions.appeals a
    where a.member_id = ${memberId} and a.id > ${afterId} order by a.id limit ${limit}`);

/** Deletes the oldest appeals that are too old. Returns how many, at most `rowsMax`. */
export const removeOldAppeals = async (reader: Reader, rowsMax: number): Promise<bigint> =>
  (await reader.one<{ removed: bigint }>(sql`select decisions.remove_old(${rowsMax}) as removed`)).removed;

export const forget = (tx: Tx, memberId: number) => tx.rows(sql`select decisions.forget(${memberId})`);

export type MadeRow = Omit<DecisionRow, 'memberId' | 'kind'> & {
  memberId: number | null;
  kind: ListedDecision['kind'];
  firstName: string | null;
  lastName: string | null;
  about: string | null;
  decidedByEmail: string | null;
};

export const madeColumns = sql`${decisionColumns}, coalesce(d.about, m.email) as about, m.first_name as "firstName",
  m.last_name as "lastName", o.email as "decidedByEmail"`;
export const madeJoins = sql`
  left join members.profiles m on m.id = d.member_id
  left join members.profiles o on o.id = d.created_by`;
