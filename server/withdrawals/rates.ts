import { z } from 'zod';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import { parseLosslessly } from './lossless-json.ts';
import { isRate } from './payout-amount.ts';
import { findRate, saveRate } from './queries.ts';
import { rails } from './rails/registry.ts';

/**
 * Exchange rates: US dollars for one unit of each currency that a registered rail pays in, fetched from
 * RATE_SOURCE_URL as simple-price JSON, kept with their time. A payout uses a rate only while it is fresh; a source
 * that fails leaves the last rate to grow old until it is refused, and is left alone for a moment, so that a list of
 * approvals waits for it once and not once each.
 */
type RateParts = Pick<Platform, 'database' | 'config' | 'log'>;

const payers = rails.flatMap(({ id, currency: { rateId } }) =>
  rateId === null ? [] : [{ method: id, rateId }],
);
const currencies = [...new Set(payers.map(({ rateId }) => rateId))];
const FETCH_TIMEOUT_MS = 5_000;
const ANSWER_CHARACTERS_MAX = 100_000;
/** A rate younger than this is good enough not to ask again. */
const REFRESH_S = 60;
/** After a failure the source is not asked again for so long. */
const RETRY_MS = 10_000;

/** When the source failed last, for each database whose rates it feeds. */
const failedAt = new WeakMap<object, number>();

/** Numbers arrive as the text they were written in; a whole number as a number. */
const prices = z.record(
  z.string(),
  z.object({ usd: z.union([z.string(), z.number().int()]).transform(String) }).partial(),
);

/**
 * Fetches the rates and keeps those that are positive decimal numbers. An outage of the source is logged, not
 * thrown, and not repeated within `RETRY_MS`.
 */
export async function fetchRates({ database, config, log }: RateParts): Promise<void> {
  if (config.rateSourceUrl === null) return;
  if (performance.now() - (failedAt.get(database) ?? Number.NEGATIVE_INFINITY) < RETRY_MS) return;
  const answer = await readSource(config.rateSourceUrl);
  if (typeof answer === 'string') {
    failedAt.set(database, performance.now());
    log.warn({ reason: answer }, 'the rate source did not answer with rates');
    return;
  }
  for (const currency of currencies) {
    const usd = answer[currency]?.usd;
    if (usd !== undefined && isRate(usd)) await saveRate(database, currency, usd);
    else log.warn({ currency }, 'the rate source has no usable rate for a currency');
  }
}

/** The source's prices, or the reason why there are none. */
async function readSource(url: string): Promise<z.output<typeof prices> | string> {
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
    });
    if (!response.ok) return `status ${response.status}`;
    const text = await response.text();
    if (text.length > ANSWER_CHARACTERS_MAX) return 'the answer is too long';
    const parsed = prices.safeParse(parseLosslessly(text));
    return parsed.success ? parsed.data : 'the answer has another shape';
  } catch (error) {
    return error instanceof Error ? error.message : 'no connection'; // an outage of theirs, told to the caller
  }
}

/** Asks the source again unless the kept rates are young. */
export async function refreshRates(platform: RateParts): Promise<void> {
  const maxAgeS = Math.min(REFRESH_S, platform.config.rateMaxAgeS / 2);
  const kept = await Promise.all(currencies.map((currency) => findRate(platform.database, currency)));
  if (kept.some((rate) => rate === undefined || rate.ageS > maxAgeS)) await fetchRates(platform);
}

/** The kept rates that are young enough to pay by, for an estimate. Never asks the source. */
export async function readFreshRates({ database, config }: Omit<RateParts, 'log'>) {
  const kept = await Promise.all(
    payers.map(async ({ method, rateId }) => ({ method, rate: await findRate(database, rateId) })),
  );
  return kept.flatMap(({ method, rate }) =>
    rate === undefined || rate.ageS > config.rateMaxAgeS
      ? []
      : [{ method, usd: rate.usd, at: rate.fetchedAt.toISOString() }],
  );
}

/**
 * The rate by which a payout in this currency is worked out.
 * @throws Refusal `rate-unavailable` where there is none that is young enough
 */
export async function freshRate(platform: RateParts, currency: string): Promise<string> {
  await refreshRates(platform);
  const rate = await findRate(platform.database, currency);
  if (rate === undefined || rate.ageS > platform.config.rateMaxAgeS) throw refuse('rate-unavailable');
  return rate.usd;
}
