import { BlockList, isIPv6 } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sentence } from '#contract/operator-sentences.ts';
import type { Config } from '../config.ts';
import type { Health } from '../health.ts';

/**
 * Notices a proxy that TRUSTED_PROXIES does not name. The address that it forwards is not believed, so all members
 * behind it count as one source: they share every limit, and one of them can use it up for all.
 *
 * Anybody can send the header. So a peer is reported if it is in a private network, or if most calls of the last
 * minutes carry the header; and never where the site says that it has no proxy.
 */
const NAME = 'proxy';
const QUIET_MS = 60 * 60_000;
const WINDOW_MS = 5 * 60_000;
/** Fewer calls say nothing about most of them. */
const CALLS_MIN = 20;
/** The addresses that a report names, and the ones that are counted in a window. */
const NAMED_MAX = 5;
const COUNTED_MAX = 1_000;

const privateAddresses = new BlockList();
for (const [network, prefix, family] of [
  ['10.0.0.0', 8, 'ipv4'],
  ['127.0.0.0', 8, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['100.64.0.0', 10, 'ipv4'],
  ['::1', 128, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
] as const)
  privateAddresses.addSubnet(network, prefix, family);

const isPrivate = (peer: string): boolean => privateAddresses.check(peer, isIPv6(peer) ? 'ipv6' : 'ipv4');

/** Reports in live mode, until no reason for it came for `quietMs`. */
export function watchForwarded(
  app: FastifyInstance,
  { mode, trustedProxies }: Pick<Config, 'mode' | 'trustedProxies'>,
  health: Health,
  quietMs = QUIET_MS,
): void {
  if (mode !== 'live' || trustedProxies.length === 0) return;
  const named = new Set<string>();
  let ending: NodeJS.Timeout | undefined;
  health.report(NAME, undefined);
  const end = () => {
    named.clear();
    ending = undefined;
    health.report(NAME, undefined);
  };
  const report = (peer: string) => {
    if (!named.has(peer) && named.size < NAMED_MAX) {
      named.add(peer);
      health.report(NAME, sentencesOf([...named]));
    }
    ending = ending?.refresh() ?? setTimeout(end, quietMs).unref();
  };
  const findForwarder = countForwarders();
  app.addHook('onRequest', (request, _reply, done) => {
    const isForwarded = request.headers['x-forwarded-for'] !== undefined && !isForwarderTrusted(request);
    const peer = isForwarded ? request.socket.remoteAddress?.replace(/^::ffff:/, '') : undefined;
    const frequent = peer !== undefined && isPrivate(peer) ? peer : findForwarder(peer);
    if (frequent !== undefined) report(frequent);
    done();
  });
  app.addHook('onClose', async () => clearTimeout(ending));
}

/**
 * Makes a function that counts a call and the peer that forwarded it. It returns the most frequent forwarder of the
 * window if most calls were forwarded.
 */
function countForwarders(): (peer: string | undefined) => string | undefined {
  let windowEndsAt = 0;
  let callCount = 0;
  let forwardedCount = 0;
  const callsByPeer = new Map<string, number>();
  let most = { peer: '', calls: 0 };
  return (peer) => {
    if (performance.now() >= windowEndsAt) {
      windowEndsAt = performance.now() + WINDOW_MS;
      callCount = 0;
      forwardedCount = 0;
      callsByPeer.clear();
      most = { peer: '', calls: 0 };
    }
    callCount += 1;
    if (peer === undefined) return undefined;
    forwardedCount += 1;
    const calls = (callsByPeer.get(peer) ?? 0) + 1;
    if (calls > 1 || callsByPeer.size < COUNTED_MAX) callsByPeer.set(peer, calls);
    if (calls > most.calls) most = { peer, calls };
    return callCount >= CALLS_MIN && forwardedCount * 2 > callCount ? most.peer : undefined;
  };
}

/** A forwarded address stands behind the peer's in the list only if the peer is trusted. */
const isForwarderTrusted = ({ ip, ips, socket }: FastifyRequest): boolean =>
  ip !== socket.remoteAddress || (ips?.length ?? 0) > 1;

const sentencesOf = (peers: readonly string[]): string =>
  `${sentence('proxy-untrusted', { peerList: peers.join(', ') })} ${sentence('proxy-named')}`;
