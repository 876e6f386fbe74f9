/**
 * Jobs as operators see them: how many are in each queue, those that failed, and a new try. The functions belong to the
 * owner of the job tables, because the application sees none of their rows. A job's payload holds links with secrets,
 * so that only the mail address leaves it.
 */
import { type Reader, sql, type Tx } from './database.ts';

/**
 * How many jobs are looked at, which bounds the cost: of those that failed or are in their last attempt, of the others
 * that were tried, and of those that are due. So none hides one of another kind.
 */
const LOOKED_AT_MAX = 10_000;
const LOOKED_AT = `(
  (select * from graphile_worker.jobs where attempts >= max_attempts limit ${LOOKED_AT_MAX})
  union all
  (select * from graphile_worker.jobs where attempts > 0 and attempts < max_attempts limit ${LOOKED_AT_MAX})
  union all (select * from graphile_worker.jobs where attempts = 0 and run_at <= now() limit ${LOOKED_AT_MAX}))`;

const STATE = 'jobs.state_of(j.locked_at, j.attempts, j.max_attempts)';
const COUNTED_AS = 'jobs.counted_as(j.locked_at, j.attempts, j.max_attempts)';
const LISTED = `
  select j.id, j.task_identifier, ${STATE}, j.attempts::integer, j.max_attempts::integer, left(j.last_error, 500),
    left(coalesce(p.payload ->> 'to', p.payload ->> 'email'), 254), j.created_at, j.run_at`;
const COLUMNS = `id bigint, name text, state text, attempts integer, max_attempts integer, error text,
  recipient text, created_at timestamptz, run_at timestamptz`;

export const listFunctionsOf = (appRole: string): string[] => [
  `create or replace function jobs.listed(row_count integer) returns table (${COLUMNS})
    language sql stable security definer set search_path = pg_catalog, pg_temp
    begin atomic
      ${LISTED}
      from ${LOOKED_AT} j
        join graphile_worker._private_jobs p on p.id = j.id
      order by array_position(array['failed', 'retrying', 'running', 'waiting'], ${STATE}), j.run_at, j.id
      limit row_count;
    end`,
  `create or replace function jobs.one(job_id bigint) returns table (${COLUMNS})
    language sql stable security definer set search_path = pg_catalog, pg_temp
    begin atomic
      ${LISTED}
      from graphile_worker.jobs j join graphile_worker._private_jobs p on p.id = j.id
      where j.id = job_id;
    end`,
  `create or replace function jobs.queues()
    returns table (name text, waiting bigint, retrying bigint, failed bigint, oldest_at timestamptz)
    language sql stable security definer set search_path = pg_catalog, pg_temp
    begin atomic
      select j.task_identifier,
        count(*) filter (where ${COUNTED_AS} = 'waiting'),
        count(*) filter (where ${COUNTED_AS} = 'retrying'),
        count(*) filter (where ${COUNTED_AS} = 'failed'),
        min(j.created_at) filter (where ${COUNTED_AS} <> 'failed')
      from ${LOOKED_AT} j
      group by j.task_identifier order by j.task_identifier;
    end`,
  // An older release makes `jobs.counts` with fewer results anew at its start, so it keeps that name.
  `create or replace function jobs.states(
      out waiting bigint, out retrying bigint, out failed bigint, out oldest_s double precision)
    language sql stable security definer set search_path = pg_catalog, pg_temp
    begin atomic
      select coalesce(sum(q.waiting), 0)::bigint, coalesce(sum(q.retrying), 0)::bigint,
        coalesce(sum(q.failed), 0)::bigint, coalesce(extract(epoch from now() - min(q.oldest_at)), 0)
      from jobs.queues() q;
    end`,
  // A job that failed gets one attempt more, and one that waits for another attempt gets it now. One that runs, is due
  // or was never tried stays as it is. The lock lets one of several calls at once do it: the others wait, and then find
  // the job due. The time is that of the look, because another call may have begun later than this one.
  `create or replace function jobs.retry(job_id bigint) returns bigint
    language sql security definer set search_path = pg_catalog, pg_temp
    begin atomic
      with locked as materialized (
        select id, least(attempts::integer, max_attempts::integer - 1) as attempts
        from graphile_worker._private_jobs
        where id = job_id and (jobs.state_of(locked_at, attempts, max_attempts) = 'failed'
          or jobs.state_of(locked_at, attempts, max_attempts) = 'retrying' and run_at > clock_timestamp())
        for update)
      select count(*)
      from locked j
        cross join lateral graphile_worker.reschedule_jobs(array[j.id], run_at => now(), attempts => j.attempts);
    end`,
  'revoke all on function jobs.states from public',
  `grant execute on function jobs.states to "${appRole}"`,
  'revoke all on function jobs.listed from public',
  `grant execute on function jobs.listed to "${appRole}"`,
  'revoke all on function jobs.one from public',
  `grant execute on function jobs.one to "${appRole}"`,
  'revoke all on function jobs.queues from public',
  `grant execute on function jobs.queues to "${appRole}"`,
  'revoke all on function jobs.retry from public',
  `grant execute on function jobs.retry to "${appRole}"`,
];

export type ListedJob = {
  id: bigint;
  name: string;
  state: 'failed' | 'retrying' | 'running' | 'waiting';
  attempts: number;
  attemptsMax: number;
  error: string | null;
  recipient: string | null;
  createdAt: Date;
  runAt: Date;
};

const columns = sql`
  id, name, state, attempts, max_attempts as "attemptsMax", error, recipient, created_at as "createdAt",
  run_at as "runAt"`;

/** The jobs that failed first, then those that are tried again, that run, and that are due. */
export const readJobs = (reader: Reader, rowsMax: number) =>
  reader.rows<ListedJob>(sql`select ${columns} from jobs.listed(${rowsMax})`);

export const findJob = (reader: Reader, id: bigint) =>
  reader.row<ListedJob>(sql`select ${columns} from jobs.one(${id})`);

/** Makes a job due now that failed, for one attempt more. False if it did not fail, runs, is due, or is gone. */
export const retryJob = async (tx: Tx, id: bigint): Promise<boolean> => {
  const { retried } = await tx.one<{ retried: bigint }>(sql`select jobs.retry(${id}) as retried`);
  return retried > 0n;
};

export type Queue = {
  name: string;
  waiting: bigint;
  retrying: bigint;
  failed: bigint;
  /** When the oldest that is still to be done was added; null if none is. */
  oldestAt: Date | null;
};

/** The jobs by name. At most 10,000 that failed count, 10,000 that are tried again, and 10,000 that are due. */
export const readQueues = (reader: Reader) =>
  reader.rows<Queue>(sql`
    select name, waiting, retrying, failed, oldest_at as "oldestAt" from jobs.queues()`);

/** The sums of all queues, and since how many seconds the oldest job is in one that is still to be done. */
export const readJobCounts = (reader: Reader) =>
  reader.one<{ waiting: bigint; retrying: bigint; failed: bigint; oldestS: number }>(
    sql`select waiting, retrying, failed, oldest_s as "oldestS" from jobs.states()`,
  );
