import { BlockList, isIPv6 } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { sentence } from '#contract/operator-sentences.ts';
import type { Config } from '../config.ts';
import type { Health } from '../health.ts';

/**
 * Notices a proxy that TRUSTED_PROXIES does not name. The address that it forwards is not believed, so all members
 * behind it count as one source: they share every limit, and one of them can use it up for all.
 *
 * Also notices a named proxy that forwards something else than an address, so that its members count as one too.
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

/**
 * Reports until no reason for it came for `quietMs`: a proxy that is not named in live mode, and one whose header can't
 * be read in each mode.
 */
export function watchForwarded(
  app: FastifyInstance,
  { mode, trustedProxies }: Pick<Config, 'mode' | 'trustedProxies'>,
  health: Health,
  quietMs = QUIET_MS,
): void {
  if (trustedProxies.length === 0) return;
  const named = new Set<string>();
  let unread: Unread | undefined;
  let ending: NodeJS.Timeout | undefined;
  health.report(NAME, undefined);
  const end = () => {
    named.clear();
    unread = undefined;
    ending = undefined;
    health.report(NAME, undefined);
  };
  const report = () => {
    health.report(NAME, sentencesOf([...named], unread));
    ending = ending?.refresh() ?? setTimeout(end, quietMs).unref();
  };
  const findForwarder = countForwarders();
  const watchUnnamed = (request: FastifyRequest) => {
    const isForwarded = request.headers['x-forwarded-for'] !== undefined && !isForwarderTrusted(request);
    const peer = isForwarded ? request.socket.remoteAddress?.replace(/^::ffff:/, '') : undefined;
    const frequent = peer !== undefined && isPrivate(peer) ? peer : findForwarder(peer);
    if (frequent === undefined) return;
    if (named.size < NAMED_MAX) named.add(frequent);
    report();
  };
  app.addHook('onRequest', (request, _reply, done) => {
    const { unreadForwarded, ip } = request;
    if (unreadForwarded !== undefined) {
      unread ??= { peer: ip, header: unreadForwarded };
      report();
    } else if (mode === 'live') watchUnnamed(request);
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

type Unread = { peer: string; header: string };
/** So much of the header is shown. */
const HEADER_SHOWN_MAX = 100;

function sentencesOf(peers: readonly string[], unread: Unread | undefined): string {
  const unnamed =
    peers.length === 0
      ? []
      : [sentence('proxy-untrusted', { peerList: peers.join(', ') }), sentence('proxy-named')];
  const header = JSON.stringify(unread?.header.slice(0, HEADER_SHOWN_MAX));
  const unreadable =
    unread === undefined ? [] : [sentence('proxy-unreadable', { peer: unread.peer }), header];
  return [...unnamed, ...unreadable].join(' ');
}
