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

/** The state of a payout. One in trouble has another sign, whatever its state is. */
export function PayoutBadge({ payout: { state, isTroubled } }: { payout: Payout }) {
  const { t } = useTranslation();
  return <StatusBadge tone={isTroubled ? 'warn' : tones[state]}>{t(`payoutState.${state}`)}</StatusBadge>;
}
