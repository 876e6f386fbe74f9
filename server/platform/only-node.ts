/**
 * Without Redis the nodes can't tell each other the news and can't count calls together, so one node alone may use a
 * database: it holds a lease for as long as it runs. Nodes with Redis share another one, so that a node without it
 * can't start beside them. Each kind says first that it is there and then looks for the other, so that of two that
 * start at the same time at least one sees the other.
 *
 * The holder of a lease names the machine and the data directory too: a start may take over at once from a process of
 * both that has ended, for example after a crash.
 */
import { existsSync, readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { sentence } from '#contract/operator-sentences.ts';
import { isProcessAlive } from './file-lock.ts';
import { nodeLeases } from './health-names.ts';
import {
  endUnheldLease,
  findHolder,
  type Lease,
  type LeaseParts,
  partOf,
  processOf,
  RENEWED_EVERY_MS,
  shareLease,
  takeLease,
  takeLeaseWithin,
} from './leases.ts';

export const { onlyNode: ONLY_NODE, redisNodes: REDIS_NODES } = nodeLeases;
/** Longer than a lease lasts, so that a start succeeds after the end of a node whose process can't be looked at. */
const WAIT_MS_MAX = 20_000;

type Claim = Pick<Lease, 'release'>;
export type ClaimOptions = {
  dataDir: string;
  onLost: () => void;
  waitMsMax?: number;
  renewedEveryMs?: number;
};

/** Takes the lease of the only node, or waits for it. Returns undefined if another node goes on. */
export function becomeOnlyNode(parts: LeaseParts, options: ClaimOptions): Promise<Claim | undefined> {
  const { database } = parts;
  const { dataDir, onLost } = options;
  const place = placeOf(dataDir);
  return untilClaimed(parts, options, async () => {
    // Nodes with Redis end when they find this lease taken, even if it is given back at once. So it is not tried.
    const running = await findHolder(database, REDIS_NODES);
    if (running !== undefined) return { holder: running };
    const current = await findHolder(database, ONLY_NODE);
    const endedHolder = current !== undefined && hasEnded(current, place) ? current : undefined;
    const lease = await takeLease(parts, ONLY_NODE, {
      place,
      onLost,
      ...(endedHolder === undefined ? {} : { endedHolder }),
    });
    if (lease === undefined) return { holder: current };
    const others = await findHolder(database, REDIS_NODES);
    if (others === undefined) return { claim: lease };
    await lease.release();
    return { holder: others };
  });
}

/**
 * Says again and again that this node uses the database together with others, through Redis. Waits while a node without
 * Redis uses it, and returns undefined if that one goes on.
 */
export function claimAsOneOfSeveral(parts: LeaseParts, options: ClaimOptions): Promise<Claim | undefined> {
  const { database, log, health } = parts;
  const { dataDir, onLost, renewedEveryMs = RENEWED_EVERY_MS } = options;
  const place = placeOf(dataDir);
  const findOnlyNode = async () => {
    const current = await findHolder(database, ONLY_NODE);
    const hasLeft = current !== undefined && hasEnded(current, place);
    return endUnheldLease(database, ONLY_NODE, hasLeft ? current : undefined);
  };
  const renew = async () => {
    try {
      await shareLease(database, REDIS_NODES);
      health.report(partOf(REDIS_NODES), undefined);
      if ((await findHolder(database, ONLY_NODE)) === undefined) return;
      clearInterval(timer);
      log.error('a node without Redis uses this database');
      onLost();
    } catch (error) {
      // The next renewal tries again. A node without Redis that starts meanwhile is found by it.
      if (health.report(partOf(REDIS_NODES), sentence('lease-of-nodes-not-renewed')))
        log.warn({ error, lease: REDIS_NODES }, 'a lease could not be renewed');
    }
  };
  let timer: NodeJS.Timeout | undefined;
  let renewing = Promise.resolve();
  const release = async () => {
    clearInterval(timer);
    // A renewal that is on its way would be stored after the node said that it stopped.
    await renewing;
    health.report(partOf(REDIS_NODES), undefined);
  };
  return untilClaimed(parts, options, async () => {
    const before = await findOnlyNode();
    if (before !== undefined) return { holder: before };
    await shareLease(database, REDIS_NODES);
    const holder = await findOnlyNode();
    if (holder !== undefined) return { holder };
    timer = setInterval(() => {
      renewing = Promise.all([renewing, renew()]).then(() => undefined);
    }, renewedEveryMs).unref();
    // The lease is not given back, because other nodes may use it. It expires by itself.
    return { claim: { release } };
  });
}

type Tried = { claim: Claim } | { holder: string | undefined };

/** Tries until it succeeds or the time is over. */
async function untilClaimed(
  { log }: LeaseParts,
  { waitMsMax = WAIT_MS_MAX }: ClaimOptions,
  attempt: () => Promise<Tried>,
): Promise<Claim | undefined> {
  let isWaiting = false;
  return takeLeaseWithin(waitMsMax, async () => {
    const tried = await attempt();
    if ('claim' in tried) return tried.claim;
    if (!isWaiting) {
      isWaiting = true;
      const { host, pid } = tried.holder === undefined ? {} : processOf(tried.holder);
      const message = `another node uses this database, or did just now; waiting for ${waitMsMax / 1_000} s at most`;
      log.info({ host, pid }, message);
    }
    return undefined;
  });
}

const placeOf = (dataDir: string): string => `${machine} ${resolve(dataDir)}`;

/**
 * The running system and its space of process numbers. Two containers may have the same host name, data directory and
 * process number, but not the same space.
 */
const machine = existsSync('/proc/self/ns/pid')
  ? `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${readlinkSync('/proc/self/ns/pid')}`
  : hostname();

/** Whether the holder was a process of this place that no longer runs. */
function hasEnded(holder: string, place: string): boolean {
  const { pid, place: itsPlace } = processOf(holder);
  if (itsPlace !== place) return false;
  return pid === process.pid || !isProcessAlive(pid);
}
