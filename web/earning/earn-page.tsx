import { IconArrowBackUp, IconClock, IconShieldCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { type ComponentType, type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readOfferwalls } from '#contract/earning.ts';
import { readStats } from '#contract/ledger.ts';
import { requestIdOf } from '#web/client/call.ts';
import { formatAmount, formatPoints } from '#web/client/format.ts';
import { useRead } from '#web/client/use-call.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { ActivityList } from './activity-list.tsx';
import styles from './earn-page.module.css';
import { ProviderTile, type Wall } from './provider-tile.tsx';
import { SuspendedCard } from './suspended-card.tsx';
import { TileSkeletons } from './tile-skeletons.tsx';
import { useOpenWall } from './use-open-wall.ts';
import { WallDialog } from './wall-dialog.tsx';

type EarnPageProps = {
  /** The form that says that a credit did not arrive. */
  ClaimDialog: ComponentType<{ isOpen: boolean; activityId: string | undefined; onClose: () => void }>;
  /** What became of such claims, and the lines that they are about. */
  claims: ReactNode;
  claimedIds: ReadonlySet<string>;
};

/** The page with every active provider, the recently opened walls, and what is claimed about them. */
export function EarnPage({ ClaimDialog, claims, claimedIds }: EarnPageProps) {
  const { id, show, close } = useOpenWall();
  const [isClaiming, setClaiming] = useState(false);
  const [claimed, setClaimed] = useState<string>();
  return (
    <>
      <Head />
      <Walls onOpen={show} />
      <ActivityList
        claimedIds={claimedIds}
        onClaim={(activityId) => {
          setClaimed(activityId);
          setClaiming(true);
        }}
      />
      <Notes />
      {claims}
      <WallDialog id={id} onClose={close} />
      <ClaimDialog isOpen={isClaiming} activityId={claimed} onClose={() => setClaiming(false)} />
    </>
  );
}

function Walls({ onOpen }: { onOpen: (id: string) => void }) {
  const { t } = useTranslation();
  const walls = useRead(readOfferwalls);
  if (walls.isPending) return <TileSkeletons />;
  if (walls.isError) {
    const { code } = walls.error;
    return (
      <div className={`card ${styles.section}`}>
        {code === 'earnings-suspended' || code === 'account-suspended' ? (
          <SuspendedCard code={code} />
        ) : (
          <ErrorState
            title={t('earn.failedTitle')}
            text={t('earn.failedText')}
            requestId={requestIdOf(walls.error)}
            onRetry={() => void walls.refetch()}
          />
        )}
      </div>
    );
  }
  if (walls.data.length === 0) {
    return (
      <div className={`card ${styles.section}`}>
        <EmptyState title={t('earn.emptyTitle')} text={t('earn.emptyText')} />
      </div>
    );
  }
  return (['survey', 'offerwall'] as const).map((kind) => (
    <Section key={kind} kind={kind} walls={walls.data.filter((wall) => wall.kind === kind)} onOpen={onOpen} />
  ));
}

type SectionProps = { kind: Wall['kind']; walls: Wall[]; onOpen: (id: string) => void };

function Section({ kind, walls, onOpen }: SectionProps) {
  const { t } = useTranslation();
  if (walls.length === 0) return null;
  const isSurvey = kind === 'survey';
  return (
    <section className={styles.section} aria-labelledby={kind}>
      <div className={styles.sectionHead}>
        <h2 id={kind}>{t(isSurvey ? 'earn.surveys' : 'earn.walls')}</h2>
        <Link className="link" to={isSurvey ? '/surveys' : '/tasks'}>
          {t(isSurvey ? 'earn.allSurveys' : 'earn.allTasks')}
        </Link>
      </div>
      <div className={styles.tiles} data-kind={kind}>
        {walls.map((wall) => (
          <ProviderTile key={wall.id} wall={wall} onOpen={() => onOpen(wall.id)} />
        ))}
      </div>
    </section>
  );
}

/** The page's introduction, with the points earned today. */
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
            <p>
              {t(`earn.note.${key}.text`)}
              {key === 'back' && (
                <>
                  {' '}
                  <Link className="link" to="/chargeback-history">
                    {t('earn.note.back.link')}
                  </Link>
                </>
              )}
            </p>
          </div>
        </div>
      ))}
    </aside>
  );
}
