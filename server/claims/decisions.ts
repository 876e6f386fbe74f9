import {
  CLAIM_ANSWER_DAYS,
  CLAIM_DECISION_DAYS,
  type changeClaim as changeEndpoint,
  type OperatorClaim,
  type readClaim as readEndpoint,
} from '#contract/claims.ts';
import type { BodyOf, ReplyOf } from '#contract/endpoint.ts';
import { fullNameOf } from '#contract/full-name.ts';
import { recordActs } from '#platform/audit-trail.ts';
import type { Reader, Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { type Refusal, refuse } from '#platform/refusal.ts';
import { readSettings } from '#platform/settings.ts';
import { readProviderFacts } from '../earning/earning.ts';
import { announceGrant } from '../grants/grants.ts';
import { findMailReader, requireNotOwn } from '../members/members.ts';
import { addNotice, announceNotices } from '../notices/notices.ts';
import { announceClaim, claimOf } from './claim-view.ts';
import * as queries from './queries.ts';

/**
 * What operators do about claims: they say that the provider was asked, book the points, or refuse with a reason. Only
 * the first decision has an effect, and nobody decides about their own claim. Each leaves its act and the member's
 * notice in its transaction; a booking's notice is that of the grant.
 */

/** A claim in the operators' shape. */
export const operatorClaimOf = (row: queries.OperatorRow): OperatorClaim => ({
  ...claimOf(row),
  userId: String(row.memberId),
  userEmail: row.email,
  userName: fullNameOf(row),
  userFirstName: row.firstName,
  userLastName: row.lastName,
  adminEmail: row.operatorEmail,
  firstApprovedBy: row.firstBy === null ? null : String(row.firstBy),
  firstApprovedAmount: row.firstBy === null ? null : (row.firstPoints?.toString() ?? null),
});

async function findRow(reader: Reader, id: bigint): Promise<queries.OperatorRow> {
  const row = await queries.findClaim(reader, id);
  if (row === undefined) throw refuse('not-found');
  return row;
}

/** Reads a claim, and what became of its opening by now. @throws Refusal `not-found` */
export async function readClaim(
  { database }: Pick<Platform, 'database'>,
  id: bigint,
): Promise<ReplyOf<typeof readEndpoint>> {
  const row = await findRow(database, id);
  const { state, reviewNote, credits, bookedClaims, userAgent, address } = await queries.readOutcome(
    database,
    row,
  );
  return {
    ...operatorClaimOf(row),
    openingState: state,
    reviewNote,
    creditsSince: credits,
    claimsBookedSince: bookedClaims,
    openedFrom: userAgent === null || address === null ? null : { userAgent, address },
  };
}

type Change = BodyOf<typeof changeEndpoint>;

/**
 * Changes a claim, and announces it to its member.
 * @throws Refusal `not-found`, `already-decided`, `own-request`; for a booking also `unknown-member` after the account
 *   was deleted, `credit-not-missing`, `outcome-changed` if the operator did not see all that came since the opening,
 *   and `second-operator-needed` (with `isRecorded`, if this approval is the first)
 */
export async function changeClaim(
  platform: Platform,
  operatorId: number,
  id: bigint,
  change: Change,
): Promise<OperatorClaim> {
  if (change.state === 'booked') return bookClaim(platform, operatorId, id, change);
  const row = await platform.database.transaction(async (tx) => {
    const isAsked = change.state === 'asked';
    const changed = isAsked
      ? await queries.setAsked(tx, { id, operatorId, ...DAYS })
      : await queries.setRefused(tx, { id, operatorId, reason: change.reason });
    if (changed === undefined) throw await refusalOf(tx, operatorId, id);
    const { memberId, provider, answerBy } = changed;
    await recordActs(tx, [
      {
        actor: operatorId,
        act: isAsked ? 'claim.ask' : 'claim.refuse',
        target: { kind: 'claim', id: String(id), memberId },
        reason: isAsked ? null : change.reason,
        after: isAsked ? { state: 'asked', answerBy: answerBy?.toISOString() } : { state: 'refused' },
      },
    ]);
    if (!isAsked)
      await addNotice(tx, memberId, 'ticket', { change: 'claim-refused', provider, reason: change.reason });
    else if (answerBy !== null)
      await addNotice(tx, memberId, 'ticket', {
        change: 'claim-asked',
        provider,
        answerBy: answerBy.toISOString(),
      });
    return findRow(tx, id);
  });
  announceClaim(platform, row.memberId, id);
  await announceNotices(platform, row.memberId);
  return operatorClaimOf(row);
}

const DAYS = { answerDays: CLAIM_ANSWER_DAYS, decisionDays: CLAIM_DECISION_DAYS };

/** Why a claim could not be changed. */
async function refusalOf(tx: Tx, operatorId: number, id: bigint): Promise<Refusal> {
  await requireNotOwn(tx, operatorId, [(await findRow(tx, id)).memberId]);
  return refuse('already-decided');
}

/** What the history says of the points, in the member's language. */
const reasons = {
  en: (provider: string) => `Missing credit: ${provider}`,
  ko: (provider: string) => `적립 누락 보상: ${provider}`,
};

async function bookClaim(
  platform: Platform,
  operatorId: number,
  id: bigint,
  { amount, seenCredits }: Extract<Change, { state: 'booked' }>,
): Promise<OperatorClaim> {
  const amountPoints = BigInt(amount);
  const { database, config } = platform;
  const { memberId: ownerId, provider } = await findRow(database, id);
  const reader = await findMailReader(database, ownerId);
  const { name } = await readProviderFacts(platform, provider);
  const outcome = await database.transaction(async (tx) => {
    const { secondPersonFrom } = (await readSettings(tx, config.mode)).caps;
    const booked = await queries.book(tx, {
      id,
      amountPoints,
      reason: reasons[reader?.language ?? 'en'](name),
      operatorId,
      secondPersonPoints: secondPersonFrom === null ? null : BigInt(secondPersonFrom),
      seenCount: seenCredits ?? 0,
    });
    const { status, state, memberId, balance } = booked;
    if (memberId !== null && (status === 'booked' || status === 'first_approval'))
      await recordActs(tx, [
        {
          actor: operatorId,
          act: status === 'booked' ? 'claim.book' : 'claim.book-first',
          target: { kind: 'claim', id: String(id), memberId },
          before: { state },
          after: {
            amountPoints,
            ...(status === 'booked' ? { state: 'booked', balancePoints: balance } : {}),
          },
        },
      ]);
    return { ...booked, row: await findRow(tx, id) };
  });
  const { status, balance, row } = outcome;
  if (status !== 'booked') throw refusalOfBooking(status, row.state);
  announceClaim(platform, row.memberId, id);
  await announceGrant(platform, row.memberId, balance);
  return operatorClaimOf(row);
}

function refusalOfBooking(
  status: Exclude<queries.Booked['status'], 'booked'>,
  state: queries.OperatorRow['state'],
): Refusal {
  if (status === 'not_found') return refuse('not-found');
  if (status === 'decided')
    return refuse('already-decided', `This claim was ${state === 'booked' ? 'booked' : 'refused'} already.`);
  if (status === 'own_request') return refuse('own-request');
  if (status === 'closed') return refuse('unknown-member', 'The account of this member is closed.');
  if (status === 'credited') return refuse('credit-not-missing');
  if (status === 'unseen') return refuse('outcome-changed');
  return refuse('second-operator-needed', undefined, { isRecorded: status === 'first_approval' });
}
