import { useTranslation } from 'react-i18next';
import { StepList } from '#web/ui/step-list.tsx';
import type { WithdrawalState } from '#web/ui/withdrawal-state.ts';
import { trackSteps } from './track-steps.ts';
import styles from './withdrawal-track.module.css';

type WithdrawalTrackProps = { state: WithdrawalState; requestedAt: string };

/** The steps of a withdrawal that was not turned down. */
export function WithdrawalTrack({ state, requestedAt }: WithdrawalTrackProps) {
  const { t } = useTranslation();
  return (
    <StepList
      label={t('withdrawals.track.label')}
      className={styles.track}
      steps={trackSteps(state).map((step, index) => ({
        label: t(step.word),
        state: step.state,
        note: index === 0 ? requestedAt : '',
      }))}
    />
  );
}
