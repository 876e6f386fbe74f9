import { useTranslation } from 'react-i18next';
import { readStats } from '#contract/ledger.ts';
import { WITHDRAWAL_POINTS_MIN } from '#contract/points.ts';
import { formatAmount, toPoints } from '#web/client/format.ts';
import { useRead } from '#web/client/use-call.ts';
import { ProgressBar } from '#web/ui/progress-bar.tsx';
import { goalAfter } from './next-goal.ts';
import styles from './wall-dialog.module.css';

/** How far the balance is from its next round sum. It keeps its place until the balance is known. */
export function WallGoal() {
  const { t } = useTranslation();
  const { data: stats } = useRead(readStats);
  if (stats === undefined) return <div className={styles.goal} />;
  const balance = toPoints(stats.balance);
  const goal = goalAfter(balance);
  const words = { goal: formatAmount(goal), missing: formatAmount(goal - balance) };
  const text = t(`earn.dialog.${goal === WITHDRAWAL_POINTS_MIN ? 'toWithdrawal' : 'toGoal'}`, words);
  return (
    <div className={styles.goal}>
      <ProgressBar value={Number(balance)} max={Number(goal)} label={text} />
      <p className="num" aria-hidden="true">
        <span>{text}</span>
        <span>{words.goal}</span>
      </p>
    </div>
  );
}
