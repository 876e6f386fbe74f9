import { recordActs } from '#platform/audit-trail.ts';
import { readClock } from '#platform/clock.ts';
import type { Reader, Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import { announceBalance, describeMovement } from '../ledger/ledger.ts';
import { brandOf, requireMayEarn, requireNotOwn } from '../members/members.ts';
import { announceNotices } from '../notices/notices.ts';
import { type DecisionParts, readSecondPersonPoints, refusalOfObstacle } from './credit-obstacles.ts';
import * as decisionQueries from './decision-queries.ts';
import * as openingQueries from './opening-queries.ts';
import { isUsable, type KnownProvider, knownProviders, wallBaseOf } from './provider-settings.ts';
import type { ProviderFacts } from './providers/provider.ts';
import { findProvider } from './providers/registry.ts';
import * as queries from './queries.ts';

/**
 * Earning: the walls where members earn, and providers' calls about earnings. Adapters (`providers/`) translate a
 * provider's parameters; all other code uses our own message types. Invariants:
 * - A provider's transaction is booked once, in any order and number of calls.
 * - The raw call, the earning and the movement are committed together, before the provider gets the success answer.
 * - A credit is held for an operator if it has 10,000 points or more, its member is under review, or its call comes
 *   from an unlisted address.
 * - Unknown members and early reversals are quarantined, so that no call is lost (`quarantine.ts`). So are reversals
 *   from an unlisted address, if the provider's policy is to hold them.
 * The ledger keeps balances. `provider-settings.ts` keeps providers' settings. `postbacks.ts` receives calls.
 */

type Wall = Pick<ProviderFacts, 'id' | 'name' | 'kind' | 'pays' | 'words'> & { url: string };

/** The member and site facts that a wall's URL needs. */
type Visit = { memberId: number; brand: string; siteDay: string };

async function visitOf(platform: Platform, memberId: number): Promise<Visit> {
  await requireMayEarn(platform.database, memberId);
  const { siteDay } = await readClock(platform.database);
  return { memberId, brand: brandOf(platform.config, await platform.settings.read()).name, siteDay };
}

const wallOf = (provider: KnownProvider, { memberId, brand, siteDay }: Visit): Wall => ({
  id: provider.row.id,
  name: provider.row.name,
  kind: provider.row.type,
  pays: provider.adapter.pays,
  words: provider.adapter.words,
  url: provider.adapter.wallUrl({
    url: wallBaseOf(provider),
    apiKey: provider.row.apiKey,
    secret: provider.secret,
    memberRef: String(memberId),
    brand,
    siteDay,
  }),
});

/** Reads id, name and kind of the providers that a member's screens can name: all that were ever enabled. */
export async function readNameableProviders(
  platform: Pick<Platform, 'database' | 'secrets' | 'log'>,
): Promise<Pick<ProviderFacts, 'id' | 'name' | 'kind'>[]> {
  const known = [...(await knownProviders(platform)).values()];
  return known
    .filter(({ row }) => row.wasEnabled)
    .map(({ adapter: { id, name, kind } }) => ({ id, name, kind }));
}

/** Reads the enabled walls with the member's signed URLs. @throws Refusal `earnings-suspended` */
export async function readWalls(platform: Platform, memberId: number): Promise<Wall[]> {
  const visit = await visitOf(platform, memberId);
  const known = [...(await knownProviders(platform)).values()];
  return known.filter(isUsable).map((provider) => wallOf(provider, visit));
}

/** Reads the URL of one wall. @throws Refusal `unknown-provider`, `earnings-suspended` */
export async function readWallUrl(
  platform: Platform,
  id: string,
  memberId: number,
): Promise<{ url: string }> {
  const visit = await visitOf(platform, memberId);
  const provider = (await knownProviders(platform)).get(id);
  if (provider === undefined || !isUsable(provider)) throw refuse('unknown-provider');
  return { url: wallOf(provider, visit).url };
}

/** Records that a member opened a wall, and from where. @throws Refusal `not-found`, `earnings-suspended` */
export async function recordOpening(
  platform: Platform,
  id: string,
  memberId: number,
  from: openingQueries.OpenedFrom | null,
): Promise<void> {
  await requireMayEarn(platform.database, memberId);
  const provider = (await knownProviders(platform)).get(id);
  if (provider === undefined || !isUsable(provider)) throw refuse('not-found');
  await openingQueries.insertOpening(platform.database, memberId, id, from);
}

/** Removes from where the walls of an account were opened that this transaction is about to anonymise. */
export const forgetOpenings = async (tx: Tx, memberId: number): Promise<void> => {
  await openingQueries.forgetOpenings(tx, memberId);
};

/** The provider's name, and its usual time to a credit in hours; null if unknown. */
export async function readProviderFacts(
  platform: Pick<Platform, 'database' | 'secrets' | 'log'>,
  id: string,
): Promise<{ name: string; arrivesWithinHours: number | null }> {
  const known = (await knownProviders(platform)).get(id);
  return { name: known?.row.name ?? id, arrivesWithinHours: usualHoursOf(id) };
}

/** A provider's usual time to a credit in hours; null if unknown. */
export const usualHoursOf = (id: string): number | null => findProvider(id)?.pays.arrivesWithinHours ?? null;

/** Reads the member's activity from opened walls to credits, newest first. */
export async function readActivity({ database }: Platform, memberId: number) {
  const rows = await queries.readActivityRows(database, memberId);
  return rows.map((row) => ({
    id: row.id,
    provider: row.provider,
    state: row.state,
    amount: row.points.toString(),
    openedAt: row.openedAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    arrivesWithinHours: usualHoursOf(row.provider),
  }));
}

/** A held earning in the contract's shape. */
export const pendingEarningOf = (row: queries.PendingEarning) => ({
  id: String(row.heldId),
  createdAt: row.createdAt.toISOString(),
  userId: String(row.memberId),
  userFirstName: row.firstName,
  userEmail: row.email,
  amount: row.points.toString(),
  source: row.providerName,
  description: describeMovement(
    { kind: 'earning', subject: row.subject, isScreenOut: row.isScreenOut },
    row.providerName,
  ),
  holdReason: row.holdReason,
  txId: row.transactionId,
  firstApprovedBy: row.firstApprovedBy === null ? null : String(row.firstApprovedBy),
});

/** Reads a held or decided earning. @throws Refusal `not-found` */
export async function readHeldEarning(reader: Reader, heldId: bigint) {
  const row = await queries.findHeldEarning(reader, heldId);
  if (row === undefined) throw refuse('not-found');
  return pendingEarningOf(row);
}

/** Counts the held earnings. */
export const countHeldEarnings = async ({ database }: Pick<Platform, 'database'>): Promise<number> =>
  Number((await queries.readTotals(database)).pendingCount);

/** Reads the numbers of held earnings, and what this operator credited alone today. */
export async function readApprovalStats(
  { database, config }: Pick<Platform, 'database' | 'config'>,
  operatorId: number,
) {
  const totals = await queries.readTotals(database);
  const secondPersonPoints = await readSecondPersonPoints(database, config.mode);
  return {
    creditedToday: String(await decisionQueries.readCreditedToday(database, operatorId)),
    secondPersonFrom: secondPersonPoints === null ? null : String(secondPersonPoints),
    pendingCount: Number(totals.pendingCount),
    pendingAmount: totals.pendingPoints.toString(),
    approvedCount: Number(totals.approvedCount),
    rejectedCount: Number(totals.rejectedCount),
  };
}

const actOf = { approve: 'earning.approve', reject: 'earning.reject' } as const;

/**
 * Decides about a held earning of somebody else. Announces the notice of it, and the new balance if points were booked.
 * Only the first decision has an effect.
 * @returns the earning, and the new balance; null if no points were booked
 * @throws Refusal as `recordDecision`
 */
export async function decideEarning(platform: DecisionParts, decision: decisionQueries.Decision) {
  const { row, balance } = await recordDecision(platform, decision);
  announceBalance(platform, row.memberId, balance);
  await announceNotices(platform, row.memberId);
  return {
    earning: {
      ...pendingEarningOf(row),
      status: decision.verdict === 'approve' ? ('approved' as const) : ('rejected' as const),
    },
    balance,
  };
}

/**
 * Decides as `decideEarning` does, also for the command line, and announces nothing.
 * @throws Refusal `not-found`, `already-decided`, `own-request`; `unknown-member` for an approval after the account
 *   was deleted; `second-operator-needed` (with `isRecorded`, if this approval is the first of two) and
 *   `own-provider-change`, see `earning.credit_obstacle`
 */
export async function recordDecision(
  { database, config }: Pick<DecisionParts, 'database' | 'config'>,
  decision: decisionQueries.Decision,
): Promise<{ row: queries.PendingEarning; balance: bigint | null }> {
  const { heldId, verdict, actor, note } = decision;
  const outcome = await database.transaction(async (tx) => {
    const secondPersonPoints = await readSecondPersonPoints(tx, config.mode);
    const decided = await decisionQueries.decide(tx, decision, secondPersonPoints);
    // The refusal undoes the decision.
    await requireNotOwn(tx, actor, [decided.memberId]);
    const changed = { before: { state: 'held' }, after: { state: decided.state } };
    const target = { kind: 'earning', id: heldId, memberId: decided.memberId } as const;
    if (decided.isDecidedNow && decided.state !== null && decided.state !== 'held')
      await recordActs(tx, [{ actor, act: actOf[verdict], target, reason: note, ...changed }]);
    if (decided.obstacle === 'first_approval') {
      const after = { firstApprovedBy: String(actor) };
      await recordActs(tx, [{ actor, act: 'earning.approve-first', target, reason: note, after }]);
    }
    return decided;
  });
  if (outcome.obstacle !== null) throw refusalOfObstacle(outcome.obstacle);
  if (outcome.state === null) throw refuse('not-found');
  if (outcome.state === 'held') throw refuse('unknown-member');
  if (!outcome.isDecidedNow)
    throw refuse(
      'already-decided',
      `This earning was ${outcome.state === 'credited' ? 'approved' : 'rejected'} already.`,
    );
  const row = await queries.findHeldEarning(database, heldId);
  if (row === undefined) throw new Error('A decided earning is gone');
  return { row, balance: outcome.balance };
}
