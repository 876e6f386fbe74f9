import type { IncomingHttpHeaders } from 'node:http';
import type { Config } from '../config.ts';

/** The origins that are the site itself. The sandbox is also reached by both names of this machine. */
export function ownOrigins(config: Pick<Config, 'mode' | 'publicUrl' | 'port'>): string[] {
  if (config.mode === 'live') return [config.publicUrl];
  return [config.publicUrl, `http://localhost:${config.port}`, `http://127.0.0.1:${config.port}`];
}

/**
 * Whether a state-changing request comes from elsewhere: its `Origin` is not the site's or, where it has none, its
 * `Sec-Fetch-Site` is not `same-origin`. A request with neither counts as foreign.
 */
export function isCrossSite(
  headers: IncomingHttpHeaders,
  config: Pick<Config, 'mode' | 'publicUrl' | 'port'>,
): boolean {
  const origin = headers.origin;
  if (origin !== undefined) return !ownOrigins(config).includes(origin);
  return headers['sec-fetch-site'] !== 'same-origin';
}
