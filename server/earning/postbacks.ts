import ipaddr from 'ipaddr.js';
import { MEMBER_ID } from '#contract/fields.ts';
import { BATCHES, coalesce } from '#platform/coalesce.ts';
import type { Database } from '#platform/database.ts';
import type { Limit } from '#platform/http/limits.ts';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import { sameText } from '#platform/secrets.ts';
import { announceBalance } from '../ledger/ledger.ts';
import { findAccount } from '../members/members.ts';
import { announceNotices, type NoticeParts } from '../notices/notices.ts';
import { bookWithin, type Counting } from './ceilings.ts';
import { bookOfHousehold } from './household-booking.ts';
import { bookLinked } from './linked-booking.ts';
import { type KnownProvider, knownProviders } from './provider-settings.ts';
import type { PostbackMessage } from './providers/message.ts';
import type { RawPostback, Verdict } from './providers/provider.ts';
import { rawTextOf, storable } from './providers/raw-query.ts';
import { readClaims } from './providers/verdict.ts';
import { type Booked, bookCalls, bookCredit, type Call } from './queries.ts';

/**
 * Receives providers' calls. The adapter verifies the received bytes. One statement then stores the raw call with its
 * verdict and books it. Under load, calls that arrive while a statement runs are booked together by the next one.
 */

const BESIDE_ITEMS_MIN = 6;

/**
 * The limit of stored refused calls per address. Any address may call, and none may fill the disk. A call with a good
 * signature is always stored, whatever it is refused for.
 */
export const keptRefusals: Limit = { name: 'refused', max: 60, perS: 60, scaledIn: 'sandbox' };

/** The verdicts that have a notice. The sweep announces that of a reversal that waited for its credit. */
const noticedVerdicts: ReadonlySet<string> = new Set(['held', 'reversed', 'hold-rejected']);

/** Whether somebody may be in a household, whose credits for one offer wait from the second on. */
export type HouseholdParts = { isInHousehold: (memberId: number) => boolean };

export type BookCall = (call: Call) => Promise<Booked>;

/** Makes a function that books calls, many together under load. */
export function createBooking(database: Database): BookCall {
  return coalesce<Call, Booked>({
    ...BATCHES,
    besideItemsMin: BESIDE_ITEMS_MIN,
    run: async (calls) => {
      const [only] = calls;
      if (calls.length === 1 && only?.kind === 'credit') return [await bookCredit(database, only)];
      const later = new Set(conflictingCredits(calls));
      if (later.size === 0) return bookCalls(database, calls);
      const booked = await bookCalls(
        database,
        calls.filter((call) => !later.has(call)),
      );
      const inTurn: Booked[] = [];
      for (const call of calls)
        inTurn.push(later.has(call) ? await bookCredit(database, call) : (booked.shift() as Booked));
      return inTurn;
    },
  });
}

/**
 * Finds credits whose transaction an earlier call of the batch has with another member. A statement books each
 * transaction once, and the first may name an unknown member. So these are booked after it, one by one.
 */
function conflictingCredits(calls: readonly Call[]): Call[] {
  const members = new Map<string, string>();
  return calls.filter((call) => {
    if (call.kind !== 'credit') return false;
    const transaction = `${call.provider} ${call.transactionId}`;
    const first = members.get(transaction);
    if (first === undefined) members.set(transaction, call.memberRef);
    return first !== undefined && first !== call.memberRef;
  });
}

/** The call of a translated message, as it is booked. */
function callOf(provider: KnownProvider, message: PostbackMessage, raw: RawPostback, address: string): Call {
  const shared = {
    provider: provider.row.id,
    raw: rawTextOf(raw, provider.adapter.signatureHeader),
    address,
    isScreenOut: false,
    holdReason: null,
    payoutMicroUsd: null,
    points: null,
    detail: null,
    verdict: null,
  };
  if (message.kind === 'nothing')
    return {
      ...shared,
      kind: 'nothing',
      transactionId: message.transactionId,
      creditTransactionId: null,
      memberRef: message.memberRef ?? '',
      subject: '',
      verdict: message.why,
    };
  const { transactionId, memberRef } = message;
  if (message.kind === 'reversal')
    return {
      ...shared,
      kind: 'reversal',
      transactionId: transactionId,
      creditTransactionId: message.creditTransactionId,
      memberRef: memberRef,
      points: message.amountPoints?.toString() ?? null,
      subject: message.reason,
    };
  return {
    ...shared,
    kind: 'credit',
    transactionId: transactionId,
    creditTransactionId: transactionId,
    memberRef: memberRef,
    points: message.amountPoints.toString(),
    payoutMicroUsd: message.payoutMicroUsd?.toString() ?? null,
    subject: message.offerName,
    isScreenOut: message.isScreenOut,
  };
}

/**
 * Makes the stored form of a refused call. Refused calls are stored as evidence of forgery, with the transaction and
 * the member that they name, so that operators find them.
 */
function refusedCall(
  { providerId, raw, address }: Postback,
  provider: KnownProvider | undefined,
  verdict: string,
  why: string,
): Call {
  const claims = provider === undefined ? undefined : readClaims(provider.adapter, raw);
  return {
    kind: 'nothing',
    provider: storable(providerId, 40),
    transactionId: claims?.transactionId ?? null,
    creditTransactionId: null,
    memberRef: claims?.memberRef ?? '',
    points: null,
    payoutMicroUsd: null,
    subject: '',
    isScreenOut: false,
    holdReason: null,
    raw: rawTextOf(raw, provider?.adapter.signatureHeader),
    address,
    verdict,
    detail: storable(why, 500),
  };
}

/** Whether the address is in the provider's list. An empty list allows all addresses. */
function isListedSource(address: string, listed: readonly string[]): boolean {
  if (listed.length === 0) return true;
  if (!ipaddr.isValid(address)) return false;
  const caller = ipaddr.process(address);
  return listed.some((entry) => {
    const [range, bits] = entry.includes('/') ? ipaddr.parseCIDR(entry) : [ipaddr.parse(entry), undefined];
    if (range.kind() !== caller.kind()) return false;
    return caller.match(range as ipaddr.IPv4, bits ?? (range.kind() === 'ipv4' ? 32 : 128));
  });
}

export type Postback = {
  providerId: string;
  /** The secret last segment of the called path; null if there is none. */
  pathToken: string | null;
  raw: RawPostback;
  address: string;
  /** Whether the URL for reversals was called. */
  isChargebackOnly: boolean;
};

/**
 * Verifies and books one call, and announces the balance if it changed, and a notice if there is one.
 * @returns the provider's success answer, and what was booked
 * @throws Refusal `unknown-provider`, `source-refused`, `invalid-signature`, `invalid-postback`, `not-a-chargeback`
 */
export async function receivePostback(
  platform: Platform,
  book: BookCall,
  postback: Postback,
  { ceilings, sums, isInHousehold }: Partial<Counting & HouseholdParts> = {},
): Promise<{ answer: string; booked: Booked }> {
  const { providerId, address } = postback;
  const provider = (await knownProviders(platform)).get(providerId);
  const judged = await judgePostback(platform, provider, postback, verify);
  const countedProvider = provider === undefined ? 'unknown' : providerId;
  if (!judged.ok) {
    const { code, why, isGenuine } = judged;
    platform.metrics.postbacks.inc({ provider: countedProvider, verdict: code });
    sums?.add({ provider: countedProvider, verdict: code, points: null });
    if (isGenuine || (await platform.limits.isWithin(keptRefusals, address)))
      await book(refusedCall(postback, provider, code, why));
    throw refuse(code);
  }
  const { call, link, message } = judged;
  const offerId = isInHousehold?.(Number(call.memberRef)) === true ? offerOf(message) : undefined;
  const bookIt: BookCall = (given) => {
    if (offerId !== undefined) return bookOfHousehold(platform.database, given, { link, offerId });
    return link === undefined ? book(given) : bookLinked(platform.database, given, link);
  };
  const booked = await (ceilings === undefined ? bookIt(call) : bookWithin(ceilings, call, bookIt));
  platform.metrics.postbacks.inc({ provider: providerId, verdict: booked.verdict });
  sums?.add({ provider: providerId, verdict: booked.verdict, points: call.points });
  await announceBooked(platform, booked);
  return { answer: judged.successBody, booked };
}

/** The offer that a credit completed; undefined for a screen-out, and where the provider does not name it. */
const offerOf = (message: PostbackMessage): string | undefined =>
  message.kind === 'credit' && !message.isScreenOut ? message.offerId : undefined;

/** Verifies a call by the provider's secret, then by the former one while that is still good. */
function verify({ adapter, secret, formerSecret }: KnownProvider, raw: RawPostback): Verdict {
  const verdict = adapter.verify(raw, { secret });
  if (verdict.ok || verdict.code !== 'invalid-signature' || formerSecret === '') return verdict;
  return adapter.verify(raw, { secret: formerSecret });
}

/** Announces the balance if it changed, and the notice if there is one. */
export async function announceBooked(
  platform: NoticeParts,
  { memberId, balance, verdict }: Booked,
): Promise<void> {
  announceBalance(platform, memberId, balance);
  if (verdict === 'quarantined') platform.bus.announceWaiting(['quarantine']);
  if (memberId !== null && noticedVerdicts.has(verdict)) await announceNotices(platform, memberId);
}

export type Judged =
  | { ok: true; call: Call; link: string | undefined; message: PostbackMessage; successBody: string }
  | { ok: false; code: PostbackRefusal; why: string; isGenuine: boolean };

/**
 * Decides whether a call is booked, by the current settings: provider, path token, source, signature, parameters. So do
 * a call that arrives and one that an operator replays, which differ in the secrets that `verifyCall` tries.
 */
export async function judgePostback(
  platform: Pick<Platform, 'database'>,
  provider: KnownProvider | undefined,
  postback: Postback,
  verifyCall: (provider: KnownProvider, raw: RawPostback) => Verdict,
): Promise<Judged> {
  const { raw, address } = postback;
  const verdict = provider === undefined ? undefined : verifyCall(provider, raw);
  const isGenuine =
    provider !== undefined && verdict !== undefined && (await isGenuineCall(platform, provider, verdict));
  const refused = (code: PostbackRefusal, why = ''): Judged => ({ ok: false, code, why, isGenuine });
  if (provider === undefined || verdict === undefined || !provider.row.isEnabled)
    return refused('unknown-provider');
  if (!matchesPathToken(provider, postback)) return refused('unknown-provider', WRONG_TOKEN);
  const { sourceAddresses, sourcePolicy } = provider.row.settings;
  const isUnlistedSource = !isListedSource(address, sourceAddresses);
  if (isUnlistedSource && sourcePolicy === 'refuse') return refused('source-refused');
  if (!verdict.ok) return refused(verdict.code, verdict.why);
  const { message } = verdict;
  if (!isGenuine)
    return refused(
      'invalid-signature',
      'The transaction is a member’s id, which the wall’s own address signs',
    );
  if (postback.isChargebackOnly && message.kind !== 'reversal') return refused('not-a-chargeback');
  const call = callOf(provider, message, raw, address);
  if (isUnlistedSource && sourcePolicy === 'hold' && call.kind !== 'nothing') call.holdReason = 'source';
  const link = message.kind === 'nothing' ? undefined : message.link;
  return { ok: true, call, link, message, successBody: provider.adapter.successBody };
}

const WRONG_TOKEN = 'The path lacks the token of the settings, or has another one';

type PostbackRefusal =
  | 'unknown-provider'
  | 'source-refused'
  | 'invalid-signature'
  | 'invalid-postback'
  | 'not-a-chargeback';

/**
 * Whether the provider made this call: its signature is good, and can't come from a wall's URL, where the member reads
 * it. Such a wall signs a member's id, and the transaction of a call that can't be read may be one.
 */
async function isGenuineCall(
  { database }: Pick<Platform, 'database'>,
  { adapter }: KnownProvider,
  verdict: Verdict,
): Promise<boolean> {
  if (!verdict.ok) return verdict.code !== 'invalid-signature' && adapter.signsWallsLikePostbacks !== true;
  const { transactionId } = verdict.message;
  if (adapter.signsWallsLikePostbacks !== true || !MEMBER_ID.test(transactionId ?? '')) return true;
  return (await findAccount(database, transactionId ?? '')) === undefined;
}

function matchesPathToken({ row }: KnownProvider, { pathToken }: Postback): boolean {
  const wanted = row.settings.pathToken ?? null;
  return wanted === null || pathToken === null ? wanted === pathToken : sameText(wanted, pathToken);
}
