import { type JobHelpers, type Runner, run, runMigrations, Logger as WorkerLogger } from 'graphile-worker';
import { openDatabase, sql, sqlText, type Tx } from './database.ts';
import type { Log } from './log.ts';

/**
 * Rare acts that follow a commit (payouts, mail): rows in the same database, enqueued in the caller's
 * transaction, so a job exists if and only if its fact does. A job is only a nudge: whatever must happen is
 * also found by a sweep over rows, because a killed worker's job stays locked for hours.
 */
export type JobHandlers = Record<string, (payload: unknown) => Promise<void>>;

export type Jobs = { close(): Promise<void> };

const ATTEMPTS_MAX = 12;
const CONCURRENCY = 2;
/** The timetable allows no dot in a name. */
const FORGET_FAILED_JOB = 'jobs:forget-failed';

/** Makes or updates the job tables as their owner, and the one function by which the application adds a job. */
export async function prepareJobs(workerUrl: string, appRole: string, log: Log): Promise<void> {
  await runMigrations({ connectionString: workerUrl, logger: workerLogger(log) });
  const worker = openDatabase({ url: workerUrl, connectionsMax: 1, applicationName: 'earnest jobs' });
  try {
    for (const statement of enqueueFunction(appRole)) await worker.rows(sqlText(statement));
  } finally {
    await worker.close();
  }
}

const enqueueFunction = (appRole: string): string[] => [
  'create schema if not exists jobs',
  `create or replace function jobs.enqueue(task text, payload json, job_key text) returns void
    language sql security definer set search_path = ''
    begin atomic
      select graphile_worker.add_job(
        identifier => task, payload => payload, job_key => job_key, max_attempts => ${ATTEMPTS_MAX});
    end`,
  `grant usage on schema jobs to "${appRole}"`,
  'revoke all on function jobs.enqueue from public',
  `grant execute on function jobs.enqueue to "${appRole}"`,
];

/** Adds a job in the caller's transaction. With a `key`, at most one such job waits. */
export async function enqueue(
  tx: Tx,
  task: string,
  payload: unknown,
  key: string | null = null,
): Promise<void> {
  await tx.rows(sql`select jobs.enqueue(${task}, ${JSON.stringify(payload)}::json, ${key})`);
}

/**
 * Drops jobs that were tried for the last time more than three days ago: what they carry, such as an address or the
 * link of a mail, is nobody's to keep.
 */
const forgetFailedJobs = async (_payload: unknown, { query }: JobHelpers): Promise<void> => {
  await query(`
    select graphile_worker.complete_jobs(array(
      select id from graphile_worker.jobs
      where attempts >= max_attempts and locked_at is null and updated_at < now() - interval '3 days' limit 1000))`);
};

/** Starts the worker of this node. Failed jobs are tried again with growing delays, at most 12 times. */
export async function startJobs(workerUrl: string, handlers: JobHandlers, log: Log): Promise<Jobs> {
  const runner: Runner = await run({
    connectionString: workerUrl,
    concurrency: CONCURRENCY,
    maxPoolSize: CONCURRENCY + 1,
    noHandleSignals: true,
    logger: workerLogger(log),
    crontab: `17 * * * * ${FORGET_FAILED_JOB}`,
    taskList: {
      ...Object.fromEntries(
        Object.entries(handlers).map(([name, handler]) => [name, (payload: unknown) => handler(payload)]),
      ),
      [FORGET_FAILED_JOB]: forgetFailedJobs,
    },
  });
  return {
    close: async () => {
      await runner.stop();
      // Its connections are released a little later, and the database must not go away under them.
      await runner.promise;
    },
  };
}

function workerLogger(log: Log): WorkerLogger {
  return new WorkerLogger(() => (level, message, meta) => {
    if (level === 'error') log.error({ job: message, error: meta?.error }, 'job failed');
    else if (level === 'warning') log.warn(message);
    else log.debug(message);
  });
}
