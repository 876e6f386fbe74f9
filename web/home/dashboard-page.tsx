import { useTranslation } from 'react-i18next';
import { LazyDailyBonusCard } from '#web/bonus/lazy-daily-bonus-card.tsx';
import { formatToday, hourOf } from '#web/client/format.ts';
import { useMember } from '#web/client/session.ts';
import { LazyCoinFlipCard } from '#web/coinflip/lazy-coin-flip-card.tsx';
import { LazyHomeNotice } from '#web/decisions/lazy-home-notice.tsx';
import { RecentActivity } from '#web/ledger/recent-activity.tsx';
import { WeekChart } from '#web/ledger/week-chart.tsx';
import { LazyInviteCard } from '#web/referrals/lazy-invite-card.tsx';
import { LazyWithdrawalDialog } from '#web/withdrawals/lazy-withdrawal-dialog.tsx';
import { useOpenWithdrawal } from '#web/withdrawals/use-open-withdrawal.ts';
import { BalanceSummary } from './balance-summary.tsx';
import styles from './dashboard-page.module.css';

const greetingAt = (hour: number) => (hour < 12 ? 'morning' : hour < 18 ? 'afternoon' : 'evening');

/** The member's start page: the balance, the next possible act and the recent activity. */
export function DashboardPage() {
  const { t, i18n } = useTranslation();
  const { firstName } = useMember();
  const { isOpen, open, close } = useOpenWithdrawal();
  const now = new Date();
  return (
    <>
      <div className={styles.hello}>
        <h1>{t(`dashboard.${greetingAt(hourOf(now))}`, { name: firstName })}</h1>
        <p className="dim">{formatToday(i18n.language, now)}</p>
      </div>
      <LazyHomeNotice />
      <div className={styles.grid}>
        <div className={styles.column}>
          <BalanceSummary onWithdraw={open} />
          <RecentActivity />
          <LazyInviteCard />
        </div>
        <div className={styles.column}>
          <LazyDailyBonusCard />
          <LazyCoinFlipCard />
          <WeekChart />
        </div>
      </div>
      <LazyWithdrawalDialog isOpen={isOpen} onClose={close} />
    </>
  );
}
