import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { ListSearch } from '#web/client/list-search.ts';
import styles from './catalogue.module.css';

const CATALOGUE = '/management-panel-x7k9w/catalogue';

const views = [
  { view: 'task', search: {} },
  { view: 'survey', search: { kind: 'survey' } },
  { view: 'all', search: { kind: 'all' } },
] as const;

/** The kinds of entries. Each kind has its own order. */
export function CatalogueViews({ current }: { current: (typeof views)[number]['view'] }) {
  const { t } = useTranslation();
  return (
    <nav className={styles.views} aria-label={t('catalogueEntries.views.label')}>
      {views.map(({ view, search }) => (
        <Link
          key={view}
          to={CATALOGUE}
          search={search as ListSearch}
          data-current={view === current || undefined}
          aria-current={view === current ? 'page' : undefined}
          activeProps={{}}
        >
          {t(`catalogueEntries.views.${view}`)}
        </Link>
      ))}
    </nav>
  );
}
