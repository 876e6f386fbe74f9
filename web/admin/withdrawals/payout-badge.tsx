import { useTranslation } from 'react-i18next';
import type { Payout } from '#contract/withdrawals-payouts.ts';
import { type BadgeTone, StatusBadge } from '#web/ui/status-badge.tsx';

const tones: Record<Payout['state'], BadgeTone> = {
  queued: 'wait',
  signed: 'wait',
  broadcast: 'wait',
  confirmed: 'ok',
  parked: 'warn',
  failed: 'bad',
};

/**
 * The state of a payout, or what keeps it from going on: a pause, or something that a person must look at, for which
 * the badge of its request has the same words.
 */
export function PayoutBadge({ payout: { state, isTroubled, isPaused } }: { payout: Payout }) {
  const { t } = useTranslation();
  if (isPaused && !isTroubled) return <StatusBadge tone="wait">{t('withdrawalStatus.paused')}</StatusBadge>;
  if (isTroubled && state !== 'parked')
    return <StatusBadge tone="warn">{t('withdrawalStatus.troubled')}</StatusBadge>;
  return <StatusBadge tone={isTroubled ? 'warn' : tones[state]}>{t(`payoutState.${state}`)}</StatusBadge>;
}
