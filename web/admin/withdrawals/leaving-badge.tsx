import { IconClock } from '@tabler/icons-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { OperatorWithdrawal } from '#contract/withdrawals.ts';
import { formatSpan } from '#web/client/format.ts';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { WithdrawalBadge } from '#web/ui/withdrawal-badge.tsx';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

/** The state of a decided request. While its approval can be taken back, that is when the payout leaves. */
export function LeavingBadge({ row }: { row: OperatorWithdrawal }) {
  const { t, i18n } = useTranslation();
  const leavesAt = row.undoUntil === null || row.payoutObstacle !== null ? null : Date.parse(row.undoUntil);
  const [now, setNow] = useState(Date.now);
  const isLeaving = leavesAt !== null && leavesAt > now;
  useEffect(() => {
    if (!isLeaving) return;
    const timer = setInterval(() => setNow(Date.now()), SECOND_MS);
    return () => clearInterval(timer);
  }, [isLeaving]);
  if (!isLeaving) return <WithdrawalBadge {...row} />;
  const leftMs = leavesAt - now;
  return (
    <StatusBadge tone="wait" icon={IconClock}>
      {leftMs < MINUTE_MS
        ? t('queue.leavesInSeconds', { seconds: Math.ceil(leftMs / SECOND_MS) })
        : t('queue.leavesIn', { span: formatSpan(leftMs, i18n.language) })}
    </StatusBadge>
  );
}
