import { type Icon, IconApps, IconDeviceGamepad2, IconTag, IconVideo } from '@tabler/icons-react';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { readTasks, taskCategories } from '#contract/earning-catalogue.ts';
import { requestIdOf } from '#web/client/call.ts';
import { useRead } from '#web/client/use-call.ts';
import { ErrorState } from '#web/ui/error-state.tsx';
import styles from './catalogue-page.module.css';
import chips from './chips.module.css';
import { sorted } from './listing-order.ts';
import { ListingResults } from './listing-results.tsx';
import { ListingSkeletons } from './listing-skeletons.tsx';
import { SortMenu } from './sort-menu.tsx';
import { useCatalogueLanguage } from './use-catalogue-language.ts';
import { useOpenWall } from './use-open-wall.ts';
import { WallDialog } from './wall-dialog.tsx';

type Category = (typeof taskCategories)[number];

const icons: Record<Category, Icon> = {
  video: IconVideo,
  game: IconDeviceGamepad2,
  app: IconApps,
  offer: IconTag,
};

/** Tasks of the catalogue by category and order. Both are in the URL. */
export function TasksPage() {
  const { t } = useTranslation();
  const { category, sort = 'recommended' } = useSearch({ from: '/member/tasks' });
  const navigate = useNavigate({ from: '/tasks' });
  const { id, close } = useOpenWall();
  const show = (chosen: Category | undefined) =>
    void navigate({
      search: ({ category: _before, ...rest }) =>
        chosen === undefined ? rest : { ...rest, category: chosen },
      resetScroll: false,
    });
  return (
    <>
      <h1>{t('tasks.title')}</h1>
      <p className={`dim ${styles.lead}`}>{t('tasks.lead')}</p>
      <div className={chips.bar}>
        {/* biome-ignore lint/a11y/useSemanticElements: a group of filter buttons, not of form fields. */}
        <div className={chips.kinds} role="group" aria-label={t('tasks.filters')}>
          {[undefined, ...taskCategories].map((one) => {
            const Sign = one === undefined ? null : icons[one];
            return (
              <button
                key={one ?? 'all'}
                type="button"
                className={chips.chip}
                aria-pressed={category === one}
                onClick={() => show(one)}
              >
                {Sign !== null && <Sign size={16} stroke={2} aria-hidden="true" />}
                {t(`tasks.categories.${one ?? 'all'}`)}
              </button>
            );
          })}
        </div>
        <SortMenu
          sort={sort}
          onSort={(chosen) =>
            void navigate({
              search: ({ sort: _before, ...rest }) =>
                chosen === 'recommended' ? rest : { ...rest, sort: chosen },
              resetScroll: false,
            })
          }
        />
      </div>
      <section className="card" aria-labelledby="list">
        <h2 id="list" className="visually-hidden">
          {t('tasks.list')}
        </h2>
        <Tasks category={category} sort={sort} onShowAll={() => show(undefined)} />
      </section>
      <WallDialog id={id} onClose={close} />
    </>
  );
}

type TasksProps = {
  category: Category | undefined;
  sort: Parameters<typeof sorted>[1];
  onShowAll: () => void;
};

function Tasks({ category, sort, onShowAll }: TasksProps) {
  const { t } = useTranslation();
  const tasks = useRead(readTasks, { query: { lang: useCatalogueLanguage() } });
  if (tasks.isPending) return <ListingSkeletons />;
  if (tasks.isError) {
    return (
      <ErrorState
        title={t('catalogue.failedTitle')}
        text={t('catalogue.failedText')}
        requestId={requestIdOf(tasks.error)}
        onRetry={() => void tasks.refetch()}
      />
    );
  }
  const shown = tasks.data.filter((task) => category === undefined || task.category === category);
  return (
    <ListingResults
      area="tasks"
      count={tasks.data.length}
      shown={sorted(shown, sort)}
      onShowAll={onShowAll}
    />
  );
}
