import type { AppealStatus, Decision, DecisionKind, ListedAppeal } from '#contract/decisions.ts';
import { toldRules } from '#contract/decisions-blocks.ts';
import { recordActs } from '#platform/audit-trail.ts';
import { afterBusinessDays } from '#platform/business-days.ts';
import { readClock } from '#platform/clock.ts';
import type { Config } from '#platform/config.ts';
import type { Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import { removeInPieces } from '#platform/retention.ts';
import { readSettings } from '#platform/settings.ts';
import { announceBan, endBanOf } from '../chat/moderation.ts';
import { overturnRejection } from '../earning/overturned.ts';
import { announceBalance } from '../ledger/ledger.ts';
import { lockWithdrawalsOf } from '../members/members.ts';
import { requireNotOwn } from '../members/operators.ts';
import { endSuspensionOf } from '../members/suspensions.ts';
import { addNotice, announceNotices } from '../notices/notices.ts';
import { listedAppealOf } from './appeal-list.ts';
import { idOf, placeOf, subjectOf } from './decision-id.ts';
import * as queries from './queries.ts';

/**
 * Decisions, which a member reads and can appeal against. A decision is a suspension, a ban, or a credit or withdrawal
 * that waits or was rejected, whose row and effects stay with its feature; this feature has the appeals alone.
 *
 * Invariants: a decision has at most one appeal, of its own member. An appeal is answered once, by another operator
 * than who made the decision where there is another one, and never by one whose own account it is about. Overturning
 * undoes the decision in the transaction of the answer: a block ends, the member's role included, and a rejected credit
 * is booked, or waits for a second operator where an approval needs two. The block that a member's own word
 * began has no appeal: it ends after a new password, and an appeal would be a thief's way around it.
 */

const DECISIONS_MAX = 200;
const COUNTED_MAX = 1_000;
/** An appeal is answered within 48 business hours, which are two business days of the site. */
const ANSWERED_WITHIN_BUSINESS_DAYS = 2;

/** What waits is decided anyway. */
const waitingKinds: readonly DecisionKind[] = ['earning_held', 'withdrawal_held'];

type DecisionParts = Pick<Platform, 'database' | 'bus' | 'log' | 'config'>;

/** Reads the member's newest decisions, newest first. */
export async function readDecisions(
  { database, config }: Pick<Platform, 'database' | 'config'>,
  memberId: number,
): Promise<Decision[]> {
  const { addressHold } = (await readSettings(database, config.mode)).switches;
  const asked = { limit: DECISIONS_MAX, holdsDestinations: addressHold };
  return (await queries.readDecisionsOf(database, memberId, asked)).map(decisionOf);
}

const knownPlace = (id: string): queries.DecisionPlace => {
  const place = placeOf(id);
  if (place === null) throw refuse('not-found');
  return place;
};

/**
 * Appeals against a block that is active or a rejected credit. The unique key of appeals decides which of several
 * calls is the one.
 * @throws Refusal `not-found`, `forbidden` for the block of the member's own word and for what waits, `already-exists`,
 *   `already-decided` if the decision or the time for an appeal has ended
 */
export async function appeal(
  platform: DecisionParts,
  memberId: number,
  id: string,
  text: string,
): Promise<Decision> {
  const { database, bus, config } = platform;
  const place = knownPlace(id);
  const decision = await database.transaction(async (tx) => {
    const found = await findOwn(tx, memberId, place);
    if (found.isOwnWord)
      throw refuse('forbidden', 'You began this block yourself. It ends after a new password.');
    if (found.appeal !== null)
      throw refuse('already-exists', 'You have appealed against this decision already.');
    if (waitingKinds.includes(found.kind))
      throw refuse('forbidden', 'This waits, and is decided without an appeal.');
    if (!found.canAppeal) throw refuse('already-decided', 'This decision can’t be appealed any more.');
    const { now } = await readClock(tx);
    const answerBy = afterBusinessDays(now, ANSWERED_WITHIN_BUSINESS_DAYS, config.siteTimezone);
    if ((await queries.insertAppeal(tx, { ...place, memberId, text, answerBy })) === undefined)
      throw refuse('already-exists', 'You have appealed against this decision already.');
    return findOwn(tx, memberId, place);
  });
  bus.announceWaiting(['appeals']);
  return decision;
}

/**
 * Answers an appeal and tells the member. Overturning ends the decision at once, if it has not ended by itself.
 * @throws Refusal `not-found`, `own-request`, `already-decided`
 */
export async function answerAppeal(
  platform: DecisionParts,
  operatorId: number,
  id: string,
  { uphold, reason }: { uphold: boolean; reason: string },
): Promise<ListedAppeal> {
  const place = knownPlace(id);
  const status = uphold ? 'upheld' : 'overturned';
  const { answered, balance } = await platform.database.transaction((tx) =>
    answerIn(tx, { operatorId, mode: platform.config.mode }, place, { status, reason }),
  );
  const memberId = Number(answered.userId);
  platform.bus.announceSessionChange({ memberId });
  announceBalance(platform, memberId, balance);
  if (place.source === 'ban') await announceBan(platform, memberId);
  else await announceNotices(platform, memberId);
  return answered;
}

type Answer = { status: Exclude<AppealStatus, 'open'>; reason: string };

/** Who answers, and the mode of the site, which says from which points on two operators approve. */
type Answerer = { operatorId: number; mode: Config['mode'] };

async function answerIn(
  tx: Tx,
  answerer: Answerer,
  place: queries.DecisionPlace,
  { status, reason }: Answer,
): Promise<{ answered: ListedAppeal; balance: bigint | null }> {
  const { operatorId } = answerer;
  const asked = await queries.findAnswering(tx, place, operatorId);
  if (asked === undefined) throw refuse('not-found');
  const { memberId, isOwnDecision } = asked;
  await requireNotOwn(
    tx,
    operatorId,
    [memberId],
    'This appeal is your own. Another operator must answer it.',
  );
  if (isOwnDecision && (await queries.readHasOther(tx, operatorId)))
    throw refuse('own-request', 'You made this decision. Another operator must answer the appeal.');
  await lockWithdrawalsOf(tx, memberId);
  if ((await queries.setAnswer(tx, { ...place, status, answer: reason, operatorId })) === undefined)
    throw refuse('already-decided', 'This appeal has been answered already.');
  const balance =
    status === 'overturned' ? await undoDecision(tx, answerer, { ...place, memberId }, reason) : null;
  const row = await queries.findAppeal(tx, place);
  if (row === undefined) throw refuse('not-found');
  const target = { kind: 'decision', id: idOf(place), memberId } as const;
  const change = { before: { status: 'open' }, after: { status, isActive: row.isActive } };
  await recordActs(tx, [{ actor: operatorId, act: 'decision.answer-appeal', target, reason, ...change }]);
  const facts = { decision: 'appeal-answered', outcome: status, about: aboutOf(asked.kind), reason } as const;
  await addNotice(tx, memberId, 'decision', facts);
  return { answered: listedAppealOf(row), balance };
}

/** The kind of the decision before it was undone, in a notice. */
function aboutOf(kind: DecisionKind) {
  if (kind === 'earning_held' || kind === 'withdrawal_held' || kind === 'withdrawal_rejected')
    throw new Error(`An appeal is against ${kind}`);
  return kind;
}

/**
 * Ends a block, unless its time has passed or somebody lifted it, or books a rejected credit. The caller holds the
 * wallet's lock.
 * @returns the new balance; null if no points were booked
 */
async function undoDecision(
  tx: Tx,
  { operatorId, mode }: Answerer,
  { source, sourceId, memberId }: queries.DecisionPlace & { memberId: number },
  reason: string,
): Promise<bigint | null> {
  if (source === 'earning')
    return overturnRejection(tx, mode, { heldId: sourceId, actor: operatorId, note: reason });
  if (source === 'ban') await endBanOf(tx, operatorId, sourceId);
  else await endSuspensionOf(tx, operatorId, { id: sourceId, memberId, reason });
  return null;
}

async function findOwn(tx: Tx, memberId: number, place: queries.DecisionPlace): Promise<Decision> {
  const row = await queries.findDecision(tx, memberId, place);
  if (row === undefined) throw refuse('not-found');
  return decisionOf(row);
}

const toldRule = (rule: string | null): Decision['rule'] =>
  rule === null ? null : (toldRules.find((one) => one === rule) ?? 'other');

function decisionOf(row: queries.MemberRow): Decision {
  const made = appealOf(row);
  return {
    id: idOf(row),
    kind: row.kind,
    reason: row.reason,
    rule: toldRule(row.rule),
    subject: subjectOf(row),
    createdAt: row.decidedAt.toISOString(),
    expiresAt: row.expiresAt?.toISOString() ?? null,
    liftedAt: row.liftedAt?.toISOString() ?? null,
    isActive: row.isActive,
    isOwnWord: row.isOwnWord,
    canAppeal: row.isAppealable && made === null,
    appealUntil: row.appealUntil?.toISOString() ?? null,
    appeal: made,
  };
}

function appealOf({ text, status, createdAt, answerBy, ...row }: queries.MemberRow): Decision['appeal'] {
  if (text === null || status === null || createdAt === null || answerBy === null) return null;
  return {
    text,
    status,
    createdAt: createdAt.toISOString(),
    answerBy: answerBy.toISOString(),
    isLate: row.isLate === true,
    answer: row.answer,
    answeredAt: row.answeredAt?.toISOString() ?? null,
  };
}

/** The open appeals as something that waits for an operator, counted up to 1,000. */
export async function readAppealsWait({ database }: Pick<Platform, 'database'>) {
  const { count, oldestAt } = await queries.readOpen(database, COUNTED_MAX);
  return { count: Number(count), points: null, oldestAt };
}

/** Deletes the appeals of an account that this transaction is about to anonymise. */
export const forgetAppeals = async (tx: Tx, memberId: number): Promise<void> => {
  await queries.forget(tx, memberId);
};

/** Deletes appeals that are older than three years. */
export const deleteOldAppeals = (
  { database }: Pick<Platform, 'database'>,
  signal: AbortSignal,
): Promise<void> =>
  removeInPieces(database, signal, (rowsMax) => queries.removeOldAppeals(database, rowsMax));
