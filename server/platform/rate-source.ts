import type { z } from 'zod';

/** Reads the site's source of exchange rates. Each feature has its own shape of the answer and its own parser. */
const FETCH_TIMEOUT_MS = 5_000;
const ANSWER_CHARACTERS_MAX = 100_000;

/**
 * Fetches the source's prices.
 * @param parse parses JSON; a parser that keeps decimals as text makes no float
 * @returns the prices, or the reason for the failure, which the caller logs
 */
export async function readRateSource<Prices extends z.ZodType>(
  url: string,
  prices: Prices,
  parse: (text: string) => unknown,
): Promise<z.output<Prices> | string> {
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
    });
    if (!response.ok) return `status ${response.status}`;
    const text = await response.text();
    if (text.length > ANSWER_CHARACTERS_MAX) return 'the answer is too long';
    const parsed = prices.safeParse(parse(text));
    return parsed.success ? parsed.data : 'the answer has another shape';
  } catch (error) {
    return error instanceof Error ? error.message : 'no connection'; // an outage of the source, returned as the reason
  }
}
