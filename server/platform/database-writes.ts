/**
 * Whether the database takes writes. A server with a full disk, without memory or connections, or that became a standby
 * answers the probe and every read, and refuses what is booked. Health shows this as `database-writes`.
 */
import pg from 'pg';
import { sentence } from '#contract/operator-sentences.ts';
import type { Health } from './health.ts';

export type WriteWatch = {
  /** Notes that a write failed. Failures that are the statement's own say nothing about the database. */
  failed(error: unknown): void;
  /** Notes that a write changed rows. */
  succeeded(): void;
};

const NAME = 'database-writes';
/** Class 53: no disk, memory or connections. 25006: the server or the session is read-only. */
const REFUSED = /^(53|25006)/;
/** Small writes still fit on a full disk, so the trouble ends only at a write this long after the last refusal. */
const QUIET_MS = 10_000;

/** @param now the time in milliseconds, from any start */
export function watchWrites(health: Health, now = () => performance.now()): WriteWatch {
  let refusedAtMs: number | undefined;
  health.report(NAME, undefined);
  return {
    failed: (error) => {
      if (!(error instanceof pg.DatabaseError) || !REFUSED.test(error.code ?? '')) return;
      refusedAtMs = now();
      health.report(
        NAME,
        `${sentence('database-refuses-writes')} ${error.message} (SQLSTATE ${error.code}).`,
      );
    },
    succeeded: () => {
      if (refusedAtMs === undefined || now() - refusedAtMs < QUIET_MS) return;
      refusedAtMs = undefined;
      health.report(NAME, undefined);
    },
  };
}
