import { sentence } from '#contract/operator-sentences.ts';
import type { Rate } from '#contract/withdrawals-rates.ts';
import { recordActs } from '#platform/audit-trail.ts';
import type { Platform } from '#platform/platform.ts';
import { rateSourcesOf } from '#platform/rate-source.ts';
import { refuse } from '#platform/refusal.ts';
import { readSettings } from '#platform/settings.ts';
import { readMethodLimits } from './queries.ts';
import { rails } from './rails/registry.ts';
import { agreeWithin, differsByMore, isAgeWithin } from './rate-bounds.ts';
import * as queries from './rate-queries.ts';
import { askSource, type Currency, type SourceAnswer, sourceName } from './rate-sources.ts';

/**
 * Exchange rates: US dollars for one unit of each currency in which an enabled method pays. One or two sources are
 * asked. A rate is believed within bounds (settings of the site):
 *
 * - where two sources are set, both must answer and agree, and the first one's price is taken;
 * - a price older than RATE_MAX_AGE_S, by the source's own time where it states one, is no rate;
 * - a rate that moved further in an hour than the bound waits for an operator. Meanwhile there is no rate.
 *
 * While the sources fail or differ, the last believed rate is used until it is too old. The sources are not asked for a
 * short time after a failure, so that a bulk approval waits for them only once.
 */
type RateParts = Pick<Platform, 'database' | 'config' | 'log' | 'health'>;

/** The methods that are paid in a currency of the rate sources. */
export const payers = rails.flatMap(({ id, currency: { rateId, symbol } }) =>
  rateId === null ? [] : [{ method: id, currency: { id: rateId, symbol } }],
);
const findCurrency = (id: string): Currency | undefined =>
  payers.map(({ currency }) => currency).find((currency) => currency.id === id);
/** A rate is fetched again after this age. */
const REFRESH_S = 60;
/** The time after a failure during which the sources are not asked. */
const RETRY_MS = 10_000;
/** A price whose stated time is further in the future than this is of a wrong clock. */
const AHEAD_S_MAX = 300;

/** The time of the sources' last failure, and the running questions, by database. */
const failedAt = new WeakMap<object, number>();
const asking = new WeakMap<object, Map<string, Promise<void>>>();

/** A rate by the sources, and its age by their own time; or what is wrong with it. */
type Judged =
  | { kind: 'agreed'; usd: string; ageS: number; sources: queries.SourcePrice[] }
  | { kind: 'refused'; reason: string };

const troubleOf = (currency: string) => `rate-${currency}` as const;

/** The currencies whose methods are enabled. */
async function readCurrencies({ database }: Pick<RateParts, 'database'>): Promise<Currency[]> {
  const enabled = await readMethodLimits(database);
  const asked = payers.filter((payer) => enabled.some(({ method }) => method === payer.method));
  return [...new Map(asked.map(({ currency }) => [currency.id, currency])).values()];
}

/**
 * Asks the sources for the rates of these currencies and keeps those within their bounds. A failure is reported to the
 * health and not thrown. For `RETRY_MS` after it the sources are not asked.
 */
async function fetchRatesOf(platform: RateParts, asked: readonly Currency[]): Promise<void> {
  const { database, config, health } = platform;
  const sources = rateSourcesOf(config);
  if (sources.length === 0 || asked.length === 0) return;
  if (performance.now() - (failedAt.get(database) ?? Number.NEGATIVE_INFINITY) < RETRY_MS) return;
  const [answers, { rateBounds }] = await Promise.all([
    Promise.all(sources.map((source) => askSource(source, asked))),
    readSettings(database, config.mode),
  ]);
  const { now } = await queries.readRealTime(database);
  for (const currency of asked) {
    const given = sources.map((source, index) => ({
      name: sourceName(source),
      answer: answers[index] ?? 'none',
    }));
    const bounds = { now, maxAgeS: config.rateMaxAgeS, differencePercent: rateBounds.differencePercent };
    const judged = judge(currency, given, bounds);
    if (judged.kind === 'agreed') {
      health.report(
        troubleOf(currency.id),
        await keepRate(platform, currency.id, judged, rateBounds.jumpPercent),
      );
      continue;
    }
    failedAt.set(database, performance.now());
    health.report(troubleOf(currency.id), judged.reason);
  }
}

type Bounds = { now: Date; maxAgeS: number; differencePercent: number };

const otherTimeText = (currency: string, source: string, at: Date | null): string =>
  sentence('rate-of-another-time', { currency, source, pricedAt: at?.toISOString() ?? '' });

/** Judges what the sources say of a currency: each must have a price of now, and they must agree. */
export function judge(
  { id }: Currency,
  given: readonly { name: string; answer: SourceAnswer }[],
  { now, maxAgeS, differencePercent }: Bounds,
): Judged {
  const refused = (reason: string): Judged => ({ kind: 'refused', reason });
  const prices: (queries.SourcePrice & { ageS: number })[] = [];
  for (const { name, answer } of given) {
    if (typeof answer === 'string')
      return refused(sentence('rate-source-silent', { source: name, answerText: answer }));
    const price = answer.get(id);
    if (price === undefined)
      return refused(sentence('rate-missing-at-source', { source: name, currency: id }));
    const ageS = price.at === null ? 0 : (now.getTime() - price.at.getTime()) / 1_000;
    if (ageS > maxAgeS || ageS < -AHEAD_S_MAX) return refused(otherTimeText(id, name, price.at));
    prices.push({ name, usd: price.usd, at: price.at?.toISOString() ?? null, ageS: Math.max(0, ageS) });
  }
  const [first, second] = prices;
  if (first === undefined) return refused(sentence('rate-missing', { currency: id }));
  if (second !== undefined && !agreeWithin(first.usd, second.usd, differencePercent)) {
    return refused(
      sentence('rates-differ', {
        currency: id,
        percent: differencePercent,
        priceList: `${first.usd} (${first.name}), ${second.usd} (${second.name})`,
      }),
    );
  }
  return {
    kind: 'agreed',
    usd: first.usd,
    ageS: Math.max(...prices.map(({ ageS }) => ageS)),
    sources: prices.map(({ name, usd, at }) => ({ name, usd, at })),
  };
}

/** Believes a rate, or keeps it for an operator if it moved too far. Returns the trouble, if there is one. */
async function keepRate(
  { database, log }: RateParts,
  currency: string,
  { usd, ageS, sources }: Extract<Judged, { kind: 'agreed' }>,
  jumpPercent: number,
): Promise<string | undefined> {
  const from = await database.transaction(async (tx) => {
    const { usd: last } = await queries.lockRate(tx, currency);
    const { lowest, highest } = await queries.readBelievedInHour(tx, currency);
    const compared = [lowest, highest, last].filter((rate) => rate !== null);
    const jumped = compared.find((rate) => differsByMore(rate, usd, jumpPercent));
    if (jumped === undefined) await queries.believeRate(tx, { currency, usd, sources, ageS });
    else await queries.keepWaiting(tx, { currency, usd, sources, ageS });
    return jumped;
  });
  if (from === undefined) return undefined;
  log.error({ currency, from, to: usd }, 'a rate jumped and waits for an operator');
  return jumpText(currency, from, usd);
}

const jumpText = (currency: string, from: string, to: string): string =>
  sentence('rate-jumped', { currency, fromRate: from, toRate: to });

/** Asks the sources for the rates of all enabled methods. */
export async function fetchRates(platform: RateParts): Promise<void> {
  await fetchRatesOf(platform, await readCurrencies(platform));
}

/** Fetches the rates unless all stored ones are recent. `also` is asked for although no enabled method may use it. */
export async function refreshRates(platform: RateParts, also?: Currency): Promise<void> {
  const enabled = await readCurrencies(platform);
  const asked = also && !enabled.some(({ id }) => id === also.id) ? [...enabled, also] : enabled;
  await refreshOnce(platform, asked);
  for (const { currency } of payers)
    if (!asked.some(({ id }) => id === currency.id))
      platform.health.report(troubleOf(currency.id), undefined);
}

/** Callers at the same time share one look and one question. */
function refreshOnce(platform: RateParts, asked: readonly Currency[]): Promise<void> {
  const ids = asked.map(({ id }) => id);
  const name = ids.join();
  const running = asking.get(platform.database) ?? new Map<string, Promise<void>>();
  asking.set(platform.database, running);
  const begun = running.get(name) ?? refresh(platform, asked, ids).finally(() => running.delete(name));
  running.set(name, begun);
  return begun;
}

async function refresh(platform: RateParts, asked: readonly Currency[], ids: string[]): Promise<void> {
  const refreshS = Math.min(REFRESH_S, platform.config.rateMaxAgeS / 2);
  const recent = (await queries.readRates(platform.database, ids)).filter(({ fetchedAgoS }) =>
    isAgeWithin(fetchedAgoS, refreshS),
  );
  if (recent.length < asked.length) await fetchRatesOf(platform, asked);
}

const isUsable = ({ ageS, waitingUsd }: queries.RateRow, maxAgeS: number): boolean =>
  isAgeWithin(ageS, maxAgeS) && waitingUsd === null;

/** Reads the stored rates that a payout could use now, for an estimate. Never asks the sources. */
export async function readFreshRates({ database, config }: Pick<RateParts, 'database' | 'config'>) {
  const rates = await queries.readRates(
    database,
    payers.map(({ currency }) => currency.id),
  );
  return payers.flatMap(({ method, currency }) => {
    const rate = rates.find((row) => row.currency === currency.id);
    if (rate === undefined || !isUsable(rate, config.rateMaxAgeS)) return [];
    return rate.usd === null || rate.pricedAt === null
      ? []
      : [{ method, usd: rate.usd, at: rate.pricedAt.toISOString() }];
  });
}

export type FreshRate = { usd: string; sources: queries.SourcePrice[] };

/**
 * Reads the rate for a payout in this currency, after a refresh.
 * @throws Refusal `rate-unavailable` if no stored rate is fresh, or one waits for an operator
 */
export async function freshRate(platform: RateParts, currency: string): Promise<FreshRate> {
  await refreshRates(platform, findCurrency(currency));
  const rate = await queries.findRate(platform.database, currency);
  if (rate?.waitingUsd != null && rate.usd !== null)
    throw refuse('rate-unavailable', jumpText(currency, rate.usd, rate.waitingUsd));
  if (rate === undefined || !isUsable(rate, platform.config.rateMaxAgeS)) throw refuse('rate-unavailable');
  const { usd, sources } = rate;
  if (usd === null || sources === null) throw refuse('rate-unavailable');
  return { usd, sources };
}

const rateOf = (
  currency: string,
  row: queries.RateRow | undefined,
  { rateMaxAgeS }: RateParts['config'],
): Rate => ({
  currency,
  usd: row?.usd ?? null,
  at: row?.pricedAt?.toISOString() ?? null,
  ageSeconds: row?.ageS == null ? null : Math.floor(row.ageS),
  isUsable: row !== undefined && isUsable(row, rateMaxAgeS),
  sources: row?.sources ?? [],
  waiting:
    row?.waitingUsd == null || row.waitingPricedAt === null
      ? null
      : { usd: row.waitingUsd, at: row.waitingPricedAt.toISOString(), sources: row.waitingSources ?? [] },
});

/** Reads the rates of the enabled methods' currencies, for operators. Never asks the sources. */
export async function readPayoutRates({
  database,
  config,
}: Pick<RateParts, 'database' | 'config'>): Promise<Rate[]> {
  const ids = (await readCurrencies({ database })).map(({ id }) => id);
  const rows = await queries.readRates(database, ids);
  return ids.map((id) =>
    rateOf(
      id,
      rows.find(({ currency }) => currency === id),
      config,
    ),
  );
}

/**
 * Believes the rate that waits. With `usd`, only if it is the one that the operator saw.
 * @throws Refusal `not-found`, `already-decided` if none waits, `quote-moved`
 */
export async function confirmRate(
  { database, config, health }: Pick<RateParts, 'database' | 'config' | 'health'>,
  operatorId: number,
  currency: string,
  { usd, reason }: { usd?: string | undefined; reason: string },
): Promise<Rate> {
  if (findCurrency(currency) === undefined) throw refuse('not-found');
  const row = await database.transaction(async (tx) => {
    const { usd: before, waitingUsd } = await queries.lockRate(tx, currency);
    if (waitingUsd === null) throw refuse('already-decided', 'No rate of this currency waits.');
    if (usd !== undefined && differsByMore(usd, waitingUsd, 0)) throw refuse('quote-moved');
    await queries.believeWaiting(tx, currency, operatorId);
    await recordActs(tx, [
      {
        actor: operatorId,
        act: 'rate.confirm',
        target: { kind: 'currency', id: currency },
        reason,
        before: { usd: before },
        after: { usd: waitingUsd },
      },
    ]);
    return queries.findRate(tx, currency);
  });
  health.report(troubleOf(currency), undefined);
  return rateOf(currency, row, config);
}
