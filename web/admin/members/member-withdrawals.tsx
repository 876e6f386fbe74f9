import { IconWallet } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { readWithdrawalQueue } from '#contract/withdrawals.ts';
import { requestIdOf } from '#web/client/call.ts';
import { formatAmount, formatTime } from '#web/client/format.ts';
import { useRead } from '#web/client/use-call.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { ErrorState } from '#web/ui/error-state.tsx';
import { useRailWords } from '#web/ui/rails.ts';
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx';
import { WithdrawalBadge } from '#web/ui/withdrawal-badge.tsx';
import styles from './member-rows.module.css';

const POLL_MS = 30_000;

/** The member's newest withdrawals. Each opens in the queue, where it is decided. */
export function MemberWithdrawals({ memberId }: { memberId: string }) {
  const { t, i18n } = useTranslation();
  const { nameOf } = useRailWords();
  const read = useRead(readWithdrawalQueue, { query: { q: memberId } }, { refetchInterval: POLL_MS });
  if (read.isPending) return <SkeletonRows count={5} />;
  if (read.isError)
    return (
      <ErrorState
        title={t('member.withdrawals.failed')}
        text={t(`refusals.${read.error.code}`)}
        requestId={requestIdOf(read.error)}
        onRetry={() => void read.refetch()}
      />
    );
  // A search for digits may find a text of another member's too.
  const rows = read.data.withdrawals.filter(({ userId }) => userId === memberId);
  if (rows.length === 0)
    return <EmptyState title={t('member.withdrawals.none')} text={t('member.withdrawals.noneText')} />;
  return (
    <section aria-labelledby="withdrawals">
      <h2 id="withdrawals" className="visually-hidden">
        {t('member.tabs.withdrawals')}
      </h2>
      <ul>
        {rows.map((row) => (
          <li key={row.id} className={styles.row}>
            <IconWallet size={16} stroke={2} aria-hidden="true" />
            <div>
              <p className={styles.name}>
                <Link
                  to="/management-panel-x7k9w/withdrawals"
                  search={{ status: 'all', open: row.id } as never}
                  className="link"
                >
                  {formatAmount(row.amount)}, {nameOf(row.method)}
                </Link>{' '}
                <WithdrawalBadge {...row} />
              </p>
              <p className={`mono ${styles.note}`}>{row.address}</p>
            </div>
            <span className={styles.when}>{formatTime(row.createdAt, i18n.language)}</span>
          </li>
        ))}
      </ul>
      <Link
        to="/management-panel-x7k9w/withdrawals"
        search={{ status: 'all', q: memberId } as never}
        className={`link ${styles.all}`}
      >
        {t('member.withdrawals.all')}
      </Link>
    </section>
  );
}
