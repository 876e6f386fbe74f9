import type { Quarantined } from '#contract/earning-quarantine.ts';
import { MEMBER_ID } from '#contract/fields.ts';
import { recordActs } from '#platform/audit-trail.ts';
import type { Reader, Tx } from '#platform/database.ts';
import { InvalidRequest } from '#platform/http/problem.ts';
import { refuse } from '#platform/refusal.ts';
import { announceBalance } from '../ledger/ledger.ts';
import { requireNotOwn } from '../members/members.ts';
import { announceNotices } from '../notices/notices.ts';
import { type Ceilings, creditWithin } from './ceilings.ts';
import { type DecisionParts, readSecondPersonPoints, refusalOfObstacle } from './credit-obstacles.ts';
import { findNamedMember } from './named-members.ts';
import * as queries from './quarantine-queries.ts';

/**
 * Providers' calls that were not booked: credits for unknown members, reversals whose credit is unknown, and reversals
 * from addresses that are not the provider's. The provider got its success answer. An operator books or dismisses each.
 */

/** A call in quarantine in the contract's shape. */
export const quarantinedOf = (row: queries.QuarantineRow): Quarantined => ({
  id: String(row.id),
  at: row.at.toISOString(),
  provider: row.provider,
  kind: row.kind,
  memberId: row.memberRef,
  txId: row.transactionId,
  amount: row.points?.toString() ?? null,
  reason: row.reason,
});

/** Reads a call, also one that is resolved. @throws Refusal `not-found` */
export async function readQuarantined(reader: Reader, id: bigint): Promise<Quarantined> {
  const row = await queries.findQuarantined(reader, id);
  if (row === undefined) throw refuse('not-found');
  return quarantinedOf(row);
}

type ResolutionParts = Pick<DecisionParts, 'database' | 'config'> & { ceilings: Ceilings };
type Resolved = { row: queries.QuarantineRow } & queries.ResolutionOutcome;

/** The call as a target of the audit trail, with the member that was booked or that the call names. */
const targetOf = async (
  tx: Tx,
  { id, memberRefs }: queries.QuarantineRow & { memberRefs: string[] },
  { memberId }: { memberId: number | null },
) => ({ kind: 'quarantine', id, memberId: memberId ?? (await findNamedMember(tx, memberRefs)) }) as const;

/**
 * Resolves a call, and announces the balance if it changed. Only the first resolution has an effect.
 * @throws Refusal as `recordResolution`
 */
export async function resolveQuarantined(
  platform: DecisionParts & ResolutionParts,
  resolution: queries.Resolution,
): Promise<Quarantined> {
  const { row, memberId, balance } = await recordResolution(platform, resolution);
  announceBalance(platform, memberId, balance);
  if (memberId !== null) await announceNotices(platform, memberId);
  return quarantinedOf(row);
}

/**
 * Resolves as `resolveQuarantined` does, also for the command line, and announces nothing.
 * @throws Refusal `not-found`, `already-decided`, `own-request`; `unknown-member` for a credit without an open account;
 *   `invalid-request` for a reversal whose credit is unknown or belongs to another member; `second-operator-needed` and
 *   `own-provider-change` as for a held credit. A credit beyond a ceiling of its provider is booked as held
 */
export async function recordResolution(
  parts: ResolutionParts,
  resolution: queries.Resolution,
): Promise<Resolved> {
  const row = await queries.findQuarantined(parts.database, resolution.id);
  if (row === undefined) throw refuse('not-found');
  const resolve = (holdReason: string | null) => resolveRow(parts, resolution, row, holdReason);
  const resolved =
    resolution.action === 'book' && row.kind === 'credit'
      ? await creditWithin(
          parts.ceilings,
          { provider: row.provider, points: String(row.points) },
          { book: resolve, isCredited: ({ verdict }) => verdict === 'credited' },
        )
      : await resolve(null);
  if (resolved.obstacle !== null) throw refusalOfObstacle(resolved.obstacle);
  return { row, ...resolved };
}

type Row = queries.QuarantineRow & { memberRefs: string[] };

/** Resolves a call in one transaction, with its act. An obstacle is no refusal here, because its act stays. */
function resolveRow(
  { database, config }: ResolutionParts,
  resolution: queries.Resolution,
  row: Row,
  holdReason: string | null,
): Promise<queries.ResolutionOutcome> {
  const { action, actor, note, memberRef } = resolution;
  return database.transaction(async (tx) => {
    const secondPersonPoints = await readSecondPersonPoints(tx, config.mode);
    const outcome = await queries.resolve(tx, resolution, secondPersonPoints, holdReason);
    const named = row.memberRefs.filter((ref) => MEMBER_ID.test(ref)).map(Number);
    // The refusal undoes the resolution.
    await requireNotOwn(tx, actor, [outcome.memberId, ...named]);
    if (outcome.obstacle !== null) {
      if (outcome.obstacle === 'first_approval') {
        const after = { firstApprovedBy: String(actor), memberRef };
        const act = { actor, act: 'quarantine.approve-first', reason: note, after } as const;
        await recordActs(tx, [{ ...act, target: await targetOf(tx, row, outcome) }]);
      }
      return outcome;
    }
    if (!outcome.isResolvedNow)
      throw refuse('already-decided', `This call was ${outcome.formerState ?? 'resolved'} already.`);
    if (outcome.verdict === 'quarantined') {
      if (row.kind === 'credit') throw refuse('unknown-member');
      const message = 'Its credit is unknown, or belongs to another member';
      throw new InvalidRequest([{ path: 'memberId', message }]);
    }
    const after = { state: action === 'book' ? 'booked' : 'dismissed', verdict: outcome.verdict, memberRef };
    await recordActs(tx, [
      {
        actor,
        act: 'quarantine.resolve',
        target: await targetOf(tx, row, outcome),
        reason: note,
        before: { state: outcome.formerState },
        after,
      },
    ]);
    return outcome;
  });
}
