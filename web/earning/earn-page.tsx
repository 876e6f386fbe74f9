import { IconArrowBackUp, IconClock, IconShieldCheck } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { openOfferwall, readActivity, readOfferwalls } from '#contract/earning.ts';
import { readStats } from '#contract/ledger.ts';
import { requestIdOf } from '#web/shell/api.ts';
import { keyOf, useAct, useRead } from '#web/shell/use-call.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { formatAmount, formatPoints } from '#web/ui/format.ts';
import { ActivityList } from './activity-list.tsx';
import styles from './earn-page.module.css';
import { ProviderTile, type Wall } from './provider-tile.tsx';
import { TileSkeletons } from './tile-skeletons.tsx';
import { useOpenWall } from './use-open-wall.ts';
import { WallDialog } from './wall-dialog.tsx';

/** Where points come from: every provider that is on, and what became of what was opened lately. */
export function EarnPage() {
  const { t } = useTranslation();
  const client = useQueryClient();
  const walls = useRead(readOfferwalls);
  const { mutate: sayOpened } = useAct(openOfferwall);
  const { opened, show, close } = useOpenWall(walls.data);

  const open = (wall: Wall) => {
    show(wall);
    const refreshActivity = () => void client.invalidateQueries({ queryKey: keyOf(readActivity) });
    sayOpened({ params: { id: wall.id } }, { onSettled: refreshActivity });
  };

  return (
    <>
      <Head />
      {walls.isPending && <TileSkeletons />}
      {walls.isError && (
        <div className={`card ${styles.section}`}>
          <ErrorState
            title={t('earn.failedTitle')}
            text={
              walls.error.code === 'earnings-suspended'
                ? t('refusals.earnings-suspended')
                : t('earn.failedText')
            }
            requestId={requestIdOf(walls.error)}
            onRetry={() => void walls.refetch()}
          />
        </div>
      )}
      {walls.data?.length === 0 && (
        <div className={`card ${styles.section}`}>
          <EmptyState title={t('earn.emptyTitle')} text={t('earn.emptyText')} />
        </div>
      )}
      {(['survey', 'offerwall'] as const).map((kind) => {
        const group = walls.data?.filter((wall) => wall.kind === kind) ?? [];
        if (group.length === 0) return null;
        return (
          <section key={kind} className={styles.section} aria-labelledby={kind}>
            <h2 id={kind}>{t(kind === 'survey' ? 'earn.surveys' : 'earn.walls')}</h2>
            <div className={styles.tiles}>
              {group.map((wall) => (
                <ProviderTile key={wall.id} wall={wall} onOpen={() => open(wall)} />
              ))}
            </div>
          </section>
        );
      })}
      <ActivityList />
      <Notes />
      <WallDialog wall={opened} onClose={close} />
    </>
  );
}

/** What this page is for, and what came of it today. */
function Head() {
  const { t } = useTranslation();
  const stats = useRead(readStats);
  return (
    <div className={styles.head}>
      <div>
        <h1>{t('earn.title')}</h1>
        <p className="dim">{t('earn.lead')}</p>
      </div>
      <dl className={styles.today}>
        <div>
          <dt>{t('earn.today')}</dt>
          <dd className="num">{stats.data === undefined ? '–' : formatAmount(stats.data.todayEarned)}</dd>
        </div>
        <div>
          <dt>{t('earn.tasks')}</dt>
          <dd className="num">{stats.data === undefined ? '–' : formatPoints(stats.data.completedTasks)}</dd>
        </div>
      </dl>
    </div>
  );
}

const notes = [
  { key: 'arrive', Icon: IconClock },
  { key: 'back', Icon: IconArrowBackUp },
  { key: 'large', Icon: IconShieldCheck },
] as const;

function Notes() {
  const { t } = useTranslation();
  return (
    <aside className={styles.notes} aria-label={t('earn.note.label')}>
      {notes.map(({ key, Icon }) => (
        <div key={key}>
          <Icon size={20} stroke={1.75} aria-hidden="true" />
          <div>
            <h3>{t(`earn.note.${key}.title`)}</h3>
            <p>{t(`earn.note.${key}.text`)}</p>
          </div>
        </div>
      ))}
    </aside>
  );
}
