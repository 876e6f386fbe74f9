import { Link } from '@tanstack/react-router';
import { Fragment } from 'react';
import { useTranslation } from 'react-i18next';
import { accountGroups, type Books } from '#contract/ledger-books.ts';
import { formatPoints } from '#web/client/format.ts';
import { EmptyState } from '#web/ui/empty-state.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { useBookNames } from './account-names.ts';
import styles from './books-page.module.css';

/** Every account on the side of its balance, in groups. Each opens its movements by day. */

/** A balance below zero is a debit. */
const debitText = (balance: string) => (balance.startsWith('-') ? formatPoints(balance.slice(1)) : '');
const creditText = (balance: string) => (/^[1-9]/.test(balance) ? formatPoints(balance) : '');

export function TrialBalance({ books }: { books: Books }) {
  const { accounts, sum, debtors, owed } = books;
  const { t } = useTranslation();
  return (
    <section className={styles.part} aria-labelledby="trial-balance">
      <div className={styles.heading}>
        <h2 id="trial-balance">{t('books.trialBalance')}</h2>
        {accounts.length > 0 && (
          <StatusBadge tone={sum === '0' ? 'ok' : 'bad'}>
            {t(sum === '0' ? 'books.balances' : 'books.doesNotBalance')}
          </StatusBadge>
        )}
      </div>
      {accounts.length === 0 ? (
        <EmptyState title={t('books.noAccounts')} text={t('books.noAccountsText')} />
      ) : (
        <AccountTable books={books} />
      )}
      {accounts.length > 0 && (
        <p className={styles.note}>
          {t('books.owedOf', {
            balances: formatPoints(owed.balances),
            requested: formatPoints(owed.requested),
          })}
        </p>
      )}
      {debtors.count > 0 && (
        <p className={styles.note}>
          {t('books.debtors', { count: debtors.count, points: formatPoints(debtors.points) })}
        </p>
      )}
      {sum !== '0' && <p className={styles.wrong}>{t('books.doesNotBalanceText')}</p>}
    </section>
  );
}

function AccountTable({ books: { accounts, sums } }: { books: Pick<Books, 'accounts' | 'sums'> }) {
  const { t } = useTranslation();
  const { rowOf } = useBookNames();
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">{t('books.account')}</th>
          <th scope="col" className={styles.figure}>
            {t('books.debit')}
          </th>
          <th scope="col" className={styles.figure}>
            {t('books.credit')}
          </th>
        </tr>
      </thead>
      <tbody>
        {accountGroups
          .map((group) => ({ group, rows: accounts.filter((account) => account.group === group) }))
          .filter(({ rows }) => rows.length > 0)
          .map(({ group, rows }) => (
            <Fragment key={group}>
              <tr className={styles.group}>
                <th scope="rowgroup" colSpan={3}>
                  {t(`books.groups.${group}`)}
                </th>
              </tr>
              {rows.map((row) => (
                <tr key={row.account}>
                  <th scope="row">
                    <Link to="/management-panel-x7k9w/books" search={{ account: row.account }}>
                      {rowOf(row)}
                    </Link>
                  </th>
                  <td className={`num ${styles.figure}`}>{debitText(row.balance)}</td>
                  <td className={`num ${styles.figure}`}>{creditText(row.balance)}</td>
                </tr>
              ))}
            </Fragment>
          ))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">{t('books.sum')}</th>
          <td className={`num ${styles.figure}`}>{formatPoints(sums.debit)}</td>
          <td className={`num ${styles.figure}`}>{formatPoints(sums.credit)}</td>
        </tr>
      </tfoot>
    </table>
  );
}
