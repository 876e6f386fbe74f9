import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { advanceClock, readClock } from '#platform/clock.ts';
import { faultsOf, InvalidRequest } from '#platform/http/problem.ts';
import { forEverybody } from '#platform/http/route-access.ts';
import { isCrossSite } from '#platform/http/same-origin.ts';
import { documentHeaders } from '#platform/http/security-headers.ts';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import type { ChainEntry } from './coin-node.ts';
import { readOutbox } from './outbox.ts';
import { pageStyle, sandboxPage } from './page.ts';
import { simplePrices } from './rate-source.ts';

/**
 * The site's `/sandbox` routes: outbox, chain, rates and clock. They need no session; calls that change something must
 * be same-origin. They are not in the contract, because a live site does not have them.
 */
const SECONDS_MAX = 10 * 366 * 86_400;

const clockCommand = z.strictObject({
  advanceSeconds: z.number().int('Must be a whole number').min(1, 'Must be positive').max(SECONDS_MAX),
});

export type SandboxSources = {
  chain: () => ChainEntry[];
  /** Reads the demo member's signed wall URLs. */
  readWallLinks: () => Promise<{ name: string; url: string }[]>;
};

const policyOf = (nonce: string): string =>
  [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    `script-src 'nonce-${nonce}'`,
    "connect-src 'self'",
    "img-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

export function registerSandboxRoutes(
  { app, config, database }: Platform,
  { chain: readChain, readWallLinks }: SandboxSources,
): void {
  const open = { config: forEverybody };
  app.get('/sandbox', { ...open, onRequest: documentHeaders(config) }, async (_request, reply) => {
    const nonce = randomBytes(18).toString('base64');
    const [outbox, clock, walls, style] = await Promise.all([
      readOutbox(database),
      readClock(database),
      readWallLinks(),
      pageStyle(),
    ]);
    const chain = readChain();
    return reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('content-security-policy', policyOf(nonce))
      .send(sandboxPage({ outbox, clock, walls, chain, config }, style, nonce));
  });
  app.get('/sandbox/outbox', open, () => readOutbox(database));
  app.get('/sandbox/chain', open, async () => readChain());
  app.get('/sandbox/rates', open, async () => simplePrices());
  app.post('/sandbox/clock', {
    ...open,
    onRequest: async (request) => {
      if (isCrossSite(request.headers, config)) throw refuse('cross-site');
    },
    handler: async (request) => {
      const command = clockCommand.safeParse(request.body);
      if (!command.success) throw new InvalidRequest(faultsOf(command.error));
      const now = await advanceClock(database, BigInt(command.data.advanceSeconds));
      return { now: now.toISOString() };
    },
  });
}
