/**
 * Without Redis the nodes can't tell each other the news and can't count calls together, so one node alone may use a
 * database. A lease says which. Its holder names the machine and the data directory too: a start may take over at once
 * from a process of both that has ended, for example after a crash.
 */
import { existsSync, readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isProcessAlive } from './file-lock.ts';
import { findHolder, type Lease, type LeaseParts, processName, takeLease } from './leases.ts';

const NAME = 'only node';
/** Longer than a lease lasts, so that a start succeeds after the end of a node whose process can't be looked at. */
const WAIT_MS_MAX = 20_000;
const TRIED_EVERY_MS = 500;

/** Takes the lease, or waits for it. Returns undefined if another node keeps it. */
export async function becomeOnlyNode(
  parts: LeaseParts,
  dataDir: string,
  onLost: () => void,
): Promise<Lease | undefined> {
  const place = `${machine} ${resolve(dataDir)}`;
  const deadlineMs = performance.now() + WAIT_MS_MAX;
  for (let tries = 0; ; tries += 1) {
    const current = await findHolder(parts.database, NAME);
    const endedHolder = current !== undefined && hasEnded(current, place) ? current : undefined;
    const lease = await takeLease(parts, NAME, {
      holder: `${processName} ${place}`,
      onLost,
      ...(endedHolder === undefined ? {} : { endedHolder }),
    });
    if (lease !== undefined || performance.now() > deadlineMs) return lease;
    if (tries === 0) {
      const [host, pid] = current?.split(' ') ?? [];
      const message = 'another node uses this database, or did a moment ago; waiting for 20 s at most';
      parts.log.info({ host, pid }, message);
    }
    await sleep(TRIED_EVERY_MS);
  }
}

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
