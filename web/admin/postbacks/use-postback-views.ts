import { useTranslation } from 'react-i18next';
import type { PostbackStats } from '#contract/earning-postbacks.ts';
import type { ListViews } from '#web/admin/kit/list-screen.ts';

const POSTBACKS = '/management-panel-x7k9w/postbacks';
const QUARANTINE = '/management-panel-x7k9w/postbacks/quarantine';

/**
 * The views of the calls, with the counts of today, and what waits in quarantine. The current one is an outcome, `all`
 * or `quarantine`.
 */
export function usePostbackViews(stats: PostbackStats | undefined, current: string): ListViews {
  const { t } = useTranslation();
  const views = [
    { view: 'all', to: POSTBACKS, search: {} },
    { view: 'refused', to: POSTBACKS, search: { outcome: 'refused' }, count: stats?.refused ?? null },
    { view: 'quarantine', to: QUARANTINE, search: {}, count: stats?.quarantined ?? null },
    { view: 'held', to: POSTBACKS, search: { outcome: 'held' }, count: stats?.held ?? null },
    { view: 'repeated', to: POSTBACKS, search: { outcome: 'repeated' }, count: stats?.repeated ?? null },
  ] as const;
  return {
    label: t('postbacks.views.label'),
    items: views.map(({ view, ...item }) => ({
      ...item,
      key: view,
      label: t(`postbacks.views.${view}`),
      isCurrent: view === current,
    })),
  };
}
