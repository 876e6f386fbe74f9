import { EventEmitter } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type JobHelpers,
  type Runner,
  run,
  runMigrations,
  type WorkerEvents,
  Logger as WorkerLogger,
} from 'graphile-worker';
import { sentence } from '#contract/operator-sentences.ts';
import { isDatabaseOutage, openDatabase, type Reader, sql, sqlText, type Tx } from './database.ts';
import type { DatabaseWatch } from './database-watch.ts';
import type { Health } from './health.ts';
import { listFunctionsOf } from './listed-jobs.ts';
import { lockNumber } from './lock-number.ts';
import type { Log } from './log.ts';
import { pause } from './repeat.ts';

type PgPool = ReturnType<DatabaseWatch['openPool']>;

/**
 * Background jobs (payouts, mail) as rows of the same database. A job is enqueued in the caller's transaction, so it
 * exists if and only if that transaction commits. A killed worker's job stays locked for minutes, so money never
 * depends on a job alone: a sweep finds due payouts by their rows.
 */
export type JobHandlers = Record<string, (payload: unknown, attempt: JobAttempt) => Promise<void>>;

/** One run of a job: the job's number, and how many runs it had, this one included. */
export type JobAttempt = { jobId: string; number: number };

export type Jobs = { close(): Promise<void> };

/** About a day. Five attempts are made within four minutes, and each later one after the longest wait. */
const ATTEMPTS_MAX = 300;
/** The library's own waits grow to six hours. */
const WAIT_MINUTES_MAX = 4;
const CONCURRENCY = 2;
const CONNECTIONS_MAX = CONCURRENCY + 1;
/** A job ends within 5 s, the time limit of a mail. */
const ENDED_MS_MAX = 6_000;
const RESTARTED_AFTER_MS = 5_000;
/** A database that is slow to answer at a start is given this time; then the start fails. */
const START_MS_MAX = 30_000;
/** The name that health knows the worker by. */
const PART = 'jobs';
/** A name without a dot, which crontab syntax requires. */
const DELETE_FAILED_JOB = 'jobs:delete-failed';
const LIMIT_WAITS_JOB = 'jobs:limit-waits';
const FREE_ABANDONED_JOB = 'jobs:free-abandoned';
/**
 * A worker whose newest job began so long ago was killed, as a rule. The library itself waits four hours. A sweep of
 * payouts may last longer; then its job runs a second time beside it, which changes nothing, because a sweep holds
 * leases.
 */
const ABANDONED_AFTER_MINUTES = 5;

/**
 * Creates or updates the job tables, as their owner, and the function with which the application adds a job. Nodes that
 * start at the same time do so one after the other, because PostgreSQL lets two sessions replace no function at once.
 */
export async function prepareJobs(workerUrl: string, appRole: string, log: Log): Promise<void> {
  await runMigrations({ connectionString: workerUrl, logger: workerLogger(log) });
  const worker = openDatabase({ url: workerUrl, connectionsMax: 1, applicationName: 'earnest jobs' });
  try {
    await worker.transaction(async (tx) => {
      await tx.rows(sql`select pg_advisory_xact_lock(${lockNumber('earnest jobs')})`);
      for (const statement of [...functionsOf(appRole), ...listFunctionsOf(appRole)])
        await tx.rows(sqlText(statement));
    });
  } finally {
    await worker.close();
  }
}

const functionsOf = (appRole: string): string[] => [
  'create schema if not exists jobs',
  `create or replace function jobs.enqueue(task text, payload json, job_key text) returns void
    language sql security definer set search_path = pg_catalog, pg_temp
    begin atomic
      select graphile_worker.add_job(
        identifier => task, payload => payload, job_key => job_key, max_attempts => ${ATTEMPTS_MAX});
    end`,
  `grant usage on schema jobs to "${appRole}"`,
  'revoke all on function jobs.enqueue from public',
  `grant execute on function jobs.enqueue to "${appRole}"`,
  // A job that is locked runs now; the job of a process that was killed stays locked for minutes.
  `create or replace function jobs.state_of(locked_at timestamptz, attempts integer, max_attempts integer) returns text
    language sql immutable
    return case when locked_at is not null then 'running' when attempts >= max_attempts then 'failed'
      when attempts > 0 then 'retrying' else 'waiting' end`,
  // One that runs counts as it did before, so that a count does not change while a job is tried.
  `create or replace function jobs.counted_as(locked_at timestamptz, attempts integer, max_attempts integer)
    returns text
    language sql immutable
    return case jobs.state_of(locked_at, attempts, max_attempts)
      when 'running' then case when attempts > 1 then 'retrying' else 'waiting' end
      else jobs.state_of(locked_at, attempts, max_attempts) end`,
  `create or replace function jobs.is_any_begun(task text) returns boolean
    language sql stable security definer set search_path = pg_catalog, pg_temp
    begin atomic
      select exists (select from graphile_worker.jobs
        where task_identifier = task and attempts > 0 and attempts < max_attempts);
    end`,
  `create or replace function jobs.failed(out count bigint, out oldest_at timestamptz)
    language sql stable security definer set search_path = pg_catalog, pg_temp
    begin atomic
      select count(*), min(updated_at)
      from (select updated_at from graphile_worker.jobs
        where jobs.state_of(locked_at, attempts, max_attempts) = 'failed' limit 1000) given_up;
    end`,
  'revoke all on function jobs.failed from public',
  `grant execute on function jobs.failed to "${appRole}"`,
  'revoke all on function jobs.is_any_begun from public',
  `grant execute on function jobs.is_any_begun to "${appRole}"`,
];

/** Whether a job of this name was begun and is not finished: it runs now, or waits after a failure. */
export const isAnyBegun = async (reader: Reader, task: string): Promise<boolean> => {
  const { isBegun } = await reader.one<{ isBegun: boolean }>(
    sql`select jobs.is_any_begun(${task}) as "isBegun"`,
  );
  return isBegun;
};

/** The jobs whose last attempt failed, at most 1,000, and when the first of them did by the real clock. */
export const readFailedJobs = (reader: Reader) =>
  reader.one<{ count: bigint; firstFailedAt: Date | null }>(
    sql`select count, oldest_at as "firstFailedAt" from jobs.failed()`,
  );

/** Adds a job in the caller's transaction. At most one job with the same `key` is waiting. */
export async function enqueue(
  tx: Tx,
  task: string,
  payload: unknown,
  key: string | null = null,
): Promise<void> {
  await tx.rows(sql`select jobs.enqueue(${task}, ${JSON.stringify(payload)}::json, ${key})`);
}

/**
 * Deletes jobs whose last attempt failed more than three days ago. Their payloads hold personal data, such as mail
 * addresses and links.
 */
const deleteFailedJobs = async (_payload: unknown, { query }: JobHelpers): Promise<void> => {
  await query(`
    select graphile_worker.complete_jobs(array(
      select id from graphile_worker.jobs
      where jobs.state_of(locked_at, attempts, max_attempts) = 'failed' and updated_at < now() - interval '3 days'
      limit 1000))`);
};

/**
 * Shortens the waits for another attempt: a service that was down for an hour may be back since. Repeats run after
 * jobs that were never tried.
 */
const limitWaits = async (_payload: unknown, { query }: JobHelpers): Promise<void> => {
  await query(
    `select graphile_worker.reschedule_jobs(array(
      select id from graphile_worker.jobs
      where jobs.state_of(locked_at, attempts, max_attempts) = 'retrying' and run_at > now() + $1::interval
      order by run_at limit 1000), run_at => now() + $1::interval, priority => 1)`,
    [`${WAIT_MINUTES_MAX} minutes`],
  );
};

/** Frees the jobs of killed workers, on this node or another one. */
const freeAbandoned = async (_payload: unknown, { query }: JobHelpers): Promise<void> => {
  await query(
    `select graphile_worker.force_unlock_workers(array(
      select locked_by from graphile_worker.jobs where locked_at is not null
      group by locked_by having max(locked_at) < now() - $1::interval))`,
    [`${ABANDONED_AFTER_MINUTES} minutes`],
  );
};

export type JobParts = {
  log: Log;
  health: Health;
  /** Limits the time of the worker's statements. */
  watch?: DatabaseWatch;
};

/**
 * Starts this node's worker. Failed jobs run again for about a day, with delays that grow to five minutes. The worker
 * goes on after an outage of the database; one that ended all the same is started anew.
 */
export async function startJobs(workerUrl: string, handlers: JobHandlers, parts: JobParts): Promise<Jobs> {
  const { log, health, watch } = parts;
  const closing = new AbortController();
  const pool = watch?.openPool(workerUrl, CONNECTIONS_MAX);
  const connection =
    pool === undefined ? { connectionString: workerUrl, maxPoolSize: CONNECTIONS_MAX } : { pgPool: pool };
  let worker = await startFirst(() => startWorker(connection, handlers, parts), log);
  const startAnew = async () => {
    while (!closing.signal.aborted) {
      await pause(RESTARTED_AFTER_MS, closing.signal);
      try {
        await unlockJobs(workerUrl, worker.poolId);
        worker = await startWorker(connection, handlers, parts);
        return;
      } catch (error) {
        // Again, because a silence of the database leaves out what was reported before it.
        health.report(PART, sentence('job-worker-ended'));
        log.warn({ error }, 'the worker of jobs could not be started');
      }
    }
  };
  const supervise = async () => {
    for (;;) {
      await worker.ending;
      if (closing.signal.aborted) return;
      health.report(PART, sentence('job-worker-ended'));
      await startAnew();
    }
  };
  const supervising = supervise();
  const end = async () => {
    // The worker may have ended by itself.
    await Promise.allSettled([worker.runner.stop()]);
    // `stop` resolves before the worker's connections are released. Wait, because the database may stop next.
    await Promise.allSettled([supervising, worker.runner.promise]);
    await pool?.end();
  };
  return {
    close: async () => {
      closing.abort();
      // A worker that lost its connections in an outage may never end.
      await Promise.race([end(), sleep(ENDED_MS_MAX, undefined, { ref: false })]);
    },
  };
}

type Worker = {
  runner: Runner;
  poolId: string;
  /** Resolves when the worker begins to end. In an outage its end may never come. */
  ending: Promise<void>;
};

async function startFirst(start: () => Promise<Worker>, log: Log): Promise<Worker> {
  for (const endMs = performance.now() + START_MS_MAX; ; await sleep(RESTARTED_AFTER_MS))
    try {
      return await start();
    } catch (error) {
      if (performance.now() + RESTARTED_AFTER_MS > endMs) throw error;
      log.warn({ error }, 'the worker of jobs could not be started; it is tried again');
    }
}

async function startWorker(
  connection: { connectionString: string; maxPoolSize: number } | { pgPool: PgPool },
  handlers: JobHandlers,
  { log, health, watch }: JobParts,
): Promise<Worker> {
  const events: WorkerEvents = new EventEmitter();
  const ending = Promise.withResolvers<void>();
  let poolId = '';
  events.on('pool:create', ({ workerPool }) => {
    poolId = workerPool.id;
  });
  events.on('pool:gracefulShutdown', () => ending.resolve());
  events.on('worker:getJob:empty', () => health.report(PART, undefined));
  events.on('job:start', () => health.report(PART, undefined));
  events.on('worker:getJob:error', () => health.report(PART, sentence('job-queue-silent')));
  const runner = await run({
    ...connection,
    events,
    noHandleSignals: true,
    logger: workerLogger(log, watch),
    crontab: [
      `17 * * * * ${DELETE_FAILED_JOB}`,
      `* * * * * ${LIMIT_WAITS_JOB}`,
      `* * * * * ${FREE_ABANDONED_JOB}`,
    ].join('\n'),
    preset: {
      worker: {
        concurrentJobs: CONCURRENCY,
        // Without a batch, an end of a job that can't be stored is a rejection that nobody handles. With one, the
        // worker ends, and another one is started.
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
      },
    },
    taskList: {
      ...Object.fromEntries(
        Object.entries(handlers).map(([name, handler]) => [
          name,
          (payload: unknown, { job }: JobHelpers) =>
            handler(payload, { jobId: job.id, number: job.attempts }),
        ]),
      ),
      [DELETE_FAILED_JOB]: deleteFailedJobs,
      [LIMIT_WAITS_JOB]: limitWaits,
      [FREE_ABANDONED_JOB]: freeAbandoned,
    },
  });
  runner.promise.then(
    () => ending.resolve(),
    (error) => {
      log.warn({ error }, 'the worker of jobs ended');
      ending.resolve();
    },
  );
  return { runner, poolId, ending: ending.promise };
}

/** Frees the jobs of a worker that has ended. They would stay locked for minutes. */
async function unlockJobs(workerUrl: string, poolId: string): Promise<void> {
  const database = openDatabase({ url: workerUrl, connectionsMax: 1, applicationName: 'earnest jobs' });
  try {
    await database.rows(sql`select graphile_worker.force_unlock_workers(array[${poolId}])`);
  } finally {
    await database.close();
  }
}

/** What the worker says of a silent database is for the level `debug`, because health says it once for all. */
function workerLogger(log: Log, watch?: DatabaseWatch): WorkerLogger {
  return new WorkerLogger(() => (level, message, meta) => {
    const isOfSilence = watch?.isSilent() === true && isDatabaseOutage(meta?.error);
    if (isOfSilence) log.debug(message);
    else if (level === 'error') log.error({ job: message, error: meta?.error }, 'job failed');
    else if (level === 'warning') log.warn(message);
    else log.debug(message);
  });
}
