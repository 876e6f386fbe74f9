import { IconArrowBackUp, IconExternalLink, IconHourglass } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readActivity } from '#contract/earning.ts';
import { requestIdOf } from '#web/client/call.ts';
import { toPoints } from '#web/client/format.ts';
import { useRead } from '#web/client/use-call.ts';
import { Amount } from '#web/ui/amount.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import styles from './activity-list.module.css';
import { type Activity, type ActivityStatus, activityStatusOf } from './activity-status.ts';
import { ActivityTrack } from './activity-track.tsx';
import { useProviderNames } from './provider-names.ts';

const LINES_FOLDED = 6;

type ActivityListProps = {
  /** The lines about which the member has filed a claim. */
  claimedIds: ReadonlySet<string>;
  onClaim: (activityId?: string) => void;
};

/** The recently opened walls, each with its steps from click to credit. */
export function ActivityList({ claimedIds, onClaim }: ActivityListProps) {
  const { t } = useTranslation();
  const activity = useRead(readActivity);
  const nameOf = useProviderNames();
  const [isAll, setAll] = useState(false);
  const lines = activity.data ?? [];
  return (
    <section className="card" aria-labelledby="activity">
      <div className="card-head">
        <h2 id="activity">{t('earn.activity.title')}</h2>
        {lines.length > 0 && (
          <button type="button" className="link" onClick={() => onClaim()}>
            {t('earn.activity.claim')}
          </button>
        )}
      </div>
      {activity.isPending && <SkeletonRows count={3} />}
      {activity.isError && (
        <ErrorState
          title={t('earn.activity.failed')}
          text={t('earn.activity.failedText')}
          requestId={requestIdOf(activity.error)}
          onRetry={() => void activity.refetch()}
        />
      )}
      {activity.data?.length === 0 && (
        <EmptyState title={t('earn.activity.emptyTitle')} text={t('earn.activity.emptyText')} />
      )}
      {lines.length > 0 && (
        <ul className={styles.list}>
          {lines.slice(0, isAll ? undefined : LINES_FOLDED).map((line) => (
            <ActivityRow
              key={line.id}
              line={line}
              name={nameOf(line.provider) ?? line.provider}
              isClaimed={claimedIds.has(line.id)}
              onClaim={onClaim}
            />
          ))}
        </ul>
      )}
      {lines.length > LINES_FOLDED && (
        <button type="button" className={styles.more} aria-expanded={isAll} onClick={() => setAll(!isAll)}>
          {isAll ? t('earn.activity.less') : t('earn.activity.more', { count: lines.length })}
        </button>
      )}
    </section>
  );
}

const badges = {
  waiting: { tone: 'plain', icon: IconExternalLink, label: 'opened' },
  nothing: { tone: 'plain', icon: IconHourglass, label: 'nothing' },
  held: { tone: 'wait', icon: undefined, label: 'pending' },
  credited: { tone: 'ok', icon: undefined, label: 'credited' },
  reversed: { tone: 'bad', icon: IconArrowBackUp, label: 'reversed' },
} as const satisfies Record<ActivityStatus, object>;

type ActivityRowProps = {
  line: Activity;
  name: string;
  isClaimed: boolean;
  onClaim: (activityId: string) => void;
};

function ActivityRow({ line, name, isClaimed, onClaim }: ActivityRowProps) {
  const { t } = useTranslation();
  const status = activityStatusOf(line);
  const { tone, icon, label } = badges[status];
  return (
    <li>
      <p className={styles.name}>{name}</p>
      <ActivityTrack line={line} status={status} />
      <span className={styles.amount}>
        {toPoints(line.amount) !== 0n && (
          <Amount
            points={line.amount}
            signed={status === 'credited'}
            muted={status !== 'credited'}
            {...(status === 'reversed' ? { className: styles.gone } : {})}
          />
        )}
      </span>
      <span className={styles.badge}>
        <StatusBadge tone={tone} {...(icon === undefined ? {} : { icon })}>
          {t(`earn.activity.${label}`)}
        </StatusBadge>
        {status === 'nothing' && (
          <ClaimLink line={line} name={name} isClaimed={isClaimed} onClaim={onClaim} />
        )}
      </span>
    </li>
  );
}

/** The way to a claim about a line without a credit, or that there is one. */
function ClaimLink({ line, name, isClaimed, onClaim }: ActivityRowProps) {
  const { t } = useTranslation();
  if (isClaimed) return <span className={styles.claimed}>{t('earn.activity.claimed')}</span>;
  return (
    <button
      type="button"
      className={`link ${styles.claim}`}
      aria-label={t('earn.activity.claimOf', { name })}
      onClick={() => onClaim(line.id)}
    >
      {t('earn.activity.claimShort')}
    </button>
  );
}
