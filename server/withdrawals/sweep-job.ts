import type { Tx } from '#platform/database.ts';
import { enqueue } from '#platform/jobs.ts';

export const SWEEP_JOB = 'payouts.sweep';

export const BULK_JOB = 'withdrawals.bulk-decisions';

/** Starts the work on stored decisions after the commit. Without it the periodic sweep finds them. */
export const enqueueBulkRun = (tx: Tx): Promise<void> => enqueue(tx, BULK_JOB, {}, BULK_JOB);

/** Starts a sweep of payouts after the commit. Without it the periodic sweep finds the same payouts. */
export const enqueueSweep = (tx: Tx): Promise<void> => enqueue(tx, SWEEP_JOB, {}, SWEEP_JOB);
