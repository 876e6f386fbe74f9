import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { Decision } from '#contract/decisions.ts';
import { formatClock, formatDayOfWeek, formatTime } from '#web/client/format.ts';
import { useLanguage } from '#web/client/use-language.ts';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { AppealForm } from './appeal-form.tsx';
import styles from './appeal-part.module.css';

type Appeal = NonNullable<Decision['appeal']>;

/** The foot of a decision: the form of the appeal once, then its track, then the answer. */
export function AppealPart({ decision }: { decision: Decision }) {
  const { t } = useTranslation();
  const { id, appeal, canAppeal } = decision;
  if (canAppeal) return <AppealForm id={id} />;
  if (appeal === null)
    return (
      <div className={styles.part}>
        <p className="dim small">{t('decisions.appeal.own')}</p>
      </div>
    );
  return appeal.status === 'open' ? <Track appeal={appeal} /> : <Answer appeal={appeal} />;
}

function Track({ appeal: { text, createdAt, answerBy, isLate } }: { appeal: Appeal }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const promised = t('decisions.at', {
    day: formatDayOfWeek(answerBy, language),
    time: formatClock(answerBy, language),
  });
  return (
    <section className={styles.part} aria-label={t('decisions.appeal.underWay')}>
      <h3>{t('decisions.appeal.underWay')}</h3>
      {isLate && (
        <p className={styles.late}>
          <IconAlertTriangle size={18} stroke={1.75} aria-hidden="true" />
          <span>{t('decisions.appeal.late', { time: promised })}</span>
        </p>
      )}
      <ol className={styles.track}>
        <li data-state="done">
          <b>{t('decisions.appeal.made')}</b>
          <time dateTime={createdAt}>{formatTime(createdAt, language)}</time>
          <p className={styles.text} dir="auto">
            {text}
          </p>
        </li>
        <li data-state="now" aria-current="step">
          <b>{t('decisions.appeal.read')}</b>
          {!isLate && <time dateTime={answerBy}>{t('decisions.appeal.by', { time: promised })}</time>}
          <p>{t('decisions.appeal.readText')}</p>
        </li>
        <li data-state="later">
          <b>{t('decisions.appeal.end')}</b>
          <p>{t('decisions.appeal.endText')}</p>
        </li>
      </ol>
    </section>
  );
}

function Answer({ appeal: { status, answer, answeredAt, text } }: { appeal: Appeal }) {
  const { t } = useTranslation();
  const language = useLanguage();
  return (
    <section className={styles.part} aria-label={t('decisions.appeal.answer')}>
      <header className={styles.head}>
        <h3>{t('decisions.appeal.answer')}</h3>
        <StatusBadge tone={status === 'overturned' ? 'ok' : 'plain'}>
          {t(`decisions.appeal.status.${status}`)}
        </StatusBadge>
      </header>
      <p className={styles.text} dir="auto">
        “{answer}”
      </p>
      <p className="dim small">
        {answeredAt !== null && t('decisions.appeal.answeredAt', { time: formatTime(answeredAt, language) })}
        {'. '}
        {t('decisions.appeal.final')}
      </p>
      <details className={styles.own}>
        <summary>{t('decisions.appeal.made')}</summary>
        <p className={styles.text} dir="auto">
          {text}
        </p>
      </details>
    </section>
  );
}
