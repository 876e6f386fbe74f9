import { HistoryPage } from '#web/ledger/history-page.tsx';
import { WithdrawalList } from '#web/withdrawals/withdrawal-list.tsx';

/** The ledger's history page with the withdrawals in its second tab. */
export const HistoryScreen = () => <HistoryPage withdrawals={(page) => <WithdrawalList {...page} />} />;
