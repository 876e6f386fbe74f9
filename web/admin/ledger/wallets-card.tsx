import { useTranslation } from 'react-i18next';
import type { Comparison, FinishedAudit } from '#contract/ledger-books.ts';
import type { OverviewDays, Wallet } from '#contract/overview.ts';
import type { ApiError } from '#web/client/call.ts';
import { formatDecimal, formatDollars, formatTime } from '#web/client/format.ts';
import { useRailWords } from '#web/ui/rails.ts';
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import styles from './books-page.module.css';

/**
 * The paying accounts: what each held at the last look, and what the last audit found when it compared the payments of
 * the last weeks with those that the account lists itself.
 */
type WalletsCardProps = {
  days: { data: OverviewDays | undefined; error: ApiError | null };
  audit: FinishedAudit | null;
};

export function WalletsCard({ days, audit }: WalletsCardProps) {
  const { t, i18n } = useTranslation();
  const wallets = days.data?.wallets;
  return (
    <section className={styles.part} aria-labelledby="wallets">
      <h2 id="wallets">{t('books.wallets.title')}</h2>
      {wallets === undefined &&
        (days.error === null ? (
          <SkeletonRows count={2} />
        ) : (
          <p className={styles.note}>{t(`refusals.${days.error.code}`)}</p>
        ))}
      {wallets?.length === 0 && <p className={styles.note}>{t('books.wallets.none')}</p>}
      {wallets !== undefined && wallets.length > 0 && <WalletTable wallets={wallets} audit={audit} />}
      {audit?.finishedAt && (
        <p className={styles.note}>
          {t('books.wallets.comparedAt', { time: formatTime(audit.finishedAt, i18n.language) })}
        </p>
      )}
    </section>
  );
}

function WalletTable({ wallets, audit }: { wallets: readonly Wallet[]; audit: FinishedAudit | null }) {
  const { t, i18n } = useTranslation();
  const { nameOf } = useRailWords();
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">{t('books.wallets.wallet')}</th>
          <th scope="col" className={styles.figure}>
            {t('books.wallets.books')}
          </th>
          <th scope="col" className={styles.figure}>
            {t('books.wallets.chain')}
          </th>
          <th scope="col" className={styles.figure}>
            {t('books.wallets.difference')}
          </th>
        </tr>
      </thead>
      <tbody>
        {wallets.map((wallet) => {
          const compared = audit?.checks
            .map((check) => check.compared)
            .find((comparison) => comparison?.method === wallet.method);
          return (
            <tr key={wallet.method}>
              <th scope="row">
                {nameOf(wallet.method)}
                <small>
                  {t('books.wallets.holds', {
                    amount: `${formatDecimal(wallet.balance)} ${wallet.currency}`,
                    time: formatTime(wallet.notedAt, i18n.language),
                  })}
                </small>
                <Short wallet={wallet} />
              </th>
              <td className={`num ${styles.figure}`}>{compared ? formatDecimal(compared.books) : '–'}</td>
              <td className={`num ${styles.figure}`}>{compared ? formatDecimal(compared.listed) : '–'}</td>
              <td className={styles.figure}>
                {compared ? (
                  <Difference compared={compared} />
                ) : (
                  <StatusBadge tone="warn">{t('books.notChecked')}</StatusBadge>
                )}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

function Difference({ compared: { difference } }: { compared: Comparison }) {
  const isZero = /^-?[0.]+$/.test(difference);
  const text = formatDecimal(difference);
  return (
    <StatusBadge tone={isZero ? 'ok' : 'bad'}>
      {isZero ? '0' : difference.startsWith('-') ? text : `+${text}`}
    </StatusBadge>
  );
}

/** That an account holds less than what waits to be paid from it. */
function Short({ wallet: { shortSince, points, neededPoints, method } }: { wallet: Wallet }) {
  const { t } = useTranslation();
  const { nameOf } = useRailWords();
  if (shortSince === null) return null;
  return (
    <StatusBadge tone="warn">
      {points === null || neededPoints === null
        ? t('books.wallets.short', { name: nameOf(method) })
        : t('books.wallets.shortBy', { amount: formatDollars(BigInt(neededPoints) - BigInt(points)) })}
    </StatusBadge>
  );
}
