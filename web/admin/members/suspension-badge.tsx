import { useTranslation } from 'react-i18next';
import type { ListedSuspension } from '#contract/members-suspensions.ts';
import { StatusBadge } from '#web/ui/status-badge.tsx';

/** Active, lifted, or past its time. */
export function SuspensionBadge({ row }: { row: ListedSuspension }) {
  const { t } = useTranslation();
  if (row.isActive) return <StatusBadge tone="blocked">{t('suspensions.states.active')}</StatusBadge>;
  return (
    <StatusBadge tone="plain">
      {t(`suspensions.states.${row.liftedAt === null ? 'expired' : 'lifted'}`)}
    </StatusBadge>
  );
}
