import { readAtScrape } from '#platform/metrics.ts';
import type { Platform } from '#platform/platform.ts';
import { repeat } from '#platform/repeat.ts';
import type { BooksCheck } from './audit.ts';
import { planAudits, reportLastAudit, runDueAudits } from './books.ts';
import { readLastResult } from './books-queries.ts';

/** The background work of the audits: plans them, runs what is due, and reports the last result. */
const AUDITS_EVERY_MS = 5_000;
/** A throttled audit of a large site takes an hour. A turn beyond this is stuck. */
const TURN_MS_MAX = 12 * 3_600_000;

export function startAudits(
  platform: Pick<Platform, 'database' | 'log' | 'health' | 'metrics'>,
  checks: readonly BooksCheck[],
): { close(): Promise<void> } {
  observeAudits(platform);
  const closing = new AbortController();
  let isStart = true;
  const loop = repeat(platform, closing.signal, {
    name: 'audits',
    everyMs: AUDITS_EVERY_MS,
    timeMsMax: TURN_MS_MAX,
    work: async (signal) => {
      await planAudits(platform.database, isStart);
      isStart = false;
      await runDueAudits(platform, checks, { signal });
      await reportLastAudit(platform);
    },
  });
  return {
    close: async () => {
      closing.abort();
      await loop;
    },
  };
}

/** Shows what the last audit found, and how old it is. Nothing before the first audit has ended. */
export function observeAudits({
  database,
  log,
  metrics,
}: Pick<Platform, 'database' | 'log' | 'metrics'>): void {
  const read = async (of: (last: { findings: number; ageS: number }) => number) => {
    const last = await readLastResult(database);
    return last === undefined ? [] : [{ value: of(last) }];
  };
  readAtScrape({ registry: metrics.registry, log }, [
    {
      name: 'earnest_audit_findings',
      read: () => read(({ findings }) => findings),
    },
    {
      name: 'earnest_audit_age_seconds',
      read: () => read(({ ageS }) => ageS),
    },
  ]);
}
