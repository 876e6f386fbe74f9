import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { BodyOf, ReplyOf } from '#contract/endpoint.ts';
import { paginationOf } from '#contract/pages.ts';
import type * as contract from '#contract/withdrawals.ts';
import type * as restrictions from '#contract/withdrawals-restrictions.ts';
import type { Config } from '#platform/config.ts';
import type { Reader, Tx } from '#platform/database.ts';
import { faultsOf, InvalidRequest } from '#platform/http/problem.ts';
import type { Platform } from '#platform/platform.ts';
import { Refusal, refuse } from '#platform/refusal.ts';
import { readSettings } from '#platform/settings.ts';
import { announceBalance } from '../ledger/ledger.ts';
import { findWithdrawalStop, hasVerifiedPhone, requireMayWithdraw } from '../members/members.ts';
import { addNotice, announceNotices } from '../notices/notices.ts';
import { cancel } from './decision-queries.ts';
import { failpoint } from './failpoint.ts';
import {
  countOfMember,
  findNumber,
  findOwn,
  type HoldingSettings,
  type MemberWithdrawal,
  readDayLimit,
  readNumbered,
  readSecurityHold,
} from './history-queries.ts';
import { announceWithdrawal } from './news.ts';
import { otherMethodRefusal } from './other-method.ts';
import { destinationText, readOfferedMethods } from './payment-methods.ts';
import { amountText } from './payout-amount.ts';
import {
  findKeyed,
  insertWithdrawal,
  type MethodLimits,
  type Requested,
  readPaused,
  readSecondsToNextDay,
} from './queries.ts';
import type { CanonicalDestination, RailDefinition } from './rails/rail.ts';
import { findDefinition, rails } from './rails/registry.ts';

/**
 * Withdrawals: members exchange points for money. The points leave the balance with the request and are returned once
 * if it is rejected. An operator decides once (`decisions.ts`). An approved withdrawal is paid once, even if a process
 * is killed at any step (`payouts.ts`, through the `rails/`). Methods and their limits are settings
 * (`payment-methods.ts`).
 *
 * Invariants: the account `withdrawals` holds the points of all pending and approved withdrawals. A rejected one has
 * exactly one returning movement. An approved one has exactly one payout. The members feature decides who may withdraw;
 * the ledger keeps the balance.
 */
export type WithdrawalParts = Pick<Platform, 'database' | 'config' | 'secrets' | 'bus' | 'log'>;

/** The number of accepted requests per site day, including those that an operator rejected. */
export const REQUESTS_A_DAY_MAX = 5;

const points = new Intl.NumberFormat('en-US');

/** Reads the methods that members may choose, with their limits, in the registry's order. */
export async function readMethods(platform: WithdrawalParts): Promise<ReplyOf<typeof contract.readMethods>> {
  return (await readOfferedMethods(platform)).map(({ definition: { id, name }, limits }) => ({
    method: id,
    name,
    minimumAmount: Number(limits.floorPoints),
    maximumAmount: Number(limits.maximumPoints),
    processingFee: Number(limits.feePoints),
  }));
}

/** Reads the facts of all registered rails that forms and lists need. */
export function readRails(config: Config): ReplyOf<typeof contract.readRails> {
  return rails.map(({ id, name, currency, destination, explorer }) => ({
    method: id,
    name,
    currency: currency.symbol,
    isRated: currency.rateId !== null,
    destination: destination && { ...destination.form, code: destination.code?.(config) ?? null },
    // The sandbox's payments are in no public network, whatever its destinations look like.
    explorer: config.mode === 'sandbox' ? null : explorer(config),
  }));
}

type Request = BodyOf<typeof contract.requestWithdrawal>;

/**
 * Takes the points, stores the request and announces the remaining balance. A repeated key returns the first request.
 * `balance` is the remaining balance; null for a repeated request.
 * @throws Refusal in the order of the contract
 */
export async function requestWithdrawal(
  platform: WithdrawalParts,
  memberId: number,
  request: Request,
  requestKey: string | null,
): Promise<{ reply: ReplyOf<typeof contract.requestWithdrawal>; balance: bigint | null }> {
  const { database, config } = platform;
  const definition = findDefinition(request.method);
  const recipient = readRecipient(definition, request);
  const destination = recipient && definition?.destination?.canonical(recipient, config);
  const amountPoints = BigInt(request.amountPoints);
  const asked = { method: request.method, destination: textOf(destination), amountPoints };
  const repeated =
    requestKey === null ? undefined : await findRepeated(database, memberId, requestKey, asked);
  if (repeated) return { reply: repeated, balance: null };
  await requireMayWithdraw(database, memberId);
  const offered = await readOfferedMethods(platform);
  const limits = offered.find((method) => method.definition === definition)?.limits;
  if (!limits || !definition || !destination) throw refuse('method-disabled');
  requireWithinLimits(definition.name, limits, amountPoints);
  if (destination.kind === 'refused')
    throw (
      otherMethodRefusal(definition, recipient, destination, config) ??
      refuse('invalid-address', destination.reason, destination.facts)
    );
  if (!(await hasVerifiedPhone(database, memberId))) throw refuse('phone-not-verified');
  const wanted = {
    memberId,
    requestKey,
    method: definition.id,
    destination: destination.text,
    amountPoints,
    feePoints: limits.feePoints,
    dayLimit: REQUESTS_A_DAY_MAX,
  };
  const held = await database.transaction(async (tx) => {
    const kept = await insertWithdrawal(tx, wanted);
    const { id, holdUntil } = kept;
    if (id !== null && holdUntil !== null) await addHoldNotice(tx, config.mode, wanted, { id, holdUntil });
    return kept;
  });
  failpoint('after_hold');
  if (held.status === 'exists_different') throw refuse('idempotency-mismatch');
  if (held.status === 'account-suspended' || held.status === 'withdrawals-suspended')
    throw refuse(held.status);
  if (held.status === 'limit_reached') throw await limitReached(database, held);
  if (held.status === 'insufficient' || held.status === 'closed') throw refuse('insufficient-balance');
  assert(held.status === 'requested' || held.status === 'exists', `The ledger said ${held.status}`);
  assert(held.id && held.state && held.createdAt, 'a kept request has an id, a state and a time');
  announceBalance(platform, memberId, held.balance);
  platform.bus.announceWaiting(['queue']);
  if (held.holdUntil !== null) await announceNotices(platform, memberId);
  return {
    reply: requestOf({
      id: held.id,
      method: definition.id,
      state: held.state,
      amountPoints,
      createdAt: held.createdAt,
      decidedAt: held.decidedAt,
    }),
    balance: held.balance,
  };
}

/** Tells the member of a request that waits, so that the owner of a stolen session can say that it was not them. */
async function addHoldNotice(
  tx: Tx,
  mode: Config['mode'],
  asked: { memberId: number; method: string; destination: string; amountPoints: bigint },
  { id, holdUntil }: { id: string; holdUntil: Date },
): Promise<void> {
  if (!(await readHolding(tx, { mode })).holdsDestinations) return;
  const { memberId, method, destination, amountPoints } = asked;
  await addNotice(tx, memberId, 'security', {
    change: 'address',
    withdrawalId: id,
    method,
    amount: String(amountPoints),
    address: destinationText(method, destination),
    holdUntil: holdUntil.toISOString(),
  });
}

type Asked = { method: string; destination: string | undefined; amountPoints: bigint };

const textOf = (destination: CanonicalDestination | undefined): string | undefined =>
  destination?.kind === 'canonical' ? destination.text : undefined;

/**
 * Finds the request that was made with this key. It is answered as before, whatever limit or setting has changed since.
 * @throws Refusal `idempotency-mismatch` if it was another request
 */
async function findRepeated(reader: Reader, memberId: number, requestKey: string, asked: Asked) {
  const row = await findKeyed(reader, memberId, requestKey);
  if (row === undefined) return undefined;
  const { method, destination, amountPoints } = row;
  if (!isDeepStrictEqual({ method, destination, amountPoints }, asked)) throw refuse('idempotency-mismatch');
  return requestOf(row);
}

async function limitReached(reader: Reader, { createdAt }: Requested): Promise<Refusal> {
  assert(createdAt !== null, 'a request over the limit has the time at which it was refused');
  const { seconds } = await readSecondsToNextDay(reader, createdAt);
  return new Refusal('withdrawal-limit-reached', undefined, {}, seconds);
}

function requireWithinLimits(name: string, limits: MethodLimits, amountPoints: bigint): void {
  const { floorPoints: minimum, maximumPoints: maximum } = limits;
  if (amountPoints < minimum) {
    const detail = `Minimum withdrawal amount for ${name} is ${points.format(minimum)} points.`;
    throw refuse('below-minimum', detail, { minimumAmount: Number(minimum) });
  }
  if (maximum !== 0n && amountPoints > maximum) {
    const detail = `Maximum withdrawal amount for ${name} is ${points.format(maximum)} points.`;
    throw refuse('above-maximum', detail, { maximumAmount: Number(maximum) });
  }
}

/**
 * Parses the recipient by the shape of the method's rail. Undefined if members can't choose that method.
 * @throws Refusal `invalid-request`
 */
function readRecipient(
  definition: RailDefinition | undefined,
  { recipientInfo }: Request,
): Record<string, string> | undefined {
  const parsed = definition?.destination?.shape.safeParse(recipientInfo);
  if (parsed === undefined || parsed.success) return parsed?.data;
  throw new InvalidRequest(faultsOf(parsed.error, ['recipientInfo']));
}

type RequestRow = Pick<
  MemberWithdrawal,
  'id' | 'method' | 'state' | 'amountPoints' | 'createdAt' | 'decidedAt'
>;

/** A request as its member sees it. */
const requestOf = (row: RequestRow): ReplyOf<typeof contract.requestWithdrawal> => ({
  id: row.id,
  method: row.method,
  status: row.state,
  amount: String(row.amountPoints),
  createdAt: row.createdAt.toISOString(),
  processedAt: row.decidedAt?.toISOString() ?? null,
});

/** A withdrawal as its member sees it in the list. */
const entryOf = (row: MemberWithdrawal): ReplyOf<typeof contract.cancelWithdrawal> => ({
  ...requestOf(row),
  address: destinationText(row.method, row.destination),
  txId: row.reference,
  payoutState: row.payoutState,
  isConfirmed: row.isConfirmed,
  rejectionReason: row.state === 'rejected' ? row.reason : null,
  rejectionCode: row.rejectionCode,
  waitsFor: row.waitsFor === null ? null : wireNames[row.waitsFor],
  holdUntil: row.holdUntil?.toISOString() ?? null,
  isCancellable: row.isCancellable,
  fee: String(row.feePoints),
  coinAmount: row.amountUnits === null ? null : amountText(row.amountUnits),
  rate: row.rate,
});

const wireNames = {
  suspended: 'suspended',
  disowned: 'disowned',
  in_debt: 'in-debt',
  new_destination: 'new-destination',
  security_change: 'security-change',
  in_check: 'in-check',
  points_in_check: 'points-in-check',
  paused: 'paused',
} as const satisfies Record<NonNullable<MemberWithdrawal['waitsFor']>, restrictions.WaitsFor>;

const readHolding = async (reader: Reader, { mode }: Pick<Config, 'mode'>): Promise<HoldingSettings> => {
  const { switches } = await readSettings(reader, mode);
  return { holdsDestinations: switches.addressHold };
};

/** Reads what stops the member's withdrawals now, until when new requests are held, and whether payouts are paused. */
export async function readRestrictions(
  { database, config }: WithdrawalParts,
  memberId: number,
): Promise<ReplyOf<typeof restrictions.readRestrictions>> {
  const stop = await findWithdrawalStop(database, memberId);
  const { until } = await readSecurityHold(database, memberId);
  const { holdsDestinations } = await readHolding(database, config);
  const isHeld = until !== null && holdsDestinations;
  const limit = await readDayLimit(database, memberId, REQUESTS_A_DAY_MAX);
  return {
    stop:
      stop === undefined
        ? null
        : {
            kind: stop.isDenial ? 'denial' : 'suspension',
            reason: stop.reason,
            until: stop.until?.toISOString() ?? null,
          },
    securityHoldUntil: isHeld ? until.toISOString() : null,
    dayLimitUntil: limit?.until.toISOString() ?? null,
    payoutsPaused: await readPaused(database),
  };
}

/**
 * Cancels the member's own pending withdrawal, returns its points and announces the balance.
 * @throws Refusal `not-found`, `already-decided`, `withdrawal-in-check`
 */
export async function cancelWithdrawal(
  platform: WithdrawalParts,
  memberId: number,
  id: string,
): Promise<ReplyOf<typeof contract.cancelWithdrawal>> {
  const { database, config } = platform;
  const decided = await database.transaction((tx) => cancel(tx, id, memberId, 'Cancelled by the member.'));
  if (decided.status === 'not_found') throw refuse('not-found');
  if (decided.status === 'in_check') throw refuse('withdrawal-in-check');
  if (decided.status !== 'cancelled')
    throw refuse('already-decided', `This withdrawal was ${decided.state} already.`);
  assert(decided.balance !== null, 'a cancellation returns points');
  announceBalance(platform, memberId, decided.balance);
  await announceWithdrawal(platform, id);
  const row = await findOwn(database, memberId, id, await readHolding(database, config));
  assert(row, 'a cancelled withdrawal is stored');
  return entryOf(row);
}

/**
 * Reads a page of the member's withdrawals, newest first: the one with the withdrawal `containing`, else `page`. A page
 * is a range of numbers, so all pages cost the same.
 */
export async function readWithdrawals(
  platform: WithdrawalParts,
  memberId: number,
  query: { page: number; limit: number; containing?: string | undefined },
): Promise<ReplyOf<typeof contract.readWithdrawals>> {
  const { database, config } = platform;
  const { limit, containing } = query;
  const total = (await countOfMember(database, memberId))?.withdrawalCount ?? 0n;
  const named = containing === undefined ? undefined : await findNumber(database, memberId, containing);
  const page = named === undefined ? query.page : Number((total - named.number) / BigInt(limit)) + 1;
  const upTo = total - BigInt(page - 1) * BigInt(limit);
  const holding = await readHolding(database, config);
  const rows = upTo > 0n ? await readNumbered(database, memberId, upTo - BigInt(limit), upTo, holding) : [];
  return {
    data: rows.map(entryOf),
    pagination: paginationOf({ page, limit }, Number(total)),
  };
}
