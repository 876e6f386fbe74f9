/**
 * Where log lines go: standard error, without ever waiting for it. A reader that stops reading would otherwise stop the
 * whole program at its next line. Lines wait in memory while the target takes none. Beyond a bound, new lines are
 * dropped and counted, and a line says how many were lost when the target takes lines again.
 */
import { constants, fstatSync, openSync } from 'node:fs';
import sonicBoom from 'sonic-boom';

type SonicBoom = InstanceType<typeof sonicBoom.SonicBoom>;

export type LogTarget = {
  stream: SonicBoom;
  /** Writes a line that is no part of the log, for the person who starts the site. */
  print(line: string): void;
  /** The number of lines that were dropped since the start. */
  droppedCount(): number;
};

const WAITING_CHARACTERS_MAX = 1_000_000;
/** A target that took nothing for so long is not waited for when the process ends. */
const STUCK_MS = 1_000;
const SYNC_ATTEMPTS_MAX = 10;
/** A write that failed is tried again after this time, also if no other line comes. */
const RETRIED_AFTER_MS = 1_000;

/**
 * A pipe is opened a second time, in a mode in which it refuses a line at once when it is full. Anything else is
 * used by its own descriptor, and its writes wait in a thread of their own. A file that was opened twice would have two
 * positions, and what standard output prints into the same file would overwrite log lines.
 */
function openStandardError(): number {
  if (!fstatSync(2).isFIFO()) return 2;
  const { O_WRONLY, O_APPEND, O_NONBLOCK, O_NOCTTY } = constants;
  try {
    return openSync('/proc/self/fd/2', O_WRONLY | O_APPEND | O_NONBLOCK | O_NOCTTY);
  } catch (error) {
    if (!['ENXIO', 'ENOENT', 'EACCES', 'EPERM', 'ENODEV'].includes(codeOf(error))) throw error;
    return 2;
  }
}

/**
 * Whether standard output is the same file as standard error. One that was opened twice, as by
 * `> site.log 2> site.log`, has two positions, and each would overwrite the lines of the other.
 */
export function isOutputTheLog(): boolean {
  const [output, errors] = [fstatSync(1), fstatSync(2)];
  return output.dev === errors.dev && output.ino === errors.ino;
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? '';

/** The open targets, whose waiting lines are written when the process ends. */
const targets = new Set<SonicBoom>();
process.on('exit', () => {
  for (const stream of targets) stream.flushSync();
});

/** Opens the target. `onRecovered` is called with the number of lost lines when lines are taken again. */
export function openLogTarget(onRecovered: (lostCount: number) => void): LogTarget {
  let droppedCount = 0;
  let reportedCount = 0;
  /** Since when the oldest waiting line waits without progress; undefined while none waits. */
  let waitsSinceMs: number | undefined;
  let syncAttempts: number | undefined;
  let retry: NodeJS.Timeout | undefined;

  const stream = new sonicBoom.SonicBoom({
    fd: openStandardError(),
    sync: false,
    maxLength: WAITING_CHARACTERS_MAX,
    retryEAGAIN: () => {
      if (syncAttempts === undefined) return true;
      syncAttempts += 1;
      return syncAttempts < SYNC_ATTEMPTS_MAX;
    },
  });
  targets.add(stream);
  const { write, flushSync } = stream;
  stream.write = (line: string) => {
    waitsSinceMs ??= performance.now();
    return write.call(stream, line);
  };
  // At the end of the process, and after a fatal line.
  stream.flushSync = () => {
    if (waitsSinceMs !== undefined && performance.now() - waitsSinceMs > STUCK_MS) return;
    syncAttempts = 0;
    try {
      flushSync.call(stream);
    } catch {
      retrySoon();
    } finally {
      syncAttempts = undefined;
    }
  };
  /**
   * A full disk, a reader that has gone or whatever else fails keeps the lines waiting, and never ends the process. The
   * log itself is the only place that could say so. The metric of lost lines shows it meanwhile.
   */
  const retrySoon = () => {
    if (retry !== undefined) return;
    retry = setTimeout(() => {
      retry = undefined;
      // The buffer writes by itself at the next line, but not while it is full.
      stream.flush();
    }, RETRIED_AFTER_MS).unref();
  };
  stream.on('error', retrySoon);
  stream.on('write', () => {
    waitsSinceMs = performance.now();
  });
  stream.on('drop', () => {
    droppedCount += 1;
  });
  stream.on('drain', () => {
    waitsSinceMs = undefined;
    if (droppedCount === reportedCount) return;
    const lostCount = droppedCount - reportedCount;
    reportedCount = droppedCount;
    onRecovered(lostCount);
  });
  return { stream, print: (line) => void stream.write(`${line}\n`), droppedCount: () => droppedCount };
}
