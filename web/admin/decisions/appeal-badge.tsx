import { useTranslation } from 'react-i18next';
import type { ListedAppeal } from '#contract/decisions.ts';
import { StatusBadge } from '#web/ui/status-badge.tsx';

const tones = { open: 'wait', upheld: 'plain', overturned: 'ok' } as const;

/** Open, late, or how it was answered. */
export function AppealBadge({ row: { status, isLate } }: { row: ListedAppeal }) {
  const { t } = useTranslation();
  if (isLate) return <StatusBadge tone="bad">{t('appeals.late')}</StatusBadge>;
  return <StatusBadge tone={tones[status]}>{t(`appeals.choices.status.${status}`)}</StatusBadge>;
}
