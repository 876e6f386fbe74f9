import { IconAlertTriangle, IconClock } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { OperatorWithdrawal } from '#contract/withdrawals.ts';
import { StatusBadge } from '#web/ui/status-badge.tsx';

/** The state of a request, and of its payment if it is parked, failed or confirmed. */
export function RequestBadge({ row }: { row: OperatorWithdrawal }) {
  const { t } = useTranslation();
  if (row.status === 'pending') return <StatusBadge tone="wait">{t('withdrawalStatus.pending')}</StatusBadge>;
  if (row.status === 'rejected')
    return <StatusBadge tone="bad">{t('withdrawalStatus.rejected')}</StatusBadge>;
  if (row.payoutState === 'parked' || row.payoutState === 'failed') {
    return (
      <StatusBadge tone="warn" icon={IconAlertTriangle}>
        {t(`queue.payoutShort.${row.payoutState}`)}
      </StatusBadge>
    );
  }
  if (row.payoutState === 'confirmed')
    return <StatusBadge tone="ok">{t('queue.payoutShort.confirmed')}</StatusBadge>;
  return (
    <StatusBadge tone="ok" icon={IconClock}>
      {t('withdrawalStatus.approved')}
    </StatusBadge>
  );
}
