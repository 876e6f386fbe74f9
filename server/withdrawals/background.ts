import { lookFlag, type WithdrawalFlag } from '#contract/withdrawals.ts';
import {
  type Check,
  CREDITS_MAX,
  checks,
  REVERSALS_MAX,
  SHARERS_MAX,
  type WithdrawalBackground,
} from '#contract/withdrawals-background.ts';
import type { Reader } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { readSettings } from '#platform/settings.ts';
import { boundsOf } from './approval-bounds.ts';
import * as queries from './background-queries.ts';
import { stepsOf } from './background-steps.ts';
import { callingCodeOf } from './calling-codes.ts';
import { type Bounds, readFindings, readUsedCaps } from './decision-queries.ts';
import { allFlagsOf } from './flag-queries.ts';
import { findMemberTotals } from './member-records-queries.ts';
import { destinationText } from './payment-methods.ts';
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
    invitedBy: WithdrawalBackground['person']['invitedBy'];
    emailVerifiedAt: Date | null;
    phoneNumber: string | null;
    phoneVerifiedAt: Date | null;
    timezone: string | null;
    balance: bigint;
    earned: bigint;
    completedTasks: number;
    suspensions: (Omit<WithdrawalBackground['person']['suspensions'][number], 'expiresAt'> & {
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
  ): Promise<Omit<WithdrawalBackground['sources'], 'since'> & { since: Date | null }>;
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
  const [findings, used, destination, member, devices, taken, reversals, sources, former, steps] =
    await Promise.all([
      readFindings(database, operatorId, id, bounds),
      readUsedCaps(database, row, bounds),
      queries.readDestinationFacts(database, row, SHARERS_MAX),
      parts.readMember(database, memberId),
      parts.readDevices(database, memberId, SHARERS_MAX),
      parts.readReversalTotals(database, memberId),
      parts.listReversalsSince(database, memberId, times.reversalsSince, REVERSALS_MAX),
      parts.readSources(database, memberId, CREDITS_MAX),
      readFormer(database, row),
      stepsOf(database, row, times),
    ]);
  return {
    feePoints: String(row.feePoints),
    person: personOf(member, devices, taken),
    destination: destinationOf(destination),
    checks: row.state === 'pending' ? checksOf(allFlagsOf(findings)) : [],
    facts: {
      destinationSharerCount: Number(destination.sharerCount),
      deviceSharerCount: devices.sharerCount,
      reversalCount: reversals.length,
      reversedPoints: String(reversals.reduce((sum, one) => sum + one.takenPoints, 0n)),
      lastReversals: reversals.slice(0, SHOWN_REVERSALS_MAX).map(({ takenPoints, at, ...reversal }) => ({
        ...reversal,
        points: String(takenPoints),
        at: at.toISOString(),
      })),
      hold:
        times.holdUntil === null || times.holdReason === null || !bounds.holdsDestinations
          ? null
          : { until: times.holdUntil.toISOString(), reason: times.holdReason },
      ...capsOf(bounds, used),
    },
    sources: { ...sources, since: sources.since?.toISOString() ?? null },
    former,
    steps,
  };
}

const waiting: readonly WithdrawalFlag[] = ['on-hold', 'first-approved', 'two-people'];
const isLook = (flag: WithdrawalFlag) => lookFlag.options.some((look) => look === flag);
type Verdict = WithdrawalBackground['checks'][number]['verdict'];
const verdictOf = (flag: WithdrawalFlag): Verdict =>
  isLook(flag) ? 'look' : waiting.includes(flag) ? 'waits' : 'blocked';
const verdicts: readonly Verdict[] = ['blocked', 'waits', 'look', 'passed'];

/** The checks by the flags of a request, failed ones first. */
export function checksOf(flags: readonly WithdrawalFlag[]): WithdrawalBackground['checks'] {
  const made = (Object.keys(checks) as Check[]).map((check) => {
    const flag = flags.find((one) => (checks[check] as readonly WithdrawalFlag[]).includes(one)) ?? null;
    return { check, verdict: flag === null ? 'passed' : verdictOf(flag), flag } as const;
  });
  return verdicts.flatMap((verdict) => made.filter((one) => one.verdict === verdict));
}

type MemberFacts = Awaited<ReturnType<BackgroundParts['readMember']>>;
type DeviceFacts = Awaited<ReturnType<BackgroundParts['readDevices']>>;
type TakenFacts = Awaited<ReturnType<BackgroundParts['readReversalTotals']>>;

function personOf(
  member: MemberFacts,
  devices: DeviceFacts,
  taken: TakenFacts,
): WithdrawalBackground['person'] {
  const { phoneNumber, phoneVerifiedAt } = member;
  const { lastSeen } = devices;
  return {
    memberSince: member.memberSince.toISOString(),
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
    timezone: member.timezone ?? devices.timezone,
    lastSeen: lastSeen && { at: lastSeen.at.toISOString(), userAgent: lastSeen.userAgent },
    deviceCount: devices.deviceCount,
    balance: String(member.balance),
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

/** What is used of each cap; null where there is none. */
function capsOf(bounds: Bounds, used: Awaited<ReturnType<typeof readUsedCaps>>) {
  const capOf = (points: bigint | null, usedPoints: bigint | null) =>
    points === null ? null : { points: String(points), usedPoints: String(usedPoints ?? 0n) };
  return {
    memberDay: capOf(bounds.memberDayPoints, used.memberDay),
    methodDay: capOf(bounds.methodDayPoints, used.methodDay),
  };
}

async function readFormer(
  reader: Reader,
  { memberId, id }: Pick<OperatorRow, 'memberId' | 'id'>,
): Promise<WithdrawalBackground['former']> {
  const [totals, others] = await Promise.all([
    findMemberTotals(reader, memberId),
    queries.listOthers(reader, memberId, id, OTHERS_MAX),
  ]);
  const countOf = (code: string) => others.filter(({ rejectionCode }) => rejectionCode === code).length;
  return {
    paidCount: Number(totals?.paidCount ?? 0n),
    paidPoints: String(totals?.paidPoints ?? 0n),
    count: others.length,
    rejectedCount: countOf('operator'),
    cancelledCount: countOf('cancelled'),
    failedCount: countOf('failed'),
    rows: others.slice(0, SHOWN_OTHERS_MAX).map((other) => ({
      id: other.id,
      method: other.method,
      amount: String(other.amountPoints),
      status: other.state,
      payoutState: other.payoutState ?? 'none',
      rejectionCode: other.rejectionCode,
      createdAt: other.createdAt.toISOString(),
    })),
  };
}
