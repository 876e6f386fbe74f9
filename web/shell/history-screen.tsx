import { HistoryPage } from '#web/ledger/history-page.tsx';
import { RestrictionsNotice } from '#web/withdrawals/restrictions-notice.tsx';
import { WithdrawalList } from '#web/withdrawals/withdrawal-list.tsx';
import styles from './history-screen.module.css';

/** The ledger's history page with the withdrawals, and what blocks them, in its second tab. */
export const HistoryScreen = () => (
  <HistoryPage
    withdrawals={(page) => (
      <>
        <RestrictionsNotice className={styles.restrictions} />
        <WithdrawalList {...page} />
      </>
    )}
  />
);
