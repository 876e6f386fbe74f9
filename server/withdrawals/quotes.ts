import type { QuotedWithdrawal } from '#contract/withdrawals-decisions.ts';
import type { Platform } from '#platform/platform.ts';
import { Refusal, refuse } from '#platform/refusal.ts';
import { readSettings } from '#platform/settings.ts';
import { boundsOf } from './approval-bounds.ts';
import * as queries from './decision-queries.ts';
import { capOf, refusalOf } from './decision-refusals.ts';
import { type RailSetup, setUpRail } from './payment-methods.ts';
import { amountText } from './payout-amount.ts';
import { sentenceOfStop } from './payout-stop-queries.ts';
import { possiblePaymentsOf } from './possible-payments.ts';
import type { OperatorRow } from './queries.ts';
import { differsByMore, isAgeWithin } from './rate-bounds.ts';
import type { SourcePrice } from './rate-queries.ts';
import { type FreshRate, freshRate, refreshRates } from './rates.ts';
import { findCheckReason, findOpenCheck } from './request-check-queries.ts';
import { queuedWithdrawalOf, readWithdrawalRow } from './withdrawal-list.ts';

/**
 * Quotes: the amount that an approval pays. What an operator was shown is stored, and an approval with its id pays
 * exactly that, unless the rate has moved by more than 2% since or the quote is older than ten minutes.
 */
export type QuoteParts = Pick<Platform, 'database' | 'config' | 'secrets' | 'log' | 'health'>;

export type Quote = { rate: string; amountUnits: bigint; sources: SourcePrice[] };

const MOVED_PERCENT_MAX = 2;
const AGE_S_MAX = 600;
/** A screen that looks again within this time gets the same quote. */
const SHOWN_AGAIN_S = 60;

/** What quotes are made of. */
type QuoteSource = {
  setUp: (method: string) => Promise<RailSetup>;
  readRate: (currency: string) => Promise<FreshRate>;
};

const sourceOf = (platform: QuoteParts): QuoteSource => ({
  setUp: (method) => setUpRail(platform, method),
  readRate: (currency) => freshRate(platform, currency),
});

const askedOnce = <Answer>(ask: (name: string) => Promise<Answer>) => {
  const answers = new Map<string, Promise<Answer>>();
  return (name: string): Promise<Answer> => {
    const answer = answers.get(name) ?? ask(name);
    answers.set(name, answer);
    return answer;
  };
};

/** For quotes of many withdrawals at a moment: each method is set up once, and each rate read once. */
export function sharedSource(platform: QuoteParts): QuoteSource {
  const { setUp, readRate } = sourceOf(platform);
  return { setUp: askedOnce(setUp), readRate: askedOnce(readRate) };
}

/**
 * Calculates what a withdrawal pays at the current rate.
 * @throws Refusal `payout-unavailable`, `rate-unavailable`
 */
export async function quoteNow(
  source: QuoteSource,
  { method, amountPoints, feePoints }: Pick<OperatorRow, 'method' | 'amountPoints' | 'feePoints'>,
): Promise<Quote> {
  const setup = await source.setUp(method);
  if (setup.kind === 'unusable') throw refuse('payout-unavailable', setup.reason);
  let sources: SourcePrice[] = [];
  const readRate = async (currencyId: string) => {
    const rate = await source.readRate(currencyId);
    sources = rate.sources;
    return rate.usd;
  };
  const quote = await setup.rail.quote({ amountPoints, feePoints }, readRate);
  if (quote.kind === 'refused') throw refuse('payout-unavailable', quote.reason);
  return { rate: quote.rate, amountUnits: quote.amountUnits, sources };
}

/**
 * Calculates what an approval pays: the amount of the quote that the operator saw, or the current one.
 * @throws Refusal `quote-moved`, and those of `quoteNow`
 */
export async function quoteToApprove(
  platform: QuoteParts,
  row: OperatorRow,
  quoteId: string | undefined,
): Promise<Quote> {
  const now = await quoteNow(sourceOf(platform), row);
  if (quoteId === undefined) return now;
  const shown = await queries.findQuote(platform.database, row.id, quoteId);
  if (shown === undefined || !isAgeWithin(shown.ageS, AGE_S_MAX)) throw refuse('quote-moved');
  if (differsByMore(shown.rate, now.rate, MOVED_PERCENT_MAX)) throw refuse('quote-moved');
  return shown;
}

/**
 * Reads a withdrawal for an operator. A pending one has a quote, which is stored as what the operator was shown, or the
 * trouble for which there is none: what stands against this operator's approval, or why nothing can be quoted.
 * @throws Refusal `not-found`
 */
export async function examineWithdrawal(
  platform: QuoteParts,
  operatorId: number,
  id: string,
): Promise<QuotedWithdrawal> {
  const { database, config } = platform;
  const row = await readWithdrawalRow(database, id);
  const bounds = boundsOf(await readSettings(database, config.mode));
  const facts = await queries.readApprovalFacts(database, operatorId, id, bounds);
  const { holdUntil, firstApprovedBy, firstApproverEmail, stop, obstacle } = facts;
  const trouble = stop === null ? facts.trouble : sentenceOfStop(stop);
  const isFirstOfTwo = obstacle === 'first_approval';
  const refusal =
    obstacle === null || isFirstOfTwo ? null : refusalOf({ status: obstacle, state: row.state }, facts);
  const check = await findOpenCheck(database, id);
  const shown = {
    ...queuedWithdrawalOf({ ...facts, ...row }),
    holdUntil: holdUntil?.toISOString() ?? null,
    firstApprovedBy: firstApprovedBy === null ? null : String(firstApprovedBy),
    firstApproverEmail,
    obstacle: refusal && { code: refusal.code, cap: capOf(facts) },
    isFirstOfTwo,
    possiblePayments:
      check === undefined ? [] : possiblePaymentsOf({ ...check, destination: row.destination }),
  };
  if (row.state !== 'pending') return { ...shown, quote: null, trouble };
  // Of a check the operator reads which payments it is about. `holdUntil` says the rest about a held request.
  const reason =
    (await findCheckReason(database, id)) ?? (obstacle === 'on_hold' ? null : (refusal?.message ?? null));
  if (reason !== null) return { ...shown, quote: null, trouble: reason };
  return { ...shown, ...(await showQuote(platform, row)) };
}

async function showQuote(platform: QuoteParts, row: OperatorRow) {
  try {
    const quote = await quoteNow(sourceOf(platform), row);
    const { id, rate, amountUnits, sources, madeAt } = await storeQuote(platform, row.id, quote);
    const coinAmount = amountText(amountUnits);
    return { quote: { id, rate, coinAmount, sources, at: madeAt.toISOString() }, trouble: null };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { quote: null, trouble: error.message };
  }
}

async function storeQuote({ database }: QuoteParts, withdrawalId: string, quote: Quote) {
  const wanted = { ...quote, ageSMax: SHOWN_AGAIN_S };
  const shown = await queries.findRecentQuote(database, withdrawalId, wanted);
  return shown ?? (await queries.insertQuote(database, withdrawalId, quote));
}

/** Refreshes the rates that quotes are made of, and deletes quotes that are too old to be used. */
export async function refreshQuotes(platform: QuoteParts): Promise<void> {
  await refreshRates(platform);
  await queries.deleteOldQuotes(platform.database);
}
