import { useTranslation } from 'react-i18next';
import styles from './withdrawal-track.module.css';

const steps = ['requested', 'review', 'sent', 'confirmed'] as const;

/** The steps of a withdrawal: dots for what is done, a ring for now, dotted for what is to come. */
export function WithdrawalTrack({ now }: { now: (typeof steps)[number] }) {
  const { t } = useTranslation();
  const current = steps.indexOf(now);
  return (
    <ol className={styles.track} aria-label={t('withdrawals.track.label')}>
      {steps.map((step, index) => (
        <li
          key={step}
          data-done={index < current || undefined}
          aria-current={index === current ? 'step' : undefined}
        >
          {t(`withdrawals.track.${step}`)}
        </li>
      ))}
    </ol>
  );
}
