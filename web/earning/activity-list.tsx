import { type Icon, IconArrowBackUp, IconExternalLink } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { readActivity, readOfferwalls } from '#contract/earning.ts';
import type { ReplyOf } from '#contract/endpoint.ts';
import { requestIdOf } from '#web/shell/api.ts';
import { useRead } from '#web/shell/use-call.ts';
import { Amount } from '#web/ui/amount.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { formatTime, toPoints } from '#web/ui/format.ts';
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx';
import { type BadgeTone, StatusBadge } from '#web/ui/status-badge.tsx';
import styles from './activity-list.module.css';

type Activity = ReplyOf<typeof readActivity>[number];

const SHOWN = 6;
const tones: Record<Activity['state'], BadgeTone> = {
  opened: 'plain',
  pending: 'wait',
  credited: 'ok',
  reversed: 'bad',
};

const icons: Partial<Record<Activity['state'], Icon>> = {
  opened: IconExternalLink,
  reversed: IconArrowBackUp,
};

/** What became of the walls that were opened lately: opened, being checked, credited, or taken back. */
export function ActivityList() {
  const { t } = useTranslation();
  const activity = useRead(readActivity);
  const walls = useRead(readOfferwalls);
  const nameOf = (id: string) => walls.data?.find((wall) => wall.id === id)?.name ?? id;
  return (
    <section className="card" aria-labelledby="activity">
      <div className="card-head">
        <h2 id="activity">{t('earn.activity.title')}</h2>
      </div>
      {activity.isPending && <SkeletonRows count={3} />}
      {activity.isError && (
        <ErrorState
          title={t('earn.activity.failed')}
          text={t('earn.failedText')}
          requestId={requestIdOf(activity.error)}
          onRetry={() => void activity.refetch()}
        />
      )}
      {activity.data?.length === 0 && (
        <EmptyState title={t('earn.activity.emptyTitle')} text={t('earn.activity.emptyText')} />
      )}
      {activity.data !== undefined && activity.data.length > 0 && (
        <ul className={styles.list}>
          {activity.data.slice(0, SHOWN).map((entry) => (
            <ActivityRow key={entry.id} entry={entry} name={nameOf(entry.provider)} />
          ))}
        </ul>
      )}
    </section>
  );
}

function ActivityRow({ entry, name }: { entry: Activity; name: string }) {
  const { t, i18n } = useTranslation();
  const icon = icons[entry.state];
  const state = t(`earn.activity.${entry.state}`);
  const openedAt = formatTime(entry.openedAt, i18n.language);
  const updatedAt = formatTime(entry.updatedAt, i18n.language);
  const isMoved = toPoints(entry.amount) !== 0n;
  return (
    <li>
      <div>
        <p className={styles.name}>{name}</p>
        <p className="caption dimmer">
          {t('earn.activity.openedAt', { time: openedAt })}
          {entry.state !== 'opened' && updatedAt !== openedAt && ` · ${state} ${updatedAt}`}
        </p>
      </div>
      {isMoved && (
        <Amount points={entry.amount} signed={entry.state !== 'pending'} muted={entry.state === 'pending'} />
      )}
      <StatusBadge tone={tones[entry.state]} {...(icon === undefined ? {} : { icon })}>
        {state}
      </StatusBadge>
    </li>
  );
}
