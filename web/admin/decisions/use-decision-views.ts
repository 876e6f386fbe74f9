import { useTranslation } from 'react-i18next';
import type { ListViews } from '#web/admin/kit/list-screen.ts';

/** The lists of the screen as views. */
export function useDecisionViews(current: 'appeals' | 'made' | 'absences'): ListViews {
  const { t } = useTranslation();
  return {
    label: t('appeals.views.label'),
    items: [
      { key: 'appeals', label: t('appeals.views.appeals'), search: {}, isCurrent: current === 'appeals' },
      { key: 'made', label: t('appeals.views.made'), search: { tab: 'made' }, isCurrent: current === 'made' },
      {
        key: 'absences',
        label: t('appeals.views.absences'),
        search: { tab: 'absences' },
        isCurrent: current === 'absences',
      },
    ],
  };
}
