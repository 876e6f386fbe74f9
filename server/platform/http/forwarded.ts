import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import type { Health } from '../health.ts';

/**
 * Notices a proxy that TRUSTED_PROXIES does not name. The address that it forwards is not believed, so all members
 * behind it count as one source: they share every limit, and one of them can use it up for all.
 */
const NAME = 'proxy';
const QUIET_MS = 60 * 60_000;

/** Reports in live mode, until no such call came for `quietMs`. */
export function watchForwarded(
  app: FastifyInstance,
  { mode }: Pick<Config, 'mode'>,
  health: Health,
  quietMs = QUIET_MS,
): void {
  if (mode !== 'live') return;
  let peer: string | undefined;
  let ending: NodeJS.Timeout | undefined;
  health.report(NAME, undefined);
  const end = () => {
    peer = undefined;
    ending = undefined;
    health.report(NAME, undefined);
  };
  app.addHook('onRequest', (request, _reply, done) => {
    if (request.headers['x-forwarded-for'] !== undefined && !isForwarderTrusted(request)) {
      if (peer !== request.socket.remoteAddress) {
        peer = request.socket.remoteAddress;
        health.report(NAME, troubleOf(peer));
      }
      ending = ending?.refresh() ?? setTimeout(end, quietMs).unref();
    }
    done();
  });
  app.addHook('onClose', async () => clearTimeout(ending));
}

/** A forwarded address stands behind the peer's in the list only if the peer is trusted. */
const isForwarderTrusted = ({ ip, ips, socket }: FastifyRequest): boolean =>
  ip !== socket.remoteAddress || (ips?.length ?? 0) > 1;

const troubleOf = (peer = 'an unknown address'): string =>
  `Calls with X-Forwarded-For come from ${peer.replace(/^::ffff:/, '')}, which TRUSTED_PROXIES does not name: ` +
  'all members behind it count as one address.';
