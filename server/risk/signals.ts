import { HIGH_RISK_SCORE } from '#contract/risk-sessions.ts';
import type { Detection, FraudStats } from '#contract/risk-signals.ts';
import type { RiskRule, RuleMode } from '#contract/rule-modes.ts';
import { recordActs } from '#platform/audit-trail.ts';
import type { Reader, Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import { removeInPieces } from '#platform/retention.ts';
import { withChained } from './chained-groups.ts';
import { detectionOf } from './detection-list.ts';
import { type CountProviderCredits, readProviderHours } from './provider-hours.ts';
import { confidenceOf } from './rules/linked-members.ts';
import { rules } from './rules/registry.ts';
import type { Finding, Group, Invitations, Pace, SurveyPace } from './rules/rule.ts';
import { type ScoreSources, scoreSessions } from './session-scores.ts';
import * as queries from './signal-queries.ts';

/**
 * What rules find in facts that the site stores anyway: suspicious activities, and accounts that may be one person's.
 *
 * Invariants: a rule suspends nobody; operators decide. A thing is recorded once, and again only when it grew. What a
 * rule in shadow finds is marked, counts nowhere and makes no detection. Two kinds of evidence that are independent
 * make a detection sure, one never does. While a sure one is open, the provider credits of its members wait for an
 * operator (`risk.review_of`). No rule runs in a call.
 */

type SharedThing = { identifier: string; memberIds: readonly number[] };
type ListShared<Thing> = (
  reader: Reader,
  memberIds: readonly number[],
  membersMax: number,
) => Promise<Thing[]>;

export type SharedThings = {
  listSharedDestinations: ListShared<SharedThing>;
  listSharedDevices: ListShared<SharedThing & { address: string }>;
};

/** What other features know of members and providers. */
export type SignalSources = SharedThings & {
  listEarningPaces: (reader: Reader, memberIds: readonly number[]) => Promise<Pace[]>;
  listSurveyPaces: (reader: Reader, memberIds: readonly number[]) => Promise<SurveyPace[]>;
  listInvitations: (reader: Reader, memberIds: readonly number[]) => Promise<Invitations[]>;
  countProviderCredits: CountProviderCredits;
};

/** A turn looks at so many members. All are looked at one after the other, again and again. */
const MEMBERS_PER_TURN = 2_000;
/** A group is as large as this at most, and says so no more than that. */
const GROUP_MEMBERS_MAX = 50;
const HOUR_LENGTH = 'yyyy-mm-ddThh'.length;

/** Looks for abuse among the next members after `after`. Returns the last one, or null after all. */
export async function lookForAbuse(
  { database, settings }: Pick<Platform, 'database'> & { settings: Pick<Platform['settings'], 'read'> },
  sources: SignalSources,
  { after, now }: { after: number; now: Date },
): Promise<number | null> {
  const members = await queries.listMembersAfter(database, after, MEMBERS_PER_TURN);
  const ids = members.map(({ id }) => id);
  if (ids.length === 0) return null;
  const [own, paces, surveyPaces, invitations, providerHours] = await Promise.all([
    readGroups(database, sources, ids),
    sources.listEarningPaces(database, ids),
    sources.listSurveyPaces(database, ids),
    sources.listInvitations(database, ids),
    readProviderHours({ database }, sources.countProviderCredits, now),
  ]);
  const groups = await withChained(own, ids, {
    membersMax: GROUP_MEMBERS_MAX,
    readGroups: (next) => readGroups(database, sources, next),
    listReferrers: (next) => queries.listReferrers(database, next),
  });
  const known = await queries.listReferrers(database, [
    ...new Set(groups.flatMap(({ memberIds }) => memberIds)),
  ]);
  const signals = {
    groups: withoutDeleted(groups, new Set(known.map(({ id }) => id))),
    referrers: new Map(
      known.flatMap(({ id, referrerId }) => (referrerId === null ? [] : [[id, referrerId]])),
    ),
    paces,
    surveyPaces,
    invitations,
    providerHours,
    hour: now.toISOString().slice(0, HOUR_LENGTH),
  };
  const { riskRules: modes } = await settings.read();
  for (const { name, version, find } of rules) {
    const mode = modes[name];
    if (mode === 'off') continue;
    for (const finding of find(signals)) await record(database, { name, version, mode }, finding);
  }
  return ids.length < MEMBERS_PER_TURN ? null : (ids.at(-1) ?? null);
}

/** What these members share with others. */
export async function readGroups(
  reader: Reader,
  { listSharedDestinations, listSharedDevices }: SharedThings,
  ids: readonly number[],
): Promise<Group[]> {
  const [destinations, devices, mailboxes] = await Promise.all([
    listSharedDestinations(reader, ids, GROUP_MEMBERS_MAX),
    listSharedDevices(reader, ids, GROUP_MEMBERS_MAX),
    queries.listSharedMailboxes(reader, ids, GROUP_MEMBERS_MAX),
  ]);
  return [
    ...destinations.map((one) => ({ ...one, address: null, kind: 'payout-address' as const })),
    ...devices.map((one) => ({ ...one, kind: 'device' as const })),
    ...mailboxes.map((one) => ({ ...one, address: null, kind: 'mailbox' as const })),
  ];
}

const withoutDeleted = (groups: readonly Group[], known: ReadonlySet<number>): Group[] =>
  groups.map((group) => ({ ...group, memberIds: group.memberIds.filter((id) => known.has(id)) }));

const record = (
  database: Platform['database'],
  { name, version, mode }: { name: RiskRule; version: number; mode: Exclude<RuleMode, 'off'> },
  finding: Finding,
): Promise<void> =>
  database.transaction(async (tx) => {
    const row = {
      confidence: confidenceOf(finding.kinds),
      ...finding,
      rule: name,
      ruleVersion: version,
      isShadow: mode === 'shadow',
    };
    const isNew = (await queries.recordActivity(tx, row)) !== undefined;
    if (isNew && mode === 'on' && finding.score !== null) await queries.recordDetection(tx, row);
  });

/**
 * Confirms or dismisses a detection, once. Nobody is suspended by it. Sessions get their new scores at once.
 * @throws Refusal `not-found`, `already-decided`
 */
export async function decideDetection(
  platform: Pick<Platform, 'database' | 'networks'>,
  sources: ScoreSources,
  { operatorId, id, status }: { operatorId: number; id: bigint; status: 'confirmed' | 'dismissed' },
): Promise<Detection> {
  const decided = await decide(platform, operatorId, id, status);
  await scoreSessions(platform, sources, [decided.primaryUserId, ...decided.relatedUserIds].map(Number));
  return decided;
}

const decide = (
  { database }: Pick<Platform, 'database'>,
  operatorId: number,
  id: bigint,
  status: 'confirmed' | 'dismissed',
): Promise<Detection> =>
  database.transaction(async (tx) => {
    const decided = await queries.decideDetection(tx, id, status, operatorId);
    const row = await queries.findDetection(tx, id);
    if (row === undefined) throw refuse('not-found');
    if (decided === undefined) throw refuse('already-decided', 'This detection was decided already.');
    const target = { kind: 'detection', id: String(id) } as const;
    const before = { status: 'open' };
    await recordActs(tx, [
      { actor: operatorId, act: 'risk.decide-detection', target, before, after: { status } },
    ]);
    return detectionOf(row);
  });

type CountOf = (reader: Reader, memberIds: readonly number[], limit: number) => Promise<number>;

const HELD_CREDITS_MAX = 1_000;

/**
 * Counts the credits of a detection's members that wait because of one. They stay held when it is decided.
 * @throws Refusal `not-found`
 */
export async function readDetectionHolds(
  { database }: Pick<Platform, 'database'>,
  countHeldByDetection: CountOf,
  id: bigint,
): Promise<{ count: number }> {
  const row = await queries.findDetection(database, id);
  if (row === undefined) throw refuse('not-found');
  const count = await countHeldByDetection(database, [row.primaryId, ...row.relatedIds], HELD_CREDITS_MAX);
  return { count };
}
type CountRiskySessions = (reader: Reader, scoreMin: number, limit: number) => Promise<number>;

/** The five figures of the fraud screen, each counted up to 10,000. */
export async function readFraudStats(
  { database }: Pick<Platform, 'database'>,
  countRiskySessions: CountRiskySessions,
): Promise<FraudStats> {
  const [stats, highRiskSessions] = await Promise.all([
    queries.readStats(database),
    countRiskySessions(database, HIGH_RISK_SCORE, queries.COUNT_MAX),
  ]);
  return {
    suspiciousActivities: stats.activities,
    blockedUsers: stats.blocked,
    highRiskSessions,
    deviceDuplicates: stats.devices,
    duplicateWallets: stats.wallets,
  };
}

/** Deletes activities, and detections that were decided, of more than three years ago. */
export const deleteOldSignals = (
  { database }: Pick<Platform, 'database'>,
  signal: AbortSignal,
): Promise<void> => removeInPieces(database, signal, (rowsMax) => queries.removeOld(database, rowsMax));

/** Takes the network addresses of a member who is anonymised out of what was found. */
export async function forgetSignals(tx: Tx, memberId: number): Promise<void> {
  await queries.forgetAddresses(tx, memberId);
}
