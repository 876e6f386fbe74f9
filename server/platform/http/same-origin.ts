import type { IncomingHttpHeaders } from 'node:http';
import type { Config } from '../config.ts';

/** The site's origins. In the sandbox also localhost and 127.0.0.1. */
export function ownOrigins(config: Pick<Config, 'mode' | 'publicUrl' | 'port'>): string[] {
  if (config.mode === 'live') return [config.publicUrl];
  return [config.publicUrl, `http://localhost:${config.port}`, `http://127.0.0.1:${config.port}`];
}

/**
 * Whether a state-changing request comes from another site: its `Origin` is not the site's or, without one, its
 * `Sec-Fetch-Site` is not `same-origin`. A request without both headers counts as cross-site.
 */
export function isCrossSite(
  headers: IncomingHttpHeaders,
  config: Pick<Config, 'mode' | 'publicUrl' | 'port'>,
): boolean {
  const origin = headers.origin;
  if (origin !== undefined) return !ownOrigins(config).includes(origin);
  return headers['sec-fetch-site'] !== 'same-origin';
}
