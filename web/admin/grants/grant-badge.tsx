import { useTranslation } from 'react-i18next';
import type { GrantStatus } from '#contract/grants.ts';
import { StatusBadge } from '#web/ui/status-badge.tsx';

const tones = { completed: 'ok', pending: 'wait', failed: 'bad' } as const;

export function GrantBadge({ status }: { status: GrantStatus }) {
  const { t } = useTranslation();
  return <StatusBadge tone={tones[status]}>{t(`grants.choices.status.${status}`)}</StatusBadge>;
}
