import { useTranslation } from 'react-i18next';
import type { QueuedWithdrawal, WithdrawalFlag } from '#contract/withdrawals.ts';
import { type BadgeTone, StatusBadge } from '#web/ui/status-badge.tsx';
import { WithdrawalBadge } from '#web/ui/withdrawal-badge.tsx';
import styles from './queue-columns.module.css';

/** What must be known of a pending request, by the code that the server gives it. */
const tones: Record<WithdrawalFlag, BadgeTone> = {
  suspended: 'bad',
  disowned: 'bad',
  'in-debt': 'bad',
  'own-request': 'bad',
  capped: 'bad',
  'on-hold': 'wait',
  'first-approved': 'wait',
  'two-people': 'wait',
  'in-check': 'warn',
};

/** The state of a request; of a pending one its flags, if it has any. */
export function WithdrawalFlags({ row }: { row: QueuedWithdrawal }) {
  const { t } = useTranslation();
  if (row.flags.length === 0) return <WithdrawalBadge {...row} />;
  return (
    <span className={styles.flags}>
      {row.flags.map((flag) => (
        <StatusBadge key={flag} tone={tones[flag]}>
          {t(`queue.flags.${flag}`)}
        </StatusBadge>
      ))}
    </span>
  );
}
