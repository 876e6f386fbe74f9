import { useTranslation } from 'react-i18next';
import type { BulkRow } from '#contract/withdrawals-bulk.ts';
import type { BulkOutcome } from '#web/admin/kit/bulk-outcome.ts';
import { sumsOf } from '#web/admin/kit/sums.ts';
import { formatAmount } from '#web/client/format.ts';
import { useRailWords } from '#web/ui/rails.ts';
import { useArePayoutsPaused } from './use-paused.ts';

/** The texts of acts on many requests; `bulk-acts.tsx` adds how they run. */

/** The texts of an approval of many requests. */
export function useApproval() {
  const { t } = useTranslation();
  const arePaused = useArePayoutsPaused();
  /** @param all with the requests that it leaves out */
  return (count: number, points: bigint, all = count) => {
    const sums = sumsOf(points);
    return {
      key: 'approve',
      title: t(all > count ? 'queue.bulk.approvePartTitle' : 'queue.bulk.approveTitle', { count, all }),
      text: t(arePaused ? 'queue.bulk.approveTextPaused' : 'queue.bulk.approveText', sums),
      submit: t('queue.bulk.approveSubmit', { count, ...sums }),
      tone: 'money' as const,
      count,
      done: (done: number) => t('queue.bulk.resultApproved', { count: done }),
      part: (part: number) => t('queue.bulk.resultFirst', { count: part }),
    };
  };
}

/** The texts of a rejection of many requests with one reason. */
export function useRejection() {
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

/** The sum that is typed before an approval runs. */
export function useTyped() {
  const { t } = useTranslation();
  return (points: bigint) => ({
    label: t('queue.bulk.typeSum'),
    points,
    wrong: t('queue.bulk.wrongSum', { amount: formatAmount(points) }),
  });
}

const kinds = { done: 'done', first: 'part', stayed: 'stayed', failed: 'failed', waiting: 'stayed' } as const;
/** The rows that need somebody come first. */
const places = ['failed', 'part', 'done', 'stayed'];

/** The result of each request, with what became of it since. */
export function useResultRows() {
  const { t } = useTranslation();
  const { nameOf } = useRailWords();
  const doneText = ({ status, payoutState }: BulkRow) => {
    if (status === 'pending') return t('queue.bulk.rowDone.undone');
    if (payoutState === 'failed' || payoutState === 'parked') return t(`queue.bulk.rowDone.${payoutState}`);
    if (payoutState === 'broadcast' || payoutState === 'confirmed') return t('queue.bulk.rowDone.sent');
    return t(`queue.bulk.rowDone.${status}`);
  };
  return (rows: readonly BulkRow[]): BulkOutcome['rows'] =>
    rows
      .map((row) => ({
        id: row.id,
        name: `${row.userName} · ${formatAmount(row.amount)} · ${nameOf(row.method)}`,
        kind: kinds[row.state],
        text: row.reason ?? (row.state === 'first' ? t('queue.bulk.firstApproved') : doneText(row)),
        isByServer: row.reason !== null,
        isReverted: row.status === 'pending' || row.payoutState === 'failed',
      }))
      .sort((one, other) => places.indexOf(one.kind) - places.indexOf(other.kind));
}
