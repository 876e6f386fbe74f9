import { IconCircleDashed } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import type { ReplyOf } from '#contract/endpoint.ts';
import { readWalletBalances } from '#contract/wallets.ts';
import { ServerSentence } from '#web/admin/kit/server-sentence.tsx';
import { requestIdOf } from '#web/client/call.ts';
import { formatDecimal, formatTime } from '#web/client/format.ts';
import { useRead } from '#web/client/use-call.ts';
import { ErrorState } from '#web/ui/error-state.tsx';
import { StatusBadge } from '#web/ui/status-badge.tsx';
import styles from './wallets.module.css';

/** What each paying account answered last, read again every minute. */

const POLL_MS = 60_000;
const names = ['paypal', 'nowpayments', 'litecoin', 'dash'] as const;
const tones = { connected: 'ok', error: 'bad', not_configured: 'plain' } as const;
type Balances = ReplyOf<typeof readWalletBalances>;

export function WalletBalances() {
  const { t } = useTranslation();
  const read = useRead(readWalletBalances, undefined, { refetchInterval: POLL_MS });
  return (
    <section className={styles.card} aria-labelledby="wallet-balances">
      <h2 id="wallet-balances">{t('walletAccounts.balances.title')}</h2>
      {read.data !== undefined && <Accounts balances={read.data} />}
      {read.data === undefined && read.isError && (
        <ErrorState
          title={t('walletAccounts.balances.failed')}
          text={t(`refusals.${read.error.code}`)}
          requestId={requestIdOf(read.error)}
          onRetry={() => void read.refetch()}
        />
      )}
      {read.isPending && <AccountPlaces />}
      <p className={styles.note}>{t('walletAccounts.balances.note')}</p>
    </section>
  );
}

/** The accounts before their answers, in the same size, so that nothing below moves when these arrive. */
function AccountPlaces() {
  const { t } = useTranslation();
  return (
    <div role="status" aria-busy="true">
      <span className="visually-hidden">{t('common.loading')}</span>
      <ul className={styles.accounts} aria-hidden="true">
        {names.map((name) => (
          <li key={name}>
            <p className={styles.name}>{t(`walletAccounts.balances.names.${name}`)}</p>
            <p className="num">{'\u00a0'}</p>
            <StatusBadge tone="plain">{'\u00a0'}</StatusBadge>
            <p className={styles.note}>{t('walletAccounts.balances.updated')}:</p>
          </li>
        ))}
      </ul>
    </div>
  );
}

function Accounts({ balances }: { balances: Balances }) {
  const { t, i18n } = useTranslation();
  return (
    <ul className={styles.accounts}>
      {names.map((name) => {
        const reading = balances[name];
        const { status, lastUpdated, trouble } = reading;
        const balance = 'balance' in reading ? reading.balance : null;
        return (
          <li key={name}>
            <p className={styles.name}>{t(`walletAccounts.balances.names.${name}`)}</p>
            <p className="num">
              {balance === null || !('currency' in reading)
                ? '–'
                : `${formatDecimal(balance)} ${reading.currency}`}
            </p>
            <StatusBadge
              tone={tones[status]}
              {...(status === 'not_configured' ? { icon: IconCircleDashed } : {})}
            >
              {t(`walletAccounts.balances.states.${status}`)}
            </StatusBadge>
            <p className={styles.note}>
              {t('walletAccounts.balances.updated')}:{' '}
              {lastUpdated === null
                ? t('walletAccounts.balances.never')
                : formatTime(lastUpdated, i18n.language)}
            </p>
            {trouble !== null && (
              <p className={styles.trouble}>
                <ServerSentence text={trouble} />
              </p>
            )}
          </li>
        );
      })}
    </ul>
  );
}
