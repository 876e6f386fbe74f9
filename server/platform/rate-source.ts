import { isIP } from 'node:net';
import type { z } from 'zod';

/** Reads the site's sources of exchange rates. Each feature has its own shape of the answer and its own parser. */
const FETCH_TIMEOUT_MS = 5_000;
const ANSWER_CHARACTERS_MAX = 100_000;

/** The sources that need no address. Any other source is the URL of simple-price JSON. */
export const namedRateSources = ['coingecko', 'kraken'] as const;

/** The address of CoinGecko's simple prices, of coins by their ids there. */
export const geckoUrl = (coins: readonly string[], currencies: readonly string[]): string => {
  const options = 'include_last_updated_at=true&precision=full';
  const asked = `ids=${coins.join(',')}&vs_currencies=${currencies.join(',').toLowerCase()}`;
  return `https://api.coingecko.com/api/v3/simple/price?${asked}&${options}`;
};

/** The host of a source: whose prices it gives. */
export function rateSourceHost(source: string): string {
  if (source === 'coingecko') return 'api.coingecko.com';
  if (source === 'kraken') return 'api.kraken.com';
  return new URL(source).host;
}

export type RateSources = { rateSourceUrl: string | null; rateSourceUrl2: string | null };

/** The set sources, in their order. */
export const rateSourcesOf = ({ rateSourceUrl, rateSourceUrl2 }: RateSources): string[] =>
  [rateSourceUrl, rateSourceUrl2].filter((source) => source !== null);

/** The sources of live mode, which asks two of different owners unless others are set. */
export function liveRateSources({
  RATE_SOURCE_URL: first = 'coingecko',
  RATE_SOURCE_URL_2: second = ownerOf(first) === ownerOf('kraken') ? 'coingecko' : 'kraken',
}: {
  RATE_SOURCE_URL?: string | undefined;
  RATE_SOURCE_URL_2?: string | undefined;
}): RateSources {
  return { rateSourceUrl: first, rateSourceUrl2: second };
}

/** The faults of live mode's sources: unencrypted ones, and two of one owner, one line each. */
export function rateSourceFaults(sources: RateSources): string[] {
  const [first = '', second = ''] = rateSourcesOf(sources);
  const faults = ['RATE_SOURCE_URL', 'RATE_SOURCE_URL_2'].flatMap((name, index) =>
    [first, second][index]?.startsWith('http:') ? [`${name}: must be https in live mode`] : [],
  );
  if (ownerOf(first) !== ownerOf(second)) return faults;
  return [...faults, 'RATE_SOURCE_URL_2: must be of another owner than RATE_SOURCE_URL'];
}

/**
 * Whether a URL can be called. One with a user or a password can't, and the error about it would hold the whole URL,
 * also a key in its query.
 */
export function isCallable(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { username, password } = new URL(address);
  return username === '' && password === '';
}

/** The registered part of a source's host. */
function ownerOf(source: string): string {
  const name = rateSourceHost(source).replace(/:\d+$/, '');
  return isIP(name) === 0 ? name.split('.').slice(-2).join('.') : name;
}

/**
 * Fetches a source's prices, in five seconds at most for the whole answer.
 * @param parse parses JSON; a parser that keeps decimals as text makes no float
 * @returns the prices, or the reason for the failure, which the caller logs
 */
export async function readRateSource<Prices extends z.ZodType>(
  url: string,
  prices: Prices,
  parse: (text: string) => unknown,
): Promise<z.output<Prices> | string> {
  if (!isCallable(url)) return 'its URL can’t be called';
  try {
    const response = await fetch(url, {
      headers: { accept: 'application/json' },
      redirect: 'error',
      signal: AbortSignal.timeout(FETCH_TIMEOUT_MS),
    });
    if (!response.ok) return `status ${response.status}`;
    const text = await readText(response);
    if (text === undefined) return 'the answer is too long';
    const parsed = prices.safeParse(parse(text));
    return parsed.success ? parsed.data : 'the answer has another shape';
  } catch (error) {
    return error instanceof Error ? error.message : 'no connection'; // an outage of the source, returned as the reason
  }
}

/** Reads the body, and stops at one that is too long. The signal of the fetch ends it as well. */
async function readText({ body }: Response): Promise<string | undefined> {
  if (body === null) return '';
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true });
    if (text.length > ANSWER_CHARACTERS_MAX) return undefined;
  }
  return text;
}
