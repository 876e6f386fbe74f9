/**
 * Watches the embedded PostgreSQL of this node and starts it again after a crash, on the same port, with growing
 * pauses. The pools then connect by themselves. A full disk is waited for, however long it lasts. If the server can't
 * be started for another reason, the process has to end.
 */
import fs from 'node:fs';
import { sentence } from '#contract/operator-sentences.ts';
import type { EmbeddedPostgres } from './embedded-postgres.ts';
import type { Health } from './health.ts';
import type { Log } from './log.ts';
import { pause } from './repeat.ts';

export type Supervision = { stop(): Promise<void> };

export type SupervisionOptions = {
  /** Called with the reason after the last attempt. */
  onGivenUp: (reason: string) => void;
  checkedEveryMs?: number;
  /** The first pause between two attempts. It doubles up to 20 times this. */
  pauseMs?: number;
  attemptsMax?: number;
};

const PART = 'embedded-postgres';
/** A server that ran this long did not crash because of its last start. */
const STEADY_MS = 60_000;
/** Less is a full disk: PostgreSQL needs room for a file of its log, which has 16 MB. */
const SPACE_BYTES_MIN = 20_000_000;
/** Attempts on a full disk count only until the pauses are long. */
const ATTEMPTS_MAX_WHILE_FULL = 4;

/** Watches until `stop`, which is called before the server is stopped. */
export function superviseEmbeddedPostgres(
  server: Pick<EmbeddedPostgres, 'directory' | 'isRunning' | 'startAgain'>,
  { log, health }: { log: Log; health: Health },
  { onGivenUp, checkedEveryMs = 500, pauseMs = 250, attemptsMax = 10 }: SupervisionOptions,
): Supervision {
  const closing = new AbortController();
  const { signal } = closing;
  let attempts = 0;
  let startedAtMs = performance.now();

  const startAgain = async (): Promise<string | undefined> => {
    try {
      await server.startAgain();
      startedAtMs = performance.now();
      log.warn({ attempts }, 'the embedded PostgreSQL was started again');
      return undefined;
    } catch (error) {
      log.error({ error }, 'the embedded PostgreSQL could not be started again');
      return error instanceof Error ? error.message : String(error);
    }
  };

  /** Starts an ended server once, after the pause that is due. Returns the reason if it can't be started. */
  const tryOnce = async (): Promise<string | undefined> => {
    const isFull = isDiskFull(server.directory);
    health.report(PART, isFull ? sentence('database-disk-full') : sentence('database-starts-again'));
    if (attempts > 0) await pause(pauseMs * Math.min(20, 2 ** (attempts - 1)), signal);
    if (signal.aborted) return undefined;
    attempts = isFull ? Math.min(attempts + 1, ATTEMPTS_MAX_WHILE_FULL) : attempts + 1;
    const failure = await startAgain();
    return attempts >= attemptsMax ? (failure ?? 'it crashed again after each start') : undefined;
  };

  const watching = (async () => {
    while (!signal.aborted) {
      if (server.isRunning()) {
        health.report(PART, undefined);
        if (performance.now() - startedAtMs > STEADY_MS) attempts = 0;
        await pause(checkedEveryMs, signal);
        continue;
      }
      const reason = await tryOnce();
      if (reason !== undefined) return onGivenUp(reason);
    }
  })();
  return {
    stop: async () => {
      closing.abort();
      await watching;
    },
  };
}

function isDiskFull(directory: string): boolean {
  const { bavail, bsize } = fs.statfsSync(directory);
  return bavail * bsize < SPACE_BYTES_MIN;
}
