import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { PostbackStats } from '#contract/earning-postbacks.ts';
import { formatPoints } from '#web/client/format.ts';
import type { ListSearch } from '#web/client/list-search.ts';
import styles from './postbacks.module.css';

const POSTBACKS = '/management-panel-x7k9w/postbacks';
const QUARANTINE = '/management-panel-x7k9w/postbacks/quarantine';

type PostbackViewsProps = {
  stats: PostbackStats | undefined;
  /** The outcome that is shown, `all`, or `quarantine`. */
  current: string;
};

/** The views of the calls, with the counts of today, and what waits in quarantine. */
export function PostbackViews({ stats, current }: PostbackViewsProps) {
  const { t } = useTranslation();
  const views = [
    { view: 'all', to: POSTBACKS, search: {}, count: undefined },
    { view: 'refused', to: POSTBACKS, search: { outcome: 'refused' }, count: stats?.refused },
    { view: 'quarantine', to: QUARANTINE, search: {}, count: stats?.quarantined },
    { view: 'held', to: POSTBACKS, search: { outcome: 'held' }, count: stats?.held },
    { view: 'repeated', to: POSTBACKS, search: { outcome: 'repeated' }, count: stats?.repeated },
  ] as const;
  return (
    <nav className={styles.views} aria-label={t('postbacks.views.label')}>
      {views.map(({ view, to, search, count }) => (
        <Link
          key={view}
          to={to}
          search={search as ListSearch}
          data-current={view === current || undefined}
          aria-current={view === current ? 'page' : undefined}
          activeProps={{}}
        >
          {t(`postbacks.views.${view}`)}
          {count !== undefined && <span className="num">{formatPoints(count)}</span>}
        </Link>
      ))}
    </nav>
  );
}
