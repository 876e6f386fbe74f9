import { setTimeout as sleep } from 'node:timers/promises';
import type { Audit, Books, FinishedAudit } from '#contract/ledger-books.ts';
import { sentence } from '#contract/operator-sentences.ts';
import { recordActs } from '#platform/audit-trail.ts';
import type { Database, Reader } from '#platform/database.ts';
import { checkLease, type Lease, takeLease } from '#platform/leases.ts';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import type { BooksCheck, BooksDifference } from './audit.ts';
import type { AuditRow, CheckResult, StoredCheck } from './books-queries.ts';
import * as queries from './books-queries.ts';
import type { ReadNames } from './descriptions.ts';
import { type ReadPaidPoints, readKeptTrialBalance } from './trial-balance.ts';

/**
 * The audits of a site: when they run, and what they found. An audit is a row from when it is asked for. A sweep runs
 * what is due, each night and after each start, on one node of the site, which holds the lease. An audit whose process
 * ended begins again. It reads a twentieth of the time, so that it takes little from members, and a quarter for an
 * operator who waits. Its statements have the time of patient reads, and each holds a snapshot of its own no longer.
 */
type BooksPlatform = Pick<Platform, 'database' | 'log' | 'health'>;

/** The share of the time in which an audit reads, by what asked for it. An operator waits for the result. */
export const shareOf = { night: 0.05, start: 0.05, operator: 0.25 } as const;
const FINDINGS_MAX = 1_000;
const AUDITS_KEPT = 200;
const AUDITS_SHOWN = 30;
const NIGHT_HOUR = 4;
/** After a start, the sweeps and members come first. */
const AFTER_START_S = 20;

export type AuditResult = { checks: CheckResult[]; differences: BooksDifference[] };

/**
 * Makes all checks, `connections` of them at a time, and pauses after each piece so that reading takes this share of
 * the time.
 */
export async function auditSite(
  { database, log }: { database: Reader; log: Platform['log'] },
  checks: readonly BooksCheck[],
  { share = 1, connections = 1, signal }: { share?: number; connections?: number; signal?: AbortSignal } = {},
): Promise<AuditResult> {
  const made = checks.map((check) => {
    const result: CheckResult = {
      name: check.name,
      pieces: 0,
      findings: 0,
      notChecked: null,
      isFailed: false,
      compared: null,
    };
    return { check, result, differences: [] as BooksDifference[] };
  });
  const waiting = [...made];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      try {
        await makeCheck(database, next, { share, signal });
      } catch (error) {
        if (signal?.aborted) throw error;
        log.error({ error, check: next.check.name }, 'a check of the audit failed');
        const message = error instanceof Error ? error.message : String(error);
        next.result.notChecked = `${sentence('check-failed')} ${message}`;
        next.result.isFailed = true;
      }
    }
  };
  await Promise.all(Array.from({ length: connections }, work));
  return {
    checks: made.map(({ result }) => result),
    differences: made.flatMap(({ differences }) => differences).slice(0, FINDINGS_MAX),
  };
}

/** Makes one check, and adds up what its pieces find. */
async function makeCheck(
  database: Reader,
  { check, result, differences }: { check: BooksCheck; result: CheckResult; differences: BooksDifference[] },
  { share, signal }: { share: number; signal: AbortSignal | undefined },
): Promise<void> {
  let startedAtMs = performance.now();
  for await (const found of check.pieces(database)) {
    if (!Array.isArray(found) && 'compared' in found) {
      result.compared = found.compared;
      continue;
    }
    result.pieces += 1;
    if (!Array.isArray(found)) result.notChecked = found.notChecked;
    else {
      result.findings += found.length;
      differences.push(...found.slice(0, FINDINGS_MAX - differences.length));
    }
    const readMs = performance.now() - startedAtMs;
    if (share < 1) await sleep((readMs * (1 - share)) / share, undefined, { signal });
    signal?.throwIfAborted();
    startedAtMs = performance.now();
  }
}

/** Asks for the audits after a start and of the coming night. */
export async function planAudits(database: Database, isStart: boolean): Promise<void> {
  if (isStart) await queries.insertAudit(database, 'start', AFTER_START_S);
  await queries.setNightAudit(database, NIGHT_HOUR);
}

/** Runs the audits that are due, unless another process does. `share` is that of their cause, unless it is given. */
export async function runDueAudits(
  platform: BooksPlatform,
  checks: readonly BooksCheck[],
  { share, signal }: { share?: number; signal: AbortSignal },
): Promise<void> {
  const { database } = platform;
  if ((await queries.findDueAudit(database)) === undefined) return;
  const lease = await takeLease(platform, 'audit');
  if (lease === undefined) return;
  try {
    for (let due = await queries.findDueAudit(database); due; due = await queries.findDueAudit(database)) {
      const reading = { share: share ?? shareOf[due.cause], signal };
      if (signal.aborted || !(await runAudit(platform, lease, due.id, checks, reading))) return;
    }
  } finally {
    await lease.release();
  }
}

/** Runs one audit and keeps its result. False if it was ended before. */
async function runAudit(
  platform: BooksPlatform,
  lease: Lease,
  id: bigint,
  checks: readonly BooksCheck[],
  { share, signal }: { share: number; signal: AbortSignal },
): Promise<boolean> {
  const { database, log } = platform;
  if ((await queries.beginAudit(database, lease, id)) === undefined) return false;
  const ended = new AbortController();
  const timer = setInterval(() => {
    if (!lease.isHeld()) ended.abort();
  }, 1_000);
  try {
    const both = AbortSignal.any([signal, ended.signal]);
    const parts = { database: database.patient, log };
    const { checks: results, differences } = await auditSite(parts, checks, { share, signal: both });
    const isKept = await database.transaction(async (tx) => {
      if (!(await checkLease(tx, lease))) return false;
      await queries.finishAudit(tx, id, results, differences);
      return true;
    });
    if (!isKept) return false;
    const findings = results.reduce((sum, check) => sum + check.findings, 0);
    const notChecked = results.filter((check) => check.notChecked !== null).map(({ name }) => name);
    if (findings > 0)
      log.error({ audit: String(id), findings, differences: differences.slice(0, 10) }, 'the books differ');
    else log.info({ audit: String(id), notChecked }, 'the books agree');
    await queries.deleteOldAudits(database, AUDITS_KEPT);
    return true;
  } catch (error) {
    if (signal.aborted || ended.signal.aborted) return false;
    throw error;
  } finally {
    clearInterval(timer);
  }
}

/** Reports to health what the last audit found. Every node does so, whichever ran it. */
export async function reportLastAudit({ database, health }: BooksPlatform): Promise<void> {
  const last = await queries.findLastAudit(database);
  if (last === undefined) return;
  const failed = last.checks.filter(({ isFailed }) => isFailed);
  const leftOut = last.checks.flatMap(({ name, notChecked }) =>
    notChecked === null ? [] : [`${name}: ${notChecked}`],
  );
  if (last.findings > 0) health.report('audit', sentence('books-differ', { findingCount: last.findings }));
  else if (failed.length > 0)
    health.report('audit', sentence('books-not-checked', { checkCount: failed.length }));
  else if (leftOut.length > 0) health.report('audit', `${sentence('books-left-out')} ${leftOut.join(' ')}`);
  else health.report('audit', undefined);
}

/** What the last audit found, as something that waits for an operator. */
export async function readAuditWait({ database }: Pick<Platform, 'database'>) {
  const last = await queries.findLastAudit(database);
  return { count: last?.findings ?? 0, points: null, oldestAt: last?.finishedAt ?? null };
}

/** Asks for an audit now. Returns the operator's audit that has not ended, if there is one. */
export async function startAudit(
  { database }: Pick<Platform, 'database'>,
  operatorId: number,
): Promise<Audit> {
  for (;;) {
    const audit = await database.transaction(async (tx) => {
      const added = await queries.insertAudit(tx, 'operator', 0);
      if (added === undefined) return queries.findOpenAudit(tx, 'operator');
      await recordActs(tx, [
        { actor: operatorId, act: 'books.audit', target: { kind: 'books', id: String(added.id) } },
      ]);
      return added;
    });
    // The other audit may have ended between the two statements. Then this one can be added.
    if (audit !== undefined) return toReply(audit);
  }
}

/** Reads the kept trial balance and the results of audits. */
export async function readBooks(
  { database }: Pick<Platform, 'database'>,
  readNames: ReadNames,
  readPaidPoints: ReadPaidPoints,
): Promise<Books> {
  const [trial, audits, last] = await Promise.all([
    readKeptTrialBalance(database, readNames, readPaidPoints),
    queries.readAudits(database, AUDITS_SHOWN),
    queries.findLastAudit(database),
  ]);
  return {
    ...trial,
    lastAudit: last === undefined ? null : await withDifferences(database, last),
    audits: audits.map(toReply),
  };
}

/** Reads one finished audit. @throws Refusal `not-found` */
export async function readAudit(
  { database }: Pick<Platform, 'database'>,
  id: bigint,
): Promise<FinishedAudit> {
  const found = await queries.findFinishedAudit(database, id);
  if (found === undefined) throw refuse('not-found');
  return withDifferences(database, found);
}

const withDifferences = async (
  reader: Reader,
  { checks, ...audit }: AuditRow & { checks: StoredCheck[] },
): Promise<FinishedAudit> => ({
  ...toReply(audit),
  checks: checks.map((check) => ({
    ...check,
    isFailed: check.isFailed ?? false,
    compared: comparedOf(check),
  })),
  differences: await queries.readFindings(reader, audit.id),
});

/** A comparison of a former release lacks the difference; the next audit makes it anew. */
const comparedOf = ({ compared }: StoredCheck) => (compared && 'difference' in compared ? compared : null);

const toReply = ({ id, cause, dueAt, startedAt, finishedAt, pieces, findings }: AuditRow): Audit => ({
  id: String(id),
  cause,
  dueAt: dueAt.toISOString(),
  startedAt: startedAt?.toISOString() ?? null,
  finishedAt: finishedAt?.toISOString() ?? null,
  pieces,
  findings,
});
