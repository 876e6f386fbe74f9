import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  approveAllWithdrawals,
  approveWithdrawal,
  type OperatorWithdrawal,
  rejectAllWithdrawals,
  rejectWithdrawal,
} from '#contract/withdrawals.ts';
import { call, isApiError } from '#web/client/call.ts';
import { formatAmount } from '#web/client/format.ts';

/** A decision about many: the chosen rows, or with `null` every request that waits. */
export type Bulk = {
  decision: 'approved' | 'rejected';
  rows: OperatorWithdrawal[] | null;
  count: number;
  sum: bigint;
};

export type BulkOutcome = {
  decision: Bulk['decision'];
  processed: number;
  /** Every row that was chosen; of a decision about all that waits, the rows that failed. Null is done. */
  rows: { id: string; name: string | null; failure: string | null }[];
};

export type BulkPhase = 'asking' | 'running' | 'done';

/** Decides one row. Null when it was done, else the code of why it was not. */
async function decideOne(id: string, { decision }: Bulk, reason: string): Promise<string | null> {
  try {
    if (decision === 'rejected') await call(rejectWithdrawal, { params: { id }, body: { reason } });
    else await call(approveWithdrawal, { params: { id } });
    return null;
  } catch (error) {
    if (!isApiError(error)) throw error;
    return error.code;
  }
}

/** One by one, so that each row has an answer of its own, and one that fails stops none of the others. */
async function decideEach(
  rows: OperatorWithdrawal[],
  bulk: Bulk,
  reason: string,
  onProgress: (doneCount: number) => void,
): Promise<BulkOutcome> {
  const results: BulkOutcome['rows'] = [];
  for (const row of rows) {
    const failure = await decideOne(row.id, bulk, reason);
    results.push({ id: row.id, name: `${row.userName}, ${formatAmount(row.amount)}`, failure });
    onProgress(results.length);
  }
  const processed = results.filter(({ failure }) => failure === null).length;
  return { decision: bulk.decision, processed, rows: results };
}

/** Every request that waits, decided by the server one by one. */
async function decideAll({ decision }: Bulk, reason: string): Promise<BulkOutcome> {
  const result =
    decision === 'approved'
      ? await call(approveAllWithdrawals)
      : await call(rejectAllWithdrawals, { body: { reason } });
  const rows = result.failed.map(({ id, reason: failure }) => ({ id, name: null, failure }));
  return { decision, processed: result.processed, rows };
}

/** Runs a decision about many and says how far it is. */
export function useBulk(bulk: Bulk, onPhase: (phase: BulkPhase) => void, onDone: () => void) {
  const { t } = useTranslation();
  const [doneCount, setDoneCount] = useState<number | null>(null);
  const [outcome, setOutcome] = useState<BulkOutcome | null>(null);
  const [failure, setFailure] = useState<string | null>(null);

  const run = async (reason: string) => {
    if (doneCount !== null) return;
    onPhase('running');
    setFailure(null);
    setDoneCount(0);
    try {
      const { rows } = bulk;
      setOutcome(
        await (rows === null ? decideAll(bulk, reason) : decideEach(rows, bulk, reason, setDoneCount)),
      );
      onPhase('done');
    } catch (error) {
      if (!isApiError(error)) throw error;
      setFailure(t(`refusals.${error.code}`));
      onPhase('asking');
    } finally {
      setDoneCount(null);
      onDone();
    }
  };

  return { run, doneCount, outcome, failure };
}
