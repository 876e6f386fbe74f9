import { useTranslation } from 'react-i18next';
import { groupedByFour } from '#web/client/format.ts';
import { CopyButton } from '#web/ui/copy-button.tsx';
import styles from './possible-payments.module.css';

/** The ids of payments that may have paid already, in groups of four so that they can be compared. */
export function PossiblePayments({ txIds }: { txIds: readonly string[] }) {
  const { t } = useTranslation();
  if (txIds.length === 0) return null;
  return (
    <div className={styles.payments}>
      <p>{t('queue.payoutSheet.possible', { count: txIds.length })}</p>
      <ul>
        {txIds.map((txId) => (
          <li key={txId} className="mono">
            {groupedByFour(txId)} <CopyButton text={txId} label={t('queue.sheet.copyTransaction')} />
          </li>
        ))}
      </ul>
    </div>
  );
}
