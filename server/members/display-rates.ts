import { z } from 'zod';
import { type Currency, currencies } from '#contract/members.ts';
import type { Reader } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { geckoUrl, rateSourcesOf, readRateSource } from '#platform/rate-source.ts';
import * as queries from './queries.ts';

/**
 * Exchange rates from US dollars, to show the worth of points in other currencies. A rate is computed from the site's
 * rate source, which has the price of a coin in both currencies. No payment uses it. A rate older than a day is not
 * shown; the web then shows dollars.
 */
const MAX_AGE_HOURS = 24;
/** Rates are fetched again after this time. */
const REFRESH_HOURS = 1;
const DECIMALS = 6n;

const foreign = currencies.filter((currency) => currency !== 'USD');

// Floating-point numbers are exact enough, because these prices are only displayed.
const price = z.number().positive().max(1e12);
const prices = z.record(z.string(), z.record(z.string(), z.unknown()));

/** Reads the rates of the last day, with the time of each. */
export async function readDisplayRates(
  reader: Reader,
): Promise<{ currency: Currency; perUsd: string; asOf: string }[]> {
  const rows = await queries.readFreshDisplayRates(reader, MAX_AGE_HOURS);
  return rows.map((row) => ({
    currency: row.currency,
    perUsd: row.perUsd,
    asOf: row.fetchedAt.toISOString(),
  }));
}

/**
 * Fetches the rates if the stored ones are older than an hour. If the source fails, logs it and keeps the stored ones.
 */
export async function refreshDisplayRates({
  database,
  config,
  log,
}: Pick<Platform, 'database' | 'config' | 'log'>): Promise<void> {
  const url = urlOf(rateSourcesOf(config));
  if (url === undefined) return;
  if ((await queries.readFreshDisplayRates(database, REFRESH_HOURS)).length === foreign.length) return;
  const answer = await readRateSource(url, prices, JSON.parse);
  if (typeof answer === 'string') {
    log.warn({ reason: answer }, 'the rate source did not answer with rates to show');
    return;
  }
  for (const currency of foreign) {
    const perUsd = perUsdOf(answer, currency);
    if (perUsd !== undefined) await queries.saveDisplayRate(database, currency, perUsd);
  }
}

/** The address with prices in all currencies. Kraken has no Korean won. Any deep market is good for CoinGecko. */
function urlOf(sources: readonly string[]): string | undefined {
  const source = sources.find((one) => one !== 'kraken');
  return source === 'coingecko' ? geckoUrl(['bitcoin'], currencies) : source;
}

/**
 * A dollar in `currency`, from the first coin with both prices, rounded down to six decimals; undefined without one.
 */
export function perUsdOf(
  source: Record<string, Record<string, unknown>>,
  currency: Currency,
): string | undefined {
  for (const one of Object.values(source)) {
    const usd = price.safeParse(one.usd);
    const other = price.safeParse(one[currency.toLowerCase()]);
    if (!usd.success || !other.success) continue;
    const [dividend, divisor] = [scaled(other.data), scaled(usd.data)];
    if (divisor === 0n) continue;
    const units = (dividend * 10n ** DECIMALS) / divisor;
    if (units > 0n) return decimal(units);
  }
  return undefined;
}

/** A price in units of 10^-8, rounded down. */
function scaled(value: number): bigint {
  const [mantissa = '0', exponent = '0'] = value.toExponential().split('e');
  const [whole = '0', fraction = ''] = mantissa.split('.');
  const shift = Number(exponent) - fraction.length + 8;
  const digits = BigInt(whole + fraction);
  return shift >= 0 ? digits * 10n ** BigInt(shift) : digits / 10n ** BigInt(-shift);
}

function decimal(units: bigint): string {
  const digits = units.toString().padStart(Number(DECIMALS) + 1, '0');
  const fraction = digits.slice(-Number(DECIMALS)).replace(/0+$/, '');
  const whole = digits.slice(0, -Number(DECIMALS));
  return fraction === '' ? whole : `${whole}.${fraction}`;
}
