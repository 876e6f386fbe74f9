import { useTranslation } from 'react-i18next';
import {
  approveAllWithdrawals,
  approveWithdrawal,
  type OperatorWithdrawal,
  rejectAllWithdrawals,
  rejectWithdrawal,
} from '#contract/withdrawals.ts';
import { sumOf, sumsOf } from '#web/admin/kit/sums.ts';
import type { BulkAct } from '#web/admin/kit/use-bulk-act.ts';
import { call } from '#web/client/call.ts';
import { formatAmount } from '#web/client/format.ts';

type Act = BulkAct<OperatorWithdrawal>;

const nameOf = (row: OperatorWithdrawal) => `${row.userName}, ${formatAmount(row.amount)}`;

/** The texts of an approval of many requests; the caller adds how it runs. */
function useApproval() {
  const { t } = useTranslation();
  return (count: number, points: bigint) => {
    const sums = sumsOf(points);
    return {
      key: 'approve',
      title: t('queue.bulk.approveTitle', { count }),
      text: t('queue.bulk.approveText', sums),
      submit: t('queue.bulk.approveSubmit', { count, ...sums }),
      tone: 'money' as const,
      count,
      done: (done: number) => t('queue.bulk.resultApproved', { count: done }),
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
  const [approval, rejection] = [useApproval(), useRejection()];
  return (rows: readonly OperatorWithdrawal[]): Act[] => {
    const count = rows.length;
    const points = sumOf(rows);
    return [
      {
        ...rejection(count, points),
        label: t('queue.bulk.reject', { count }),
        run: {
          rows,
          nameOf,
          act: ({ id }, reason) => call(rejectWithdrawal, { params: { id }, body: { reason } }),
        },
      },
      {
        ...approval(count, points),
        label: t('queue.bulk.approve', { count }),
        isMain: true,
        run: { rows, nameOf, act: ({ id }) => call(approveWithdrawal, { params: { id } }) },
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
        run: { actAll: (reason) => call(rejectAllWithdrawals, { body: { reason, ...expected } }) },
      },
      {
        ...approval(count, points),
        ...shared,
        label: t('queue.bulk.approveAll'),
        run: { actAll: () => call(approveAllWithdrawals, { body: expected }) },
      },
    ];
  };
}
