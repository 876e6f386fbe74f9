import { useTranslation } from 'react-i18next';
import type { ListViews } from '#web/admin/kit/list-screen.ts';

const views = [
  { view: 'task', search: {} },
  { view: 'survey', search: { kind: 'survey' } },
  { view: 'all', search: { kind: 'all' } },
] as const;

/** The kinds of entries. Each kind has its own order. */
export function useCatalogueViews(current: (typeof views)[number]['view']): ListViews {
  const { t } = useTranslation();
  return {
    label: t('catalogueEntries.views.label'),
    items: views.map(({ view, search }) => ({
      key: view,
      label: t(`catalogueEntries.views.${view}`),
      search,
      isCurrent: view === current,
    })),
  };
}
