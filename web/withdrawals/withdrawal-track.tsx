import { useTranslation } from 'react-i18next';
import { StepList } from '#web/ui/step-list.tsx';
import styles from './withdrawal-track.module.css';

const steps = ['requested', 'review', 'sent', 'confirmed'] as const;

/** The steps of a withdrawal; `now` is the current one. With `done` all steps are complete. */
export function WithdrawalTrack({ now }: { now: (typeof steps)[number] | 'done' }) {
  const { t } = useTranslation();
  const current = now === 'done' ? steps.length : steps.indexOf(now);
  return (
    <StepList
      label={t('withdrawals.track.label')}
      className={styles.track}
      steps={steps.map((step, index) => ({
        label: t(`withdrawals.track.${step === 'confirmed' && index === current ? 'confirming' : step}`),
        state: index < current ? 'done' : index === current ? 'now' : 'later',
      }))}
    />
  );
}
