import { type Icon, IconInfoCircle, IconUsers } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { FLAG_REVERSALS_MAX, type QueuedWithdrawal, type WithdrawalFlag } from '#contract/withdrawals.ts';
import { formatAmount, formatDollars } from '#web/client/format.ts';
import { type BadgeTone, StatusBadge } from '#web/ui/status-badge.tsx';
import { WithdrawalBadge } from '#web/ui/withdrawal-badge.tsx';
import { upTo } from './check-words.ts';
import { LeavingBadge } from './leaving-badge.tsx';
import styles from './queue-columns.module.css';

/** What must be known of a pending request, by the code that the server gives it. */
const tones: Record<WithdrawalFlag, BadgeTone> = {
  suspended: 'blocked',
  disowned: 'blocked',
  debt: 'blocked',
  'own-account': 'blocked',
  'over-cap': 'blocked',
  'on-hold': 'wait',
  'first-approved': 'wait',
  'two-people': 'wait',
  'in-check': 'blocked',
  'points-in-check': 'blocked',
  'shared-address': 'warn',
  'shared-device': 'warn',
  reversals: 'warn',
  'new-address': 'wait',
  'first-payout': 'wait',
};

/** Where the sign of the tone would say something else. */
const signs: Partial<Record<WithdrawalFlag, Icon>> = {
  'two-people': IconUsers,
  'new-address': IconInfoCircle,
  'first-payout': IconInfoCircle,
};

/** More would make a row of the list higher than the others; beside an open sheet there is room for one. */
const [SHOWN_MAX, SHOWN_BESIDE_SHEET_MAX] = [2, 1];

type WithdrawalFlagsProps = {
  row: QueuedWithdrawal;
  /** In the sheet: every flag, and the state of a request that has none. */
  areAll?: true;
  /** In the list while a sheet is open beside it. */
  isBesideSheet?: boolean;
};

/** The name of a flag, with its figure if it has one. */
function useFlagName({ flagFigures }: QueuedWithdrawal) {
  const { t } = useTranslation();
  return (flag: WithdrawalFlag): string => {
    const value = flagFigures.find((figure) => figure.flag === flag)?.value;
    if (value === undefined) return t(`queue.flags.${flag}`);
    const count = Number(value);
    if (flag === 'reversals')
      return t('queue.flagFigures.reversals', { count, shown: upTo(count, FLAG_REVERSALS_MAX) });
    if (flag === 'debt') return t('queue.flagFigures.debt', { amount: formatAmount(value) });
    return t('queue.flagFigures.cap', { amount: formatDollars(value) });
  };
}

/** The state of a decided request; of a pending one its flags, or that it has none. */
export function WithdrawalFlags({ row, areAll, isBesideSheet = false }: WithdrawalFlagsProps) {
  const { t } = useTranslation();
  const nameOf = useFlagName(row);
  if (areAll && (row.status !== 'pending' || row.flags.length === 0)) return <WithdrawalBadge {...row} />;
  if (row.status !== 'pending') return <LeavingBadge row={row} />;
  if (row.flags.length === 0) return <span className="dim">{t('queue.flagKinds.clean')}</span>;
  const shownMax = isBesideSheet ? SHOWN_BESIDE_SHEET_MAX : SHOWN_MAX;
  const shown = areAll ? row.flags : row.flags.slice(0, shownMax);
  const others = areAll ? [] : row.flags.slice(shownMax);
  const names = others.map(nameOf).join(', ');
  return (
    <span className={styles.flags}>
      {shown.map((flag) => (
        <StatusBadge key={flag} tone={tones[flag]} {...(signs[flag] && { icon: signs[flag] })}>
          {nameOf(flag)}
        </StatusBadge>
      ))}
      {others.length > 0 && (
        <span className={styles.moreFlags} title={names}>
          <span aria-hidden="true">+{others.length}</span>
          <span className="visually-hidden">{t('queue.moreFlags', { names })}</span>
        </span>
      )}
    </span>
  );
}
