/**
 * Without Redis the nodes can't tell each other the news and can't count calls together, so one node alone may use a
 * database. A lease says which. Its holder names the data directory too: a start may take over at once from a process
 * of the same host and data directory that has ended, for example after a crash.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Reader } from './database.ts';
import { isProcessAlive } from './file-lock.ts';
import { findHolder, type Lease, processName, takeLease } from './leases.ts';
import type { Log } from './log.ts';
import { readOrMakeSecret } from './secret-files.ts';

const NAME = 'only node';
/** Longer than a lease lasts, so that a start succeeds after the end of a node whose process can't be looked at. */
const WAIT_MS_MAX = 20_000;
const TRIED_EVERY_MS = 500;

/** Takes the lease, or waits for it. Returns undefined if another node keeps it. */
export async function becomeOnlyNode(
  parts: { database: Reader; log: Log },
  dataDir: string,
  onLost: () => void,
): Promise<Lease | undefined> {
  const directory = readOrMakeSecret(dataDir, 'directory-name');
  const holder = `${processName} ${directory}`;
  const deadlineMs = performance.now() + WAIT_MS_MAX;
  for (let tries = 0; ; tries += 1) {
    const current = await findHolder(parts.database, NAME);
    const endedHolder = current !== undefined && hasEnded(current, directory) ? current : undefined;
    const lease = await takeLease(parts, NAME, {
      holder,
      onLost,
      ...(endedHolder === undefined ? {} : { endedHolder }),
    });
    if (lease !== undefined || performance.now() > deadlineMs) return lease;
    if (tries === 0) {
      const [host, process] = current?.split(' ') ?? [];
      parts.log.info(
        { host, process },
        'another node used this database until now; waiting for 20 s at most',
      );
    }
    await sleep(TRIED_EVERY_MS);
  }
}

/** Whether the holder was a process of this host and data directory that no longer runs. */
function hasEnded(holder: string, directory: string): boolean {
  const [host, pid, , itsDirectory] = holder.split(' ');
  const [ownHost] = processName.split(' ');
  if (host !== ownHost || itsDirectory !== directory) return false;
  // In a container each start may have the same number.
  return Number(pid) === process.pid || !isProcessAlive(Number(pid));
}
