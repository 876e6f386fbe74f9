import { IconClock } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { PayoutState } from '#contract/withdrawals.ts';
import { StatusBadge } from './status-badge.tsx';

type WithdrawalBadgeProps = {
  status: 'pending' | 'approved' | 'rejected';
  payoutState: PayoutState;
};

/** The state of a withdrawal, in the same words for members and operators. */
export function WithdrawalBadge({ status, payoutState }: WithdrawalBadgeProps) {
  const { t } = useTranslation();
  if (status === 'pending') return <StatusBadge tone="wait">{t('withdrawalStatus.pending')}</StatusBadge>;
  if (status === 'rejected') return <StatusBadge tone="bad">{t('withdrawalStatus.rejected')}</StatusBadge>;
  if (payoutState === 'parked' || payoutState === 'failed')
    return <StatusBadge tone="warn">{t(`payoutState.${payoutState}`)}</StatusBadge>;
  if (payoutState === 'confirmed') return <StatusBadge tone="ok">{t('payoutState.confirmed')}</StatusBadge>;
  return (
    <StatusBadge tone="ok" icon={IconClock}>
      {payoutState === 'broadcast' ? t('payoutState.broadcast') : t('withdrawalStatus.approved')}
    </StatusBadge>
  );
}
