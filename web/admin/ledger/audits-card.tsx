import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Audit, Books } from '#contract/ledger-books.ts';
import { formatPoints, formatTime } from '#web/client/format.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { Findings, MadeChecks } from './audit-parts.tsx';
import styles from './books-page.module.css';

/** The last audit with what it checked and found, and the audits before, each of which opens. */

const FORMER_MAX = 6;

export function AuditsCard({ books: { lastAudit, audits } }: { books: Books }) {
  const { t } = useTranslation();
  const former = audits.filter(({ finishedAt, id }) => finishedAt !== null && id !== lastAudit?.id);
  return (
    <section className={styles.part} aria-labelledby="last-audit">
      <div className={styles.heading}>
        <h2 id="last-audit">{t('books.lastAudit')}</h2>
        {lastAudit !== null && <AuditBadge audit={lastAudit} />}
      </div>
      {lastAudit === null ? (
        <EmptyState title={t('books.never')} text={t('books.neverText')} />
      ) : (
        <>
          <p className={styles.note}>
            <AuditFacts audit={lastAudit} />
          </p>
          <Findings audit={lastAudit} />
          <MadeChecks checks={lastAudit.checks} />
        </>
      )}
      {former.length > 0 && (
        <>
          <h3>{t('books.formerAudits')}</h3>
          <ul className={styles.former}>
            {former.slice(0, FORMER_MAX).map((audit) => (
              <li key={audit.id}>
                <Link to="/management-panel-x7k9w/books" search={{ audit: audit.id }}>
                  <AuditFacts audit={audit} />
                </Link>
                <AuditBadge audit={audit} />
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

export function AuditBadge({ audit: { findings } }: { audit: Audit }) {
  const { t } = useTranslation();
  return (
    <StatusBadge tone={findings === 0 ? 'ok' : 'bad'}>
      {findings === 0 ? t('books.noDifference') : t('books.differences', { count: findings })}
    </StatusBadge>
  );
}

/** Why it was made, when it ended and how long it took. */
export function AuditFacts({ audit: { cause, startedAt, finishedAt } }: { audit: Audit }) {
  const { t, i18n } = useTranslation();
  const parts = [t(`books.causes.${cause}`)];
  if (finishedAt !== null) {
    parts.push(formatTime(finishedAt, i18n.language));
    if (startedAt !== null) {
      const seconds = Math.max(0, Math.round((Date.parse(finishedAt) - Date.parse(startedAt)) / 1_000));
      parts.push(t('books.seconds', { seconds: formatPoints(seconds) }));
    }
  }
  return <>{parts.join(' · ')}</>;
}
