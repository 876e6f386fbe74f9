import { useTranslation } from 'react-i18next';
import styles from './withdrawal-track.module.css';

const steps = ['requested', 'review', 'sent', 'confirmed'] as const;

/**
 * The steps of a withdrawal: dots for what is done, a ring for what is waited for now, dotted for what is to come.
 * With nothing left to wait for, every step is done.
 */
export function WithdrawalTrack({ now }: { now: (typeof steps)[number] | 'done' }) {
  const { t } = useTranslation();
  const current = now === 'done' ? steps.length : steps.indexOf(now);
  return (
    <ol className={styles.track} aria-label={t('withdrawals.track.label')}>
      {steps.map((step, index) => (
        <li
          key={step}
          data-done={index < current || undefined}
          aria-current={index === current ? 'step' : undefined}
        >
          {t(`withdrawals.track.${step === 'confirmed' && index === current ? 'confirming' : step}`)}
        </li>
      ))}
    </ol>
  );
}
