import { type Runner, run, runMigrations, Logger as WorkerLogger } from 'graphile-worker';
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

/** Starts the worker of this node. Failed jobs are tried again with growing delays, at most 12 times. */
export async function startJobs(workerUrl: string, handlers: JobHandlers, log: Log): Promise<Jobs> {
  const runner: Runner = await run({
    connectionString: workerUrl,
    concurrency: CONCURRENCY,
    maxPoolSize: CONCURRENCY + 1,
    noHandleSignals: true,
    logger: workerLogger(log),
    taskList: Object.fromEntries(
      Object.entries(handlers).map(([name, handler]) => [name, (payload: unknown) => handler(payload)]),
    ),
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
