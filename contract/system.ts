import { z } from 'zod';
import { endpoint } from './endpoint.ts';
import { memberId, rowId, time } from './fields.ts';
import { noticeKinds } from './notice-kinds.ts';

/** How the site runs: its release, nodes, sweeps, leases and queues, and the jobs and mails that failed. */

/** A process that serves the site. */
const node = z.object({
  host: z.string(),
  pid: z.number(),
  version: z.string(),
  startedAt: time,
  /** When it last said that it runs, by the real clock. */
  seenAt: time,
  /** Whether it said so in the last 30 seconds. One that ended in good order is not listed. */
  isRunning: z.boolean(),
  /** The parts of it that are not well. */
  troubleCount: z.number(),
  /** Whether it gave this answer. */
  isThis: z.boolean(),
});

const sweep = z.object({
  /** As health knows it: `sweep-payouts`. */
  name: z.string(),
  /** When a turn last ended well on this node; null if none did since its start. */
  wellAt: time.nullable(),
  trouble: z.string().nullable(),
  troubleSince: time.nullable(),
});

const lease = z.object({
  name: z.string(),
  host: z.string(),
  pid: z.number(),
  takenAt: time,
  expiresAt: time,
});

const queue = z.object({
  /** The name of the job, or `notice-mails`. */
  name: z.string(),
  /** Due now and never tried, or in its first attempt. At most 10,000 jobs of each kind count, and 1,000 mails. */
  waiting: z.number(),
  /** Tried without success, and tried again. */
  retrying: z.number(),
  /** Not tried again. */
  failed: z.number(),
  /** When the oldest was added that is still to be done; null if none is. */
  oldestAt: time.nullable(),
});

export const readSystem = endpoint({
  method: 'GET',
  path: '/api/admin/system',
  summary: 'The release, migrations, nodes, leases and queues, and the sweeps of the node that answers',
  access: 'operator',
  reply: z.object({
    /** The real time of the answer, by the database’s clock. Times of business may be ahead in a sandbox. */
    at: time,
    version: z.string(),
    /** The oldest release that may run beside this one. */
    oldestVersion: z.string(),
    mode: z.enum(['live', 'sandbox']),
    migrations: z.array(z.object({ name: z.string(), appliedAt: time.nullable() })),
    releases: z.array(z.object({ version: z.string(), firstStartedAt: time })),
    nodes: z.array(node),
    sweeps: z.array(sweep),
    /** Those that somebody holds now. */
    leases: z.array(lease),
    queues: z.array(queue),
  }),
});
export type System = z.infer<typeof readSystem.reply>;

const job = z.object({
  id: z.string(),
  name: z.string(),
  state: z.enum(['failed', 'retrying', 'running', 'waiting']),
  attempts: z.number(),
  attemptsMax: z.number(),
  /** What the last attempt failed with, in the words of the program. */
  error: z.string().nullable(),
  /** The mail address that the job is about. */
  recipient: z.string().nullable(),
  createdAt: time,
  /** When it is tried next. A failed one is not. */
  runAt: time,
});
export type Job = z.infer<typeof job>;

export const readJobs = endpoint({
  method: 'GET',
  path: '/api/admin/jobs',
  summary: 'At most 100 jobs: failed ones first, then those that are tried again, then those that wait',
  access: 'operator',
  topic: 'system',
  reply: z.array(job),
});

export const retryJob = endpoint({
  method: 'POST',
  path: '/api/admin/jobs/:id/retry',
  summary: 'Try a job that failed once more now',
  access: 'operator',
  act: 'job.retry',
  refreshes: ['system'],
  params: z.object({ id: rowId }),
  reply: job,
  refusals: ['not-found', 'not-failed'],
});

/** A mail of a notice that was not sent. */
const failedMail = z.object({
  /** The member’s id and the number of the notice. */
  id: z.string(),
  userId: memberId,
  userEmail: z.string(),
  userName: z.string(),
  kind: z.enum(noticeKinds),
  /** Why the last attempt failed. */
  reason: z.string(),
  attempts: z.number(),
  /** When it is tried next; null for one that is not tried again. */
  dueAt: time.nullable(),
  createdAt: time,
});
export type FailedMail = z.infer<typeof failedMail>;

export const readFailedMails = endpoint({
  method: 'GET',
  path: '/api/admin/failed-mails',
  summary: 'The newest mails of notices whose last attempt failed, at most 100',
  access: 'operator',
  topic: 'system',
  reply: z.array(failedMail),
});

export const retryMail = endpoint({
  method: 'POST',
  path: '/api/admin/failed-mails/:id/retry',
  summary: 'Send the mail of a notice that failed once more now',
  access: 'operator',
  act: 'mail.retry',
  refreshes: ['system'],
  params: z.object({ id: z.string().regex(/^[1-9]\d{8}\.[1-9]\d{0,17}$/) }),
  reply: failedMail,
  refusals: ['not-found', 'not-failed'],
});
