import { useTranslation } from 'react-i18next';
import { StepList } from '#web/ui/step-list.tsx';
import type { WithdrawalState } from '#web/ui/withdrawal-state.ts';
import { trackSteps } from './track-steps.ts';
import styles from './withdrawal-track.module.css';

/** The steps of a withdrawal that was not turned down. */
export function WithdrawalTrack({ state }: { state: WithdrawalState }) {
  const { t } = useTranslation();
  return (
    <StepList
      label={t('withdrawals.track.label')}
      className={styles.track}
      steps={trackSteps(state).map((step) => ({ label: t(step.word), state: step.state }))}
    />
  );
}
