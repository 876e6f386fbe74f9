import {
  type Job,
  readFailedMails,
  readJobs,
  readSystem,
  retryJob,
  retryMail,
  type System,
} from '#contract/system.ts';
import * as failedMails from './notices/failed-mails.ts';
import { type ActorOrId, recordActs } from './platform/audit-trail.ts';
import type { Database, Reader } from './platform/database.ts';
import { handle } from './platform/http/handle.ts';
import { readMigrations, readReleases } from './platform/installed.ts';
import { processName, processOf, readHeldLeases } from './platform/leases.ts';
import * as jobs from './platform/listed-jobs.ts';
import { readNodes, readRealTime } from './platform/nodes.ts';
import type { Platform } from './platform/platform.ts';
import { refuse } from './platform/refusal.ts';
import { thisRelease } from './platform/release.ts';

/**
 * How the site runs, for operators: release, migrations, nodes, sweeps, leases and queues, and the jobs and mails that
 * failed, which an operator can have tried again. Every count is bounded.
 */
export function systemRoutes(platform: Platform): void {
  const { database } = platform;
  handle(platform, readSystem, () => readSystemOf(platform));
  handle(platform, readJobs, () => listJobs(database));
  handle(platform, retryJob, ({ caller, params }) => recordRetry(database, caller.id, BigInt(params.id)));
  handle(platform, readFailedMails, () => failedMails.readFailedMails(database));
  handle(platform, retryMail, ({ caller, params }) => failedMails.retryMail(database, caller.id, params.id));
}

const JOBS_MAX = 100;

/** The jobs that failed first, at most 100. */
export const listJobs = async (reader: Reader): Promise<Job[]> =>
  (await jobs.readJobs(reader, JOBS_MAX)).map(jobOf);

async function readSystemOf(platform: Platform): Promise<System> {
  const { database, config } = platform;
  const [at, migrations, releases, nodes, leases, queues, mails] = await Promise.all([
    readRealTime(database),
    readMigrations(database),
    readReleases(database),
    readNodes(database),
    readHeldLeases(database),
    jobs.readQueues(database),
    failedMails.readMailQueue(database),
  ]);
  return {
    at: at.toISOString(),
    version: thisRelease.version,
    oldestVersion: thisRelease.oldest,
    mode: config.mode,
    migrations: migrations.map(({ name, appliedAt }) => ({
      name,
      appliedAt: appliedAt?.toISOString() ?? null,
    })),
    releases: releases.map(({ version, firstStartedAt }) => ({
      version,
      firstStartedAt: firstStartedAt.toISOString(),
    })),
    nodes: nodes.map(({ holder, startedAt, seenAt, ...node }) => ({
      ...node,
      ...placeOf(holder),
      startedAt: startedAt.toISOString(),
      seenAt: seenAt.toISOString(),
      isThis: holder === processName,
    })),
    sweeps: sweepsOf(platform),
    leases: leases.map(({ name, holder, takenAt, expiresAt }) => ({
      name,
      ...placeOf(holder),
      takenAt: takenAt.toISOString(),
      expiresAt: expiresAt.toISOString(),
    })),
    queues: [...queues, { name: 'notice-mails', ...mails }].map(queueOf),
  };
}

function placeOf(holder: string): { host: string; pid: number } {
  const { host, pid } = processOf(holder);
  return { host, pid };
}

const queueOf = ({ name, waiting, retrying, failed, oldestAt }: jobs.Queue): System['queues'][number] => ({
  name,
  waiting: Number(waiting),
  retrying: Number(retrying),
  failed: Number(failed),
  oldestAt: oldestAt?.toISOString() ?? null,
});

/** The sweeps of this node, by name. */
function sweepsOf({ health }: Pick<Platform, 'health'>): System['sweeps'] {
  const troubles = new Map(health.troubles().map((trouble) => [trouble.name, trouble]));
  const wellAt = new Map(health.lastWell().map(({ name, at }) => [name, at]));
  const names = health.names().filter((name) => name.startsWith('sweep-'));
  return names.sort().map((name) => {
    const trouble = troubles.get(name);
    return {
      name,
      wellAt: wellAt.get(name)?.toISOString() ?? null,
      trouble: trouble?.trouble ?? null,
      troubleSince: trouble?.since.toISOString() ?? null,
    };
  });
}

const jobOf = ({ id, createdAt, runAt, ...job }: jobs.ListedJob): Job => ({
  ...job,
  id: String(id),
  createdAt: createdAt.toISOString(),
  runAt: runAt.toISOString(),
});

/** Makes a job due now that failed, for one attempt more. @throws Refusal `not-found`, `not-failed` */
export async function recordRetry(database: Database, actor: ActorOrId, id: bigint): Promise<Job> {
  const job = await database.transaction(async (tx) => {
    const before = await jobs.findJob(tx, id);
    if (before === undefined) throw refuse('not-found');
    if (!(await jobs.retryJob(tx, id))) throw refuse('not-failed');
    const target = { kind: 'job', id: String(id) } as const;
    const after = await jobs.findJob(tx, id);
    if (after === undefined) throw refuse('not-found');
    // Without the error: it can hold a mail address, and the trail keeps what it has for ever.
    const { name } = before;
    await recordActs(tx, [
      {
        actor,
        act: 'job.retry',
        target,
        before: { name, runAt: before.runAt.toISOString() },
        after: { name, runAt: after.runAt.toISOString() },
      },
    ]);
    return after;
  });
  return jobOf(job);
}
