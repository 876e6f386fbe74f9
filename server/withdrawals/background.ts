import { fullNameOf } from '#contract/full-name.ts';
import {
  CREDITS_MAX,
  REVERSALS_MAX,
  SHARERS_MAX,
  TICKETS_MAX,
  type WithdrawalBackground,
} from '#contract/withdrawals-background.ts';
import type { Reader } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { readSettings } from '#platform/settings.ts';
import { boundsOf } from './approval-bounds.ts';
import { checksOf } from './background-checks.ts';
import * as queries from './background-queries.ts';
import { stepsOf } from './background-steps.ts';
import { callingCodeOf } from './calling-codes.ts';
import { type Bounds, readFindings, readUsedCaps } from './decision-queries.ts';
import { allFlagsOf } from './flag-queries.ts';
import { findMemberTotals, type MemberTotals } from './member-records-queries.ts';
import { destinationText } from './payment-methods.ts';
import { findPayoutFor } from './payout-list.ts';
import type { OperatorRow } from './queries.ts';
import { readWithdrawalRow } from './withdrawal-list.ts';

/**
 * What an operator reads of a withdrawal before a decision. The verdicts of the checks are the flags of the list, by
 * the same functions; the facts beside them say why. Each part is a bounded number of reads by an index, however long
 * the member's history is. What belongs to other features is passed in by `app.ts`.
 */
export type BackgroundParts = {
  readMember(
    reader: Reader,
    memberId: number,
  ): Promise<{
    memberSince: Date;
    invitedBy: WithdrawalBackground['member']['invitedBy'];
    emailVerifiedAt: Date | null;
    phoneNumber: string | null;
    phoneVerifiedAt: Date | null;
    timezone: string | null;
    balance: bigint;
    earned: bigint;
    completedTasks: number;
    suspensions: (Omit<WithdrawalBackground['member']['suspensions'][number], 'expiresAt'> & {
      expiresAt: Date | null;
    })[];
    formerSuspensionCount: number;
  }>;
  readDevices(
    reader: Reader,
    memberId: number,
    sharersMax: number,
  ): Promise<{
    deviceCount: number;
    sharerCount: number;
    lastSeen: { at: Date; userAgent: string } | null;
    timezone: string | null;
  }>;
  readReversalTotals(
    reader: Reader,
    memberId: number,
  ): Promise<{ reversalCount: bigint; takenPoints: bigint }>;
  listReversalsSince(
    reader: Reader,
    memberId: number,
    moment: Date,
    limit: number,
  ): Promise<
    (Pick<WithdrawalBackground['facts']['lastReversals'][number], 'providerName' | 'reasonClass'> & {
      takenPoints: bigint;
      at: Date;
    })[]
  >;
  readSources(
    reader: Reader,
    memberId: number,
    creditsMax: number,
  ): Promise<{
    creditCount: number;
    since: Date | null;
    isWhole: boolean;
    rows: WithdrawalBackground['sources'];
  }>;
  /** Reads the member's newest tickets, newest first. */
  listTickets(
    reader: Reader,
    memberId: number,
    limit: number,
  ): Promise<
    (Omit<NonNullable<WithdrawalBackground['tickets']['newest']>, 'createdAt'> & { createdAt: Date })[]
  >;
};

const OTHERS_MAX = 100;
const SHOWN_OTHERS_MAX = 5;
const SHOWN_REVERSALS_MAX = 3;

/** @throws Refusal `not-found` */
export async function readBackground(
  { database, config }: Pick<Platform, 'database' | 'config'>,
  operatorId: number,
  id: string,
  parts: BackgroundParts,
): Promise<WithdrawalBackground> {
  const row = await readWithdrawalRow(database, id);
  const bounds = boundsOf(await readSettings(database, config.mode));
  const { memberId } = row;
  const times = await queries.readRequestTimes(database, id);
  const [findings, used, destination, member, devices, taken, reversals, sources, totals, others, tickets] =
    await Promise.all([
      readFindings(database, operatorId, id, bounds),
      readUsedCaps(database, row, bounds),
      queries.readDestinationFacts(database, row, SHARERS_MAX),
      parts.readMember(database, memberId),
      parts.readDevices(database, memberId, SHARERS_MAX),
      parts.readReversalTotals(database, memberId),
      parts.listReversalsSince(database, memberId, times.reversalsSince, REVERSALS_MAX),
      parts.readSources(database, memberId, CREDITS_MAX),
      findMemberTotals(database, memberId),
      queries.listOthers(database, memberId, id, OTHERS_MAX),
      parts.listTickets(database, memberId, TICKETS_MAX),
    ]);
  const reversedPoints = reversals.reduce((sum, one) => sum + one.takenPoints, 0n);
  const hold = bounds.holdsDestinations ? holdOf(times) : null;
  return {
    feePoints: String(row.feePoints),
    member: memberOf(row, { account: member, devices, taken, totals }),
    destination: destinationOf(destination),
    checks:
      row.state === 'pending'
        ? checksOf(allFlagsOf(findings), {
            memberId,
            destination: destinationText(row.method, row.destination),
            balance: member.balance,
            deviceCount: devices.deviceCount,
            destinationSharerCount: Number(destination.sharerCount),
            deviceSharerCount: devices.sharerCount,
            reversedPoints,
            firstUsedAt: destination.firstUsedAt,
            paidAt: destination.paidAt,
            holdUntil: hold?.until ?? null,
            capLeftPoints: leftOf(bounds, used),
          })
        : [],
    facts: {
      destinationSharerCount: Number(destination.sharerCount),
      deviceSharerCount: devices.sharerCount,
      reversalCount: reversals.length,
      reversedPoints: String(reversedPoints),
      lastReversals: reversals.slice(0, SHOWN_REVERSALS_MAX).map(({ takenPoints, at, ...reversal }) => ({
        ...reversal,
        points: String(takenPoints),
        at: at.toISOString(),
      })),
      hold: hold && { ...hold, until: hold.until.toISOString() },
      ...capsOf(bounds, used),
    },
    sources: sources.rows,
    credits: creditsOf(sources),
    former: formerOf(totals, others),
    history: others.slice(0, SHOWN_OTHERS_MAX).map(historyRowOf),
    tickets: ticketsOf(tickets),
    steps: await stepsOf(database, row, times),
    payout: row.state === 'pending' ? null : await findPayoutFor(database, operatorId, id),
  };
}

const creditsOf = ({ creditCount, since, isWhole }: Awaited<ReturnType<BackgroundParts['readSources']>>) => ({
  count: creditCount,
  since: since?.toISOString() ?? null,
  areAll: isWhole,
});

/** Until when a request is held, and why. */
const holdOf = ({ holdUntil, holdReason }: queries.RequestTimes) =>
  holdUntil === null || holdReason === null ? null : { until: holdUntil, reason: holdReason };

type MemberFacts = Awaited<ReturnType<BackgroundParts['readMember']>>;
type DeviceFacts = Awaited<ReturnType<BackgroundParts['readDevices']>>;
type TakenFacts = Awaited<ReturnType<BackgroundParts['readReversalTotals']>>;

type KnownOfMember = {
  account: MemberFacts;
  devices: DeviceFacts;
  taken: TakenFacts;
  totals: MemberTotals | undefined;
};

function memberOf(
  row: OperatorRow,
  { account: member, devices, taken, totals }: KnownOfMember,
): WithdrawalBackground['member'] {
  const { phoneNumber, phoneVerifiedAt } = member;
  const { lastSeen } = devices;
  return {
    id: String(row.memberId),
    name: fullNameOf(row),
    email: row.email,
    createdAt: member.memberSince.toISOString(),
    balance: String(member.balance),
    debt: String(member.balance < 0n ? -member.balance : 0n),
    emailVerified: member.emailVerifiedAt !== null,
    phoneVerified: phoneVerifiedAt !== null,
    paidTotal: String(totals?.paidPoints ?? 0n),
    invitedBy: member.invitedBy,
    emailVerifiedAt: member.emailVerifiedAt?.toISOString() ?? null,
    phone:
      phoneNumber === null || phoneVerifiedAt === null
        ? null
        : {
            callingCode: callingCodeOf(phoneNumber),
            lastDigits: phoneNumber.slice(-4),
            verifiedAt: phoneVerifiedAt.toISOString(),
          },
    // A browser that hides its zone reports an empty one.
    timezone: member.timezone || devices.timezone || null,
    lastSeen: lastSeen && { at: lastSeen.at.toISOString(), userAgent: lastSeen.userAgent },
    deviceCount: devices.deviceCount,
    earned: String(member.earned),
    completedTasks: member.completedTasks,
    takenBack: String(taken.takenPoints),
    takenBackCount: Number(taken.reversalCount),
    suspensions: member.suspensions.map(({ suspensionType, severity, reason, expiresAt }) => ({
      suspensionType,
      severity,
      reason,
      expiresAt: expiresAt?.toISOString() ?? null,
    })),
    formerSuspensionCount: member.formerSuspensionCount,
  };
}

function destinationOf(facts: queries.DestinationFacts): WithdrawalBackground['destination'] {
  const { firstUsedAt, paidAt, formerMethod, formerDestination, formerPaidAt } = facts;
  return {
    firstUsedAt: firstUsedAt?.toISOString() ?? null,
    paidAt: paidAt?.toISOString() ?? null,
    former:
      formerMethod === null || formerDestination === null || formerPaidAt === null
        ? null
        : {
            method: formerMethod,
            destination: destinationText(formerMethod, formerDestination),
            paidAt: formerPaidAt.toISOString(),
          },
  };
}

type UsedCaps = Awaited<ReturnType<typeof readUsedCaps>>;

/** What the tighter cap still lets through today; null without a cap. */
function leftOf({ memberDayPoints, methodDayPoints }: Bounds, used: UsedCaps): bigint | null {
  const left = [
    ...(memberDayPoints === null ? [] : [memberDayPoints - (used.memberDay ?? 0n)]),
    ...(methodDayPoints === null ? [] : [methodDayPoints - (used.methodDay ?? 0n)]),
  ];
  const least = left.reduce<bigint | null>((one, other) => (one === null || other < one ? other : one), null);
  return least !== null && least < 0n ? 0n : least;
}

/** What is used of each cap; null where there is none. */
function capsOf(bounds: Bounds, used: UsedCaps) {
  const capOf = (points: bigint | null, usedPoints: bigint | null) =>
    points === null ? null : { points: String(points), usedPoints: String(usedPoints ?? 0n) };
  return {
    memberDay: capOf(bounds.memberDayPoints, used.memberDay),
    methodDay: capOf(bounds.methodDayPoints, used.methodDay),
  };
}

function formerOf(
  totals: MemberTotals | undefined,
  others: readonly queries.FormerWithdrawal[],
): WithdrawalBackground['former'] {
  const countOf = (code: string) => others.filter(({ rejectionCode }) => rejectionCode === code).length;
  return {
    paidCount: Number(totals?.paidCount ?? 0n),
    paidPoints: String(totals?.paidPoints ?? 0n),
    count: others.length,
    rejectedCount: countOf('operator'),
    cancelledCount: countOf('cancelled'),
    failedCount: countOf('failed'),
  };
}

const historyRowOf = (other: queries.FormerWithdrawal): WithdrawalBackground['history'][number] => ({
  id: other.id,
  method: other.method,
  amount: String(other.amountPoints),
  status: other.state,
  payoutState: other.payoutState ?? 'none',
  rejectionCode: other.rejectionCode,
  createdAt: other.createdAt.toISOString(),
  processedAt: other.decidedAt?.toISOString() ?? null,
});

function ticketsOf(
  tickets: Awaited<ReturnType<BackgroundParts['listTickets']>>,
): WithdrawalBackground['tickets'] {
  const [newest] = tickets;
  return {
    count: tickets.length,
    newest: newest === undefined ? null : { ...newest, createdAt: newest.createdAt.toISOString() },
  };
}
