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
import { setTimeout as sleep } from 'node:timers/promises';
import { isProcessAlive } from './file-lock.ts';
import {
  endUnheldLease,
  findHolder,
  type Lease,
  type LeaseParts,
  processName,
  RENEWED_EVERY_MS,
  shareLease,
  takeLease,
} from './leases.ts';

const ALONE = 'only node';
const TOGETHER = 'nodes with Redis';
/** Longer than a lease lasts, so that a start succeeds after the end of a node whose process can't be looked at. */
const WAIT_MS_MAX = 20_000;
const TRIED_EVERY_MS = 500;

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
    const current = await findHolder(database, ALONE);
    const endedHolder = current !== undefined && hasEnded(current, place) ? current : undefined;
    const lease = await takeLease(parts, ALONE, {
      holder: `${processName} ${place}`,
      onLost,
      ...(endedHolder === undefined ? {} : { endedHolder }),
    });
    if (lease === undefined) return { holder: current };
    const others = await findHolder(database, TOGETHER);
    if (others === undefined) return { claim: lease };
    await lease.release();
    return { holder: others };
  });
}

/**
 * Says again and again that this node uses the database together with others, through Redis. Waits while a node without
 * Redis uses it, and returns undefined if that one goes on.
 */
export function joinNodes(parts: LeaseParts, options: ClaimOptions): Promise<Claim | undefined> {
  const { database, log } = parts;
  const { dataDir, onLost, renewedEveryMs = RENEWED_EVERY_MS } = options;
  const place = placeOf(dataDir);
  const findOnlyNode = async () => {
    const current = await findHolder(database, ALONE);
    const hasLeft = current !== undefined && hasEnded(current, place);
    return endUnheldLease(database, ALONE, hasLeft ? current : undefined);
  };
  const renew = async () => {
    try {
      await shareLease(database, TOGETHER);
      if ((await findHolder(database, ALONE)) === undefined) return;
      clearInterval(timer);
      log.error('a node without Redis uses this database');
      onLost();
    } catch (error) {
      // The next renewal tries again. A node without Redis that starts meanwhile is found by it.
      log.warn({ error }, 'this node could not say that it uses the database');
    }
  };
  let timer: NodeJS.Timeout | undefined;
  return untilClaimed(parts, options, async () => {
    const before = await findOnlyNode();
    if (before !== undefined) return { holder: before };
    await shareLease(database, TOGETHER);
    const holder = await findOnlyNode();
    if (holder !== undefined) return { holder };
    timer = setInterval(() => void renew(), renewedEveryMs).unref();
    // The lease is not given back, because other nodes may use it. It expires by itself.
    return { claim: { release: async () => clearInterval(timer) } };
  });
}

type Tried = { claim: Claim } | { holder: string | undefined };

/** Tries until it succeeds or the time is over. */
async function untilClaimed(
  { log }: LeaseParts,
  { waitMsMax = WAIT_MS_MAX }: ClaimOptions,
  attempt: () => Promise<Tried>,
): Promise<Claim | undefined> {
  const deadlineMs = performance.now() + waitMsMax;
  for (let tries = 0; ; tries += 1) {
    const tried = await attempt();
    if ('claim' in tried) return tried.claim;
    if (performance.now() > deadlineMs) return undefined;
    if (tries === 0) {
      const [host, pid] = tried.holder?.split(' ') ?? [];
      const message = 'another node uses this database, or did a moment ago; waiting for 20 s at most';
      log.info({ host, pid }, message);
    }
    await sleep(TRIED_EVERY_MS);
  }
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
  const [, pid, , ...itsPlace] = holder.split(' ');
  if (itsPlace.join(' ') !== place) return false;
  return Number(pid) === process.pid || !isProcessAlive(Number(pid));
}
