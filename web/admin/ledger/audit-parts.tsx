import { IconCheck } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { FinishedAudit } from '#contract/ledger-books.ts';
import { ServerSentence } from '#web/admin/kit/server-sentence.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { useBookNames } from './account-names.ts';
import styles from './books-page.module.css';
import { adviceOf, placeOf } from './findings.ts';

/** What an audit found, with the way to the thing and what to do about it; and what it checked. */

const SHOWN_MAX = 100;

export function Findings({ audit: { differences, findings } }: { audit: FinishedAudit }) {
  const { t } = useTranslation();
  const { checkOf } = useBookNames();
  if (differences.length === 0) return null;
  const advices = [...new Set(differences.map(({ check }) => adviceOf(check)))];
  return (
    <>
      {advices.map((advice) => (
        <p key={advice} className={styles.wrong}>
          {t(`books.advice.${advice}`)}
        </p>
      ))}
      <ul className={styles.differences}>
        {differences.slice(0, SHOWN_MAX).map((difference) => {
          const { check, subject, expected, actual } = difference;
          const place = placeOf(difference);
          return (
            <li key={`${check} ${subject}`}>
              <p>
                <b>{checkOf(check)}</b> <span className="mono">{subject}</span>
              </p>
              <p className={styles.note}>{t('books.expected', { text: expected })}</p>
              <p className={styles.note}>{t('books.actual', { text: actual })}</p>
              {place !== undefined && (
                <Link to={place.path} search={place.search as never}>
                  {t('books.openThing', { subject })}
                </Link>
              )}
            </li>
          );
        })}
      </ul>
      {findings > SHOWN_MAX && (
        <p className={styles.note}>{t('books.more', { count: findings - SHOWN_MAX })}</p>
      )}
    </>
  );
}

type Check = FinishedAudit['checks'][number];

/** The checks that found something or were not made, and behind a line the others. */
export function MadeChecks({ checks }: { checks: readonly Check[] }) {
  const { t } = useTranslation();
  const { checkOf } = useBookNames();
  const isSound = ({ findings, notChecked }: Check) => findings === 0 && notChecked === null;
  const sound = checks.filter(isSound);
  const others = checks.filter((check) => !isSound(check));
  return (
    <>
      {others.length > 0 && (
        <ul className={styles.checks}>
          {others.map((check) => (
            <OpenCheck key={check.name} check={check} />
          ))}
        </ul>
      )}
      {sound.length > 0 && (
        <details className={styles.sound}>
          <summary>{t('books.soundChecks', { count: sound.length })}</summary>
          <ul className={styles.checks}>
            {sound.map(({ name }) => (
              <li key={name}>
                <IconCheck size={16} stroke={2} aria-hidden="true" />
                <span>{checkOf(name)}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function OpenCheck({ check: { name, findings, notChecked, isFailed } }: { check: Check }) {
  const { t } = useTranslation();
  const { checkOf } = useBookNames();
  return (
    <li>
      <span>
        {checkOf(name)}
        {notChecked !== null && (
          <small>
            <ServerSentence text={notChecked} />
          </small>
        )}
      </span>
      {findings > 0 && <StatusBadge tone="bad">{t('books.differences', { count: findings })}</StatusBadge>}
      {notChecked !== null && (
        <StatusBadge tone={isFailed ? 'bad' : 'warn'}>
          {t(isFailed ? 'books.failed' : 'books.notChecked')}
        </StatusBadge>
      )}
    </li>
  );
}
