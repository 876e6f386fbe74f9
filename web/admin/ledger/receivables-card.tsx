import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import type { Receivable } from '#contract/ledger-books.ts';
import { formatDollars } from '#web/client/format.ts';
import { useBookNames } from './account-names.ts';
import styles from './books-page.module.css';
import { dayText } from './months.ts';

/** What members got through each provider less what it took back, by month, which is how providers pay. */
export function ReceivablesCard({ receivables }: { receivables: readonly Receivable[] }) {
  const { t } = useTranslation();
  return (
    <section className={styles.part} aria-labelledby="receivables">
      <h2 id="receivables">{t('books.receivables.title')}</h2>
      {receivables.length === 0 ? (
        <p className={styles.note}>{t('books.receivables.none')}</p>
      ) : (
        <>
          <div className={styles.scroll}>
            <ReceivableTable receivables={receivables} />
          </div>
          <p className={styles.note}>{t('books.receivables.note')}</p>
        </>
      )}
    </section>
  );
}

const worth = (points: string) => {
  const value = BigInt(points);
  return value < 0n ? `−${formatDollars(-value)}` : formatDollars(value);
};
const columns = ['thisMonth', 'lastMonth', 'earlier'] as const;

function ReceivableTable({ receivables }: { receivables: readonly Receivable[] }) {
  const { t, i18n } = useTranslation();
  const { accountOf } = useBookNames();
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">{t('books.receivables.provider')}</th>
          {columns.map((column) => (
            <th key={column} scope="col" className={styles.figure}>
              {t(`books.receivables.${column}`)}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {receivables.map((row) => (
          <tr key={row.account}>
            <th scope="row">
              <Link to="/management-panel-x7k9w/books" search={{ account: row.account }}>
                {accountOf(row)}
              </Link>
              <small>{t('books.receivables.last', { day: dayText(row.lastDay, i18n.language) })}</small>
            </th>
            {columns.map((column) => (
              <td key={column} className={`num ${styles.figure}`}>
                {worth(row[column])}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
