import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { type Decision, readDecisions } from '#contract/decisions.ts';
import { isBlock } from '#contract/decisions-blocks.ts';
import { requestIdOf } from '#web/client/call.ts';
import { formatTime } from '#web/client/format.ts';
import { useRead } from '#web/client/use-call.ts';
import { useLanguage } from '#web/client/use-language.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { DecisionCard } from './decision-card.tsx';
import styles from './decisions-page.module.css';
import { rememberAnswers } from './read-answers.ts';
import { Subject } from './subject.tsx';
import { WaitingDecisions } from './waiting-decisions.tsx';

/** An answer comes with a notice over the live line. This is for what a lost event left out, and for an end by time. */
const POLL_MS = 30_000;

/** The decisions about the member: those that are active as cards with their appeal, then the earlier ones. */
export function DecisionsPage() {
  const { t } = useTranslation();
  return (
    <>
      <h1>{t('decisions.title')}</h1>
      <p className={`dim ${styles.lead}`}>{t('decisions.lead')}</p>
      <div className={styles.room}>
        <Decisions />
      </div>
    </>
  );
}

function Decisions() {
  const { t } = useTranslation();
  const { data, error, isPending, refetch } = useRead(readDecisions, undefined, {
    refetchOnMount: 'always',
    refetchInterval: POLL_MS,
  });
  useEffect(() => {
    if (data !== undefined) rememberAnswers(data);
  }, [data]);
  if (isPending)
    return (
      <div className="card">
        <SkeletonRows count={4} />
      </div>
    );
  if (data === undefined)
    return (
      <div className="card">
        <ErrorState
          title={t('decisions.failedTitle')}
          text={t('decisions.failedText')}
          requestId={requestIdOf(error)}
          onRetry={() => void refetch()}
        />
      </div>
    );
  if (data.length === 0)
    return (
      <div className="card">
        <EmptyState title={t('decisions.emptyTitle')} text={t('decisions.emptyText')} />
      </div>
    );
  const shown = data.filter(isCard);
  const waiting = data.filter((decision) => decision.isActive && !isCard(decision));
  const ended = data.filter((decision) => !decision.isActive && !isCard(decision));
  return (
    <div className={styles.stack}>
      {shown.map((decision) => (
        <DecisionCard key={decision.id} decision={decision} />
      ))}
      {waiting.length > 0 && <WaitingDecisions decisions={waiting} />}
      {ended.length > 0 && <EarlierDecisions decisions={ended} />}
    </div>
  );
}

/** A block that is active, and a rejection with room for an appeal, or one that waits for its answer. */
const isCard = ({ kind, isActive, canAppeal, appeal }: Decision): boolean =>
  isBlock(kind) ? isActive : canAppeal || (kind === 'earning_rejected' && appeal?.status === 'open');

function EarlierDecisions({ decisions }: { decisions: readonly Decision[] }) {
  const { t } = useTranslation();
  return (
    <section className="card" aria-labelledby="earlier">
      <header className="card-head">
        <h2 id="earlier">{t('decisions.earlier.title')}</h2>
        <span className="num dim small">{decisions.length}</span>
      </header>
      <ul className={styles.past}>
        {decisions.map((decision) => (
          <EarlierDecision key={decision.id} decision={decision} />
        ))}
      </ul>
    </section>
  );
}

function EarlierDecision({ decision }: { decision: Decision }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { kind, reason, appeal, createdAt, liftedAt } = decision;
  const time = (iso: string) => formatTime(iso, language);
  return (
    <li>
      <p className={styles.pastTitle}>{t(`decisions.past.${kind}`)}</p>
      <EndBadge decision={decision} />
      <Subject decision={decision} />
      <p className={styles.pastText}>
        <span dir="auto" className={styles.pastReason}>
          {reason}
        </span>
        {kind === 'withdrawal_rejected' && t('decisions.withdrawalEnd')}
        {kind !== 'withdrawal_rejected' && appeal === null && t('decisions.earlier.notAppealed')}
        {appeal !== null && t('decisions.earlier.appealed', { time: time(appeal.createdAt) })}
        {appeal !== null && appeal.answer !== null && (
          <>
            {' '}
            {t('decisions.appeal.answer')}: <span dir="auto">“{appeal.answer}”</span>
          </>
        )}
      </p>
      <p className="dimmer small">
        <time dateTime={createdAt}>{time(createdAt)}</time>
        {liftedAt !== null && ` · ${t('decisions.lifted', { time: time(liftedAt) })}`}
      </p>
    </li>
  );
}

function EndBadge({ decision: { kind, appeal } }: { decision: Decision }) {
  const { t } = useTranslation();
  const isRejected = kind === 'earning_rejected' || kind === 'withdrawal_rejected';
  return appeal?.status === 'overturned' ? (
    <StatusBadge tone="ok">{t('decisions.appeal.status.overturned')}</StatusBadge>
  ) : (
    <StatusBadge tone="plain">{t(isRejected ? 'decisions.rejected' : 'decisions.ended')}</StatusBadge>
  );
}
