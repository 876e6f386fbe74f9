import { z } from 'zod';
import type { Platform } from '#platform/platform.ts';
import { readRateSource } from '#platform/rate-source.ts';
import { refuse } from '#platform/refusal.ts';
import { parseLosslessly } from './lossless-json.ts';
import { isRate } from './payout-amount.ts';
import { findRate, saveRate } from './queries.ts';
import { rails } from './rails/registry.ts';

/**
 * Exchange rates: US dollars for one unit of each currency that a registered rail pays in. They are fetched from
 * RATE_SOURCE_URL as simple-price JSON and stored with their time. A payout uses a rate only while it is fresh. While
 * the source fails, the last rate is used until it is too old. The source is not asked for a short time after a
 * failure, so that a bulk approval waits for it only once.
 */
type RateParts = Pick<Platform, 'database' | 'config' | 'log'>;

const payers = rails.flatMap(({ id, currency: { rateId } }) =>
  rateId === null ? [] : [{ method: id, rateId }],
);
const currencies = [...new Set(payers.map(({ rateId }) => rateId))];
/** A rate is fetched again after this age. */
const REFRESH_S = 60;
/** The time after a failure during which the source is not asked. */
const RETRY_MS = 10_000;

/** The time of the source's last failure, by database. */
const failedAt = new WeakMap<object, number>();

/** Keeps decimals as text, so that no float is made; integers become numbers first. */
const prices = z.record(
  z.string(),
  z.object({ usd: z.union([z.string(), z.number().int()]).transform(String) }).partial(),
);

/**
 * Fetches the rates and stores those that are positive decimal numbers. A failure of the source is logged and not
 * thrown. For `RETRY_MS` after it the source is not asked.
 */
export async function fetchRates({ database, config, log }: RateParts): Promise<void> {
  if (config.rateSourceUrl === null) return;
  if (performance.now() - (failedAt.get(database) ?? Number.NEGATIVE_INFINITY) < RETRY_MS) return;
  const answer = await readRateSource(config.rateSourceUrl, prices, parseLosslessly);
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

/** Fetches the rates unless all stored ones are recent. */
export async function refreshRates(platform: RateParts): Promise<void> {
  const maxAgeS = Math.min(REFRESH_S, platform.config.rateMaxAgeS / 2);
  const kept = await Promise.all(currencies.map((currency) => findRate(platform.database, currency)));
  if (kept.some((rate) => rate === undefined || rate.ageS > maxAgeS)) await fetchRates(platform);
}

/** Reads the stored rates that are fresh enough for a payout, for an estimate. Never asks the source. */
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
 * Reads the rate for a payout in this currency, after a refresh.
 * @throws Refusal `rate-unavailable` if no stored rate is fresh
 */
export async function freshRate(platform: RateParts, currency: string): Promise<string> {
  await refreshRates(platform);
  const rate = await findRate(platform.database, currency);
  if (rate === undefined || rate.ageS > platform.config.rateMaxAgeS) throw refuse('rate-unavailable');
  return rate.usd;
}
