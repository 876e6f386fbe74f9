import { useTranslation } from 'react-i18next';
import type { Decision } from '#contract/decisions.ts';
import { formatTime } from '#web/client/format.ts';
import { useLanguage } from '#web/client/use-language.ts';
import styles from './decisions-page.module.css';
import { Subject } from './subject.tsx';

/** Credits and withdrawals that wait: why, and what ends the wait. */
export function WaitingDecisions({ decisions }: { decisions: readonly Decision[] }) {
  const { t } = useTranslation();
  return (
    <section className="card" aria-labelledby="waiting">
      <header className="card-head">
        <h2 id="waiting">{t('decisions.waiting.title')}</h2>
        <span className="num dim small">{decisions.length}</span>
      </header>
      <p className={`dim small ${styles.waitingText}`}>{t('decisions.waiting.text')}</p>
      <ul className={styles.past}>
        {decisions.map((decision) => (
          <WaitingDecision key={decision.id} decision={decision} />
        ))}
      </ul>
    </section>
  );
}

function WaitingDecision({ decision }: { decision: Decision }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const { kind, rule, createdAt, expiresAt } = decision;
  return (
    <li>
      <p className={styles.pastTitle}>{t(`decisions.past.${kind}`)}</p>
      <time className="dimmer small" dateTime={createdAt}>
        {formatTime(createdAt, language)}
      </time>
      <Subject decision={decision} />
      <p className={styles.pastText}>
        {t(`decisions.waiting.rules.${rule ?? 'other'}`)}{' '}
        {expiresAt === null
          ? t('decisions.waiting.endsHeld')
          : t('decisions.waiting.endsTime', { time: formatTime(expiresAt, language) })}
      </p>
    </li>
  );
}
