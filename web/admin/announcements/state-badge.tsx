import { useTranslation } from 'react-i18next';
import type { OperatorAnnouncement } from '#contract/announcements.ts';
import { StatusBadge } from '#web/ui/status-badge.tsx';

const tones = { scheduled: 'wait', latest: 'ok', listed: 'plain' } as const;

/** Scheduled, the latest, or an older one. */
export function StateBadge({ state }: Pick<OperatorAnnouncement, 'state'>) {
  const { t } = useTranslation();
  return <StatusBadge tone={tones[state]}>{t(`announcementList.choices.state.${state}`)}</StatusBadge>;
}
