import { useTranslation } from 'react-i18next';
import type { ReplyOf } from '#contract/endpoint.ts';
import type { OperatorWithdrawal, QueuedWithdrawal } from '#contract/withdrawals.ts';
import {
  approveAllWithdrawals,
  approveWithdrawal,
  rejectAllWithdrawals,
  rejectWithdrawal,
} from '#contract/withdrawals-decisions.ts';
import { isFirstApproval } from '#web/admin/kit/first-approval.ts';
import { sumOf, sumsOf } from '#web/admin/kit/sums.ts';
import type { BulkAct, RowOutcome } from '#web/admin/kit/use-bulk-act.ts';
import { type ApiError, call } from '#web/client/call.ts';
import { formatAmount } from '#web/client/format.ts';
import { useRailWords } from '#web/ui/rails.ts';
import { useRefusalText } from './refusal-text.ts';
import { useArePayoutsPaused } from './use-paused.ts';

type Act = BulkAct<QueuedWithdrawal>;
type FailedRows = ReplyOf<typeof approveAllWithdrawals>['failed'];

/** What names a request: the person, the sum and the method. */
function useNames() {
  const { nameOf } = useRailWords();
  return (row: Pick<OperatorWithdrawal, 'userName' | 'amount' | 'method'>) =>
    `${row.userName} · ${formatAmount(row.amount)} · ${nameOf(row.method)}`;
}

/** The texts of an approval of many requests; the caller adds how it runs. */
function useApproval() {
  const { t } = useTranslation();
  const arePaused = useArePayoutsPaused();
  return (count: number, points: bigint) => {
    const sums = sumsOf(points);
    return {
      key: 'approve',
      title: t('queue.bulk.approveTitle', { count }),
      text: t(arePaused ? 'queue.bulk.approveTextPaused' : 'queue.bulk.approveText', sums),
      submit: t('queue.bulk.approveSubmit', { count, ...sums }),
      tone: 'money' as const,
      count,
      done: (done: number) => t('queue.bulk.resultApproved', { count: done }),
      part: (part: number) => t('queue.bulk.resultFirst', { count: part }),
    };
  };
}

/** The texts of a rejection of many requests with one reason; the caller adds how it runs. */
function useRejection() {
  const { t } = useTranslation();
  return (count: number, points: bigint) => {
    const sums = sumsOf(points);
    return {
      key: 'reject',
      title: t('queue.bulk.rejectTitle', { count }),
      text: t('queue.bulk.rejectText', sums),
      submit: t('queue.bulk.rejectSubmit', { count, ...sums }),
      tone: 'danger' as const,
      count,
      reason: {
        label: t('queue.reject.reason'),
        help: t('queue.reject.help'),
        required: t('queue.reject.required'),
      },
      done: (done: number) => t('queue.bulk.resultRejected', { count: done }),
    };
  };
}

/** The acts on the selected requests. */
export function useSelectedActs() {
  const { t } = useTranslation();
  const refusalText = useRefusalText();
  const nameOf = useNames();
  const [approval, rejection] = [useApproval(), useRejection()];
  const outcomeOf = (error: ApiError): RowOutcome =>
    isFirstApproval(error)
      ? { kind: 'part', text: t('queue.bulk.firstApproved') }
      : { kind: 'failed', text: refusalText(error) };
  return (rows: readonly QueuedWithdrawal[]): Act[] => {
    const count = rows.length;
    const points = sumOf(rows);
    const approvable = rows.filter(({ approvalObstacle }) => approvalObstacle === null);
    const leftOut = count - approvable.length;
    return [
      {
        ...rejection(count, points),
        label: t('queue.bulk.reject', { count }),
        run: {
          rows,
          nameOf,
          act: ({ id }, reason) => call(rejectWithdrawal, { params: { id }, body: { reason } }),
          outcomeOf,
        },
      },
      {
        ...approval(approvable.length, sumOf(approvable)),
        label: t('queue.bulk.approve', { count: approvable.length }),
        isDisabled: approvable.length === 0,
        ...(leftOut > 0 && { note: t('queue.bulk.leftOut', { count: leftOut }) }),
        isMain: true,
        run: {
          rows: approvable,
          nameOf,
          act: ({ id }) => call(approveWithdrawal, { params: { id } }),
          outcomeOf,
        },
      },
    ];
  };
}

/**
 * The acts on every waiting request. Disabled until their number is known. The call names the number and sum that the
 * dialog shows, so that the server decides nothing if others wait by then.
 */
export function useAllActs() {
  const { t } = useTranslation();
  const nameOf = useNames();
  const named = (rows: FailedRows) => rows.map((row) => ({ ...row, name: nameOf(row) }));
  const [approval, rejection] = [useApproval(), useRejection()];
  return (waiting: { count: number; points: bigint } | undefined): Act[] => {
    const { count, points } = waiting ?? { count: 0, points: 0n };
    const expected = { expectedCount: count, expectedPoints: String(points) };
    const shared = { note: t('queue.bulk.allText'), isDisabled: waiting === undefined };
    return [
      {
        ...rejection(count, points),
        ...shared,
        label: t('queue.bulk.rejectAll'),
        run: {
          actAll: async (reason) => {
            const { processed, failed } = await call(rejectAllWithdrawals, { body: { reason, ...expected } });
            return { processed, failed: named(failed) };
          },
        },
      },
      {
        ...approval(count, points),
        ...shared,
        label: t('queue.bulk.approveAll'),
        run: {
          actAll: async () => {
            const reply = await call(approveAllWithdrawals, { body: expected });
            const { processed, failed, firstApprovedIds = [] } = reply;
            return { processed, failed: named(failed), partCount: firstApprovedIds.length };
          },
        },
      },
    ];
  };
}
