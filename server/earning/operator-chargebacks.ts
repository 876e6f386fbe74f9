import {
  type bookChargeback,
  type ListedChargeback,
  MANUAL_PROVIDER,
  type readChargebackProviders,
  type readChargebackStats,
  type testChargeback,
} from '#contract/earning-chargebacks.ts';
import type { BodyOf, ReplyOf } from '#contract/endpoint.ts';
import { fullNameOf } from '#contract/full-name.ts';
import { type ActorOrId, operatorIdOf, recordActs } from '#platform/audit-trail.ts';
import type { Config } from '#platform/config.ts';
import type { Database } from '#platform/database.ts';
import { InvalidRequest } from '#platform/http/problem.ts';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import { announceBalance, describeMovement } from '../ledger/ledger.ts';
import { findAccount, requireNotOwn } from '../members/members.ts';
import { announceNotices } from '../notices/notices.ts';
import * as queries from './chargeback-queries.ts';
import { providerLabelOf, reasonLabels, sourceOf } from './chargebacks.ts';
import { type DecisionParts, readSecondPersonPoints } from './credit-obstacles.ts';
import { webhookUrlOf } from './provider-settings.ts';
import { findProvider, providers } from './providers/registry.ts';
import { readProviderRows } from './queries.ts';

/**
 * Chargebacks as operators see and book them. An operator's chargeback is a reversal without a credit: it takes any
 * number of points, also below zero, once under the key of its request, with the act and the member's notice. A test
 * books the same with the label of a provider.
 */

/** A chargeback in the contract's shape. */
export const listedChargebackOf = (row: queries.ListedRow): ListedChargeback => ({
  id: String(row.id),
  createdAt: row.createdAt.toISOString(),
  userId: String(row.memberId),
  userFirstName: row.firstName,
  userLastName: row.lastName,
  userName: fullNameOf(row),
  userEmail: row.email,
  amount: String(-row.takenPoints),
  description: describeMovement({ kind: 'reversal', subject: row.reason, isScreenOut: false }, sourceOf(row)),
  provider: providerLabelOf(row),
  reason: reasonLabels[row.reasonClass],
  txId: row.transactionId,
  isByOperator: row.isByOperator,
  adminEmail: row.operatorEmail,
});

export type ChargebackOrder = {
  /** The id or e-mail address of the member. */
  who: string;
  amountPoints: bigint;
  reason: string;
  /** The provider of a test; null for a manual chargeback. */
  provider: string | null;
  actor: ActorOrId;
  /** Of this caller; a new one if there is none. */
  key: string | null;
  /** The balance that the operator saw; undefined for whatever it is. */
  seenBalance?: bigint | undefined;
};

export type ChargebackOutcome = {
  chargeback: ListedChargeback;
  memberId: number;
  /** False if the request was made before. */
  isNew: boolean;
  /** Null unless this call booked it. */
  balance: bigint | null;
};

const requestKeyOf = (actor: ActorOrId, key: string): string => `${actor}:${key}`;

/** Whether the command line took points back under a key. */
export const isRevokedUnder = (database: Database, key: string): Promise<boolean> =>
  queries.isBookedUnder(database, requestKeyOf('command-line', key));

/**
 * Takes points back and records the act. Announces nothing.
 * @throws Refusal `unknown-member`, `own-request`, `idempotency-mismatch`; `chargeback-too-large` for an operator, but
 *   not on the command line; `outcome-changed` if the balance is not the seen one
 */
export async function recordChargeback(
  { database, config }: { database: Database; config: Pick<Config, 'mode'> },
  { who, amountPoints, reason, provider, actor, key, seenBalance }: ChargebackOrder,
): Promise<ChargebackOutcome> {
  const account = await findAccount(database, who);
  if (account === undefined) throw refuse('unknown-member');
  const operatorId = operatorIdOf(actor);
  return database.transaction(async (tx) => {
    await requireNotOwn(tx, actor, [account.id]);
    const secondPersonPoints = operatorId === null ? null : await readSecondPersonPoints(tx, config.mode);
    const { status, id, balance } = await queries.chargeBack(tx, {
      requestKey: requestKeyOf(actor, key ?? crypto.randomUUID()),
      memberId: account.id,
      points: amountPoints,
      provider: provider ?? MANUAL_PROVIDER,
      transactionId: `${provider === null ? 'manual' : 'test'}-${crypto.randomUUID()}`,
      reason,
      operatorId,
      secondPersonPoints,
    });
    if (status === 'too_large') throw refuse('chargeback-too-large');
    if (status === 'unknown_member') throw refuse('unknown-member');
    if (status === 'exists_different' || id === null) throw refuse('idempotency-mismatch');
    const isNew = status === 'posted';
    // The wallet is locked, so nothing came between.
    if (isNew && seenBalance !== undefined && balance !== seenBalance - amountPoints)
      throw refuse('outcome-changed');
    if (isNew) {
      const after = {
        chargeback: String(id),
        amountPoints: -amountPoints,
        balancePoints: balance,
        ...(provider === null ? {} : { provider }),
      };
      const target = { kind: 'member', id: account.id } as const;
      await recordActs(tx, [{ actor, act: 'points.revoke', target, reason, after }]);
    }
    const chargeback = listedChargebackOf(await queries.findListed(tx, id));
    return { chargeback, memberId: account.id, isNew, balance };
  });
}

type Caller = { actor: number; key: string | null };

/** Takes points back as `recordChargeback` does, and announces it. A fraction is rounded, to at least one point. */
export async function bookManual(
  parts: DecisionParts,
  { userId, amount, reason, seenBalance }: BodyOf<typeof bookChargeback>,
  caller: Caller,
  provider: string | null = null,
): Promise<ListedChargeback> {
  const order = {
    who: userId,
    amountPoints: BigInt(Math.max(1, Math.round(amount))),
    reason,
    provider,
    seenBalance: seenBalance === undefined ? undefined : BigInt(seenBalance),
  };
  const { chargeback, memberId, balance } = await recordChargeback(parts, { ...order, ...caller });
  announceBalance(parts, memberId, balance);
  await announceNotices(parts, memberId);
  return chargeback;
}

/** Books a real chargeback with the label of a provider. @throws InvalidRequest for another provider */
export async function bookTest(
  parts: DecisionParts,
  { provider, ...body }: BodyOf<typeof testChargeback>,
  caller: Caller,
): Promise<ReplyOf<typeof testChargeback>> {
  if (findProvider(provider)?.takesChargebacks !== true)
    throw new InvalidRequest([{ path: 'provider', message: 'Provider is required' }]);
  const chargeback = await bookManual(parts, body, caller, provider);
  return { result: { userId: chargeback.userId, chargeback } };
}

/** Reads the numbers and points of all chargebacks and of today's. */
export async function readStats({
  database,
}: Pick<Platform, 'database'>): Promise<ReplyOf<typeof readChargebackStats>> {
  const sums = await queries.readSums(database);
  return {
    totalChargebacks: Number(sums.totalCount),
    totalAmount: sums.totalPoints,
    todayChargebacks: Number(sums.todayCount),
    todayAmount: sums.todayPoints,
  };
}

/** Reads the providers with a URL for reversals alone, in the order of the registry. */
export async function readReversalUrls({
  database,
  config,
}: Pick<Platform, 'database' | 'config'>): Promise<ReplyOf<typeof readChargebackProviders>> {
  const rows = await readProviderRows(database);
  return [...providers.values()]
    .filter(({ takesChargebacks }) => takesChargebacks)
    .flatMap(({ id }) => rows.find((row) => row.id === id) ?? [])
    .map((row) => ({ id: row.id, name: row.name, webhookUrl: webhookUrlOf(config, row, 'chargeback') }));
}
