import { useTranslation } from 'react-i18next';
import { readWithdrawals } from '#contract/withdrawals.ts';
import { shortenMiddle } from '#web/client/format.ts';
import { useRead } from '#web/client/use-call.ts';
import styles from './detail-fields.module.css';

/** The same input as the first page of the list, so one answer serves both. */
const newest = { query: { page: '1', limit: '10' } };

type LastAddressProps = { method: string; onChange: (part: { address: string }) => void };

/** Fills in the address of the last withdrawal that was approved. The line keeps its height without one. */
export function LastAddress({ method, onChange }: LastAddressProps) {
  const { t } = useTranslation();
  const { data } = useRead(readWithdrawals, newest);
  const last = data?.data.find((entry) => entry.method === method && entry.status === 'approved');
  return (
    <p className={styles.hint}>
      {last !== undefined && (
        <button
          type="button"
          className="link"
          title={last.address}
          onClick={() => onChange({ address: last.address })}
        >
          {t('withdrawals.dialog.useLast', { address: shortenMiddle(last.address) })}
        </button>
      )}
    </p>
  );
}
