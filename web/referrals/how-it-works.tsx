import { useTranslation } from 'react-i18next';
import { REFERRAL_POINTS } from '#contract/points.ts';
import { formatAmount } from '#web/client/format.ts';
import styles from './how-it-works.module.css';

const steps = ['share', 'register', 'task'] as const;

/** Explains when the reward is paid, and what doesn't count. */
export function HowItWorks() {
  const { t } = useTranslation();
  const amount = formatAmount(REFERRAL_POINTS);
  return (
    <section className="card" aria-labelledby="how">
      <div className="card-head">
        <h2 id="how">{t('referrals.how.title')}</h2>
      </div>
      <div className="card-body">
        <ol className={styles.steps}>
          {steps.map((step) => (
            <li key={step}>
              <b>{t(`referrals.how.${step}.title`)}</b>
              <p className="small dim">{t(`referrals.how.${step}.text`, { amount })}</p>
            </li>
          ))}
        </ol>
        <p className={`small dim ${styles.note}`}>{t('referrals.how.note')}</p>
      </div>
    </section>
  );
}
