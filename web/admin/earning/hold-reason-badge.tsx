import { useTranslation } from 'react-i18next';
import type { HoldReason, PendingEarning } from '#contract/earning.ts';
import { StatusBadge } from '#web/ui/status-badge.tsx';

const tones = {
  amount: 'wait',
  review: 'blocked',
  detection: 'blocked',
  source: 'warn',
  ceiling: 'warn',
  replay: 'warn',
  household: 'plain',
} as const;

/** Why a credit waits, in a word or two. */
export function HoldReasonBadge({ reason }: { reason: HoldReason }) {
  const { t } = useTranslation();
  return <StatusBadge tone={tones[reason]}>{t(`approvals.holdReason.${reason}`)}</StatusBadge>;
}

/** Why a credit waits, and whether one of two operators has approved it. */
export function WaitBadges({ row }: { row: PendingEarning }) {
  const { t } = useTranslation();
  return (
    <>
      <HoldReasonBadge reason={row.holdReason} />
      {row.firstApprovedBy !== null && (
        <>
          {' '}
          <StatusBadge tone="wait">{t('approvals.oneOfTwo')}</StatusBadge>
        </>
      )}
    </>
  );
}
