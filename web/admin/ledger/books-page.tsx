import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type Audit, type Books, type FinishedAudit, readBooks, startAudit } from '#contract/ledger-books.ts';
import { ListTotals, totalOf } from '#web/admin/kit/list-totals.tsx';
import { requestIdOf } from '#web/client/call.ts';
import { formatPoints, formatSigned, formatTime } from '#web/client/format.ts';
import { useAct, useRead } from '#web/client/use-call.ts';
import { ErrorState } from '#web/ui/error-state.tsx';
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import { toast } from '#web/ui/toast.tsx';
import styles from './books-page.module.css';

/** The books: the trial balance, and what the last audit found. The server audits each night and after each start. */

const POLL_MS = 5_000;
/** The account of all members together. */
const MEMBERS = 'members';

export function BooksPage() {
  const { t, i18n } = useTranslation();
  const books = useRead(readBooks, undefined, { refetchInterval: POLL_MS });
  const owed = ({ accounts }: Books) => accounts.find(({ account }) => account === MEMBERS)?.balance ?? '0';
  return (
    <main id="main" tabIndex={-1} className={styles.main}>
      <div className={styles.head}>
        <h1>{t('books.title')}</h1>
        <StartAudit audits={books.data?.audits ?? []} />
      </div>
      <ListTotals
        totals={[
          {
            key: 'owed',
            label: t('books.owed'),
            value: totalOf(books, (data) => `${balanceText(owed(data))} P`),
          },
          { key: 'sum', label: t('books.sum'), value: totalOf(books, ({ sum }) => `${balanceText(sum)} P`) },
          {
            key: 'audit',
            label: t('books.lastAudit'),
            value: totalOf(books, ({ lastAudit }) =>
              lastAudit?.finishedAt ? formatTime(lastAudit.finishedAt, i18n.language) : t('books.never'),
            ),
          },
        ]}
      />
      {books.data !== undefined && (
        <div className={styles.parts}>
          <TrialBalance books={books.data} />
          {books.data.lastAudit !== null && <LastAudit audit={books.data.lastAudit} />}
        </div>
      )}
      {books.data === undefined && books.isError && (
        <ErrorState
          title={t('common.failed')}
          text={t(`refusals.${books.error.code}`)}
          requestId={requestIdOf(books.error)}
          onRetry={() => void books.refetch()}
        />
      )}
      {books.isPending && <SkeletonRows count={5} />}
    </main>
  );
}

/** A balance of an account, which may be below zero; a member's is never shown so. */
const balanceText = (balance: string) =>
  BigInt(balance) < 0n ? formatSigned(balance) : formatPoints(balance);

/** Starts an audit. While one waits or runs, the button says so. */
function StartAudit({ audits }: { audits: readonly Audit[] }) {
  const { t } = useTranslation();
  const start = useAct(startAudit);
  const isRunning = audits.some(
    ({ cause, startedAt, finishedAt }) => finishedAt === null && (cause === 'operator' || startedAt !== null),
  );
  return (
    <Button
      variant="default"
      disabled={isRunning}
      loading={start.isPending}
      onClick={() =>
        start.mutate(
          {},
          { onError: (error) => toast.bad(t(`refusals.${error.code}`), t('books.notStarted')) },
        )
      }
    >
      {t(isRunning ? 'books.running' : 'books.start')}
    </Button>
  );
}

function TrialBalance({ books: { accounts, sum } }: { books: Books }) {
  const { t } = useTranslation();
  return (
    <section className={styles.part} aria-labelledby="trial-balance">
      <div className={styles.heading}>
        <h2 id="trial-balance">{t('books.trialBalance')}</h2>
        <StatusBadge tone={sum === '0' ? 'ok' : 'bad'}>
          {t(sum === '0' ? 'books.balances' : 'books.doesNotBalance')}
        </StatusBadge>
      </div>
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('books.account')}</th>
            <th scope="col">{t('books.balance')}</th>
          </tr>
        </thead>
        <tbody>
          {accounts.map(({ account, balance }) => (
            <tr key={account}>
              <td>{account}</td>
              <td className="num">{balanceText(balance)}</td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <td>{t('books.sum')}</td>
            <td className="num">{balanceText(sum)}</td>
          </tr>
        </tfoot>
      </table>
    </section>
  );
}

function LastAudit({ audit }: { audit: FinishedAudit }) {
  const { t, i18n } = useTranslation();
  const { findings, cause, finishedAt, checks, differences } = audit;
  return (
    <section className={styles.part} aria-labelledby="last-audit">
      <div className={styles.heading}>
        <h2 id="last-audit">{t('books.lastAudit')}</h2>
        <StatusBadge tone={findings === 0 ? 'ok' : 'bad'}>
          {findings === 0 ? t('books.noDifference') : t('books.differences', { count: findings })}
        </StatusBadge>
      </div>
      <p className={styles.note}>
        {t(`books.causes.${cause}`)}
        {finishedAt !== null && `, ${formatTime(finishedAt, i18n.language)}`}
      </p>
      {differences.length > 0 && (
        <ul className={styles.differences}>
          {differences.map(({ check, subject, expected, actual }) => (
            <li key={`${check} ${subject}`}>
              <p>
                <b>{check}</b> <span className="mono">{subject}</span>
              </p>
              <p className={styles.note}>{t('books.expected', { text: expected })}</p>
              <p className={styles.note}>{t('books.actual', { text: actual })}</p>
            </li>
          ))}
        </ul>
      )}
      <ul className={styles.checks}>
        {checks.map(({ name, findings: found, notChecked }) => (
          <li key={name}>
            <span className="mono">{name}</span>
            {notChecked !== null ? (
              <StatusBadge tone="warn">{t('books.notChecked')}</StatusBadge>
            ) : (
              <StatusBadge tone={found === 0 ? 'ok' : 'bad'}>{String(found)}</StatusBadge>
            )}
            {notChecked !== null && <span className={styles.note}>{notChecked}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}
