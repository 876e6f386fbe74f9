import { Link, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { readNowpaymentsWallet, readPaypalWallet } from '#contract/wallets.ts';
import { requestIdOf } from '#web/client/call.ts';
import { useRead } from '#web/client/use-call.ts';
import { ErrorState } from '#web/ui/error-state.tsx';
import { SkeletonRows } from '#web/ui/skeleton-rows.tsx';
import { CryptoForm, PaypalForm } from './company-forms.tsx';
import styles from './settings.module.css';
import { WalletBalances } from './wallet-balances.tsx';

/** The site's accounts at PayPal and at the crypto provider, and what every paying account holds. */

const tabs = ['business', 'crypto'] as const;

export function WalletsPage() {
  const { t } = useTranslation();
  const { tab = 'business' } = useSearch({ from: '/operator/management-panel-x7k9w/wallets' });
  return (
    <main id="main" tabIndex={-1} className={styles.page}>
      <h1>{t('walletAccounts.title')}</h1>
      <p className={styles.help}>{t('walletAccounts.lead')}</p>
      <nav className={styles.tabs} aria-label={t('walletAccounts.tabs.label')}>
        {tabs.map((one) => (
          <Link
            key={one}
            to="/management-panel-x7k9w/wallets"
            search={{ tab: one }}
            aria-current={one === tab ? 'page' : undefined}
          >
            {t(`walletAccounts.tabs.${one}`)}
          </Link>
        ))}
      </nav>
      <div className={styles.cards}>
        <WalletBalances />
        {tab === 'business' ? <Paypal /> : <Crypto />}
      </div>
    </main>
  );
}

function Paypal() {
  const read = useRead(readPaypalWallet);
  return read.data === undefined ? <Unread read={read} /> : <PaypalForm stored={read.data} />;
}

function Crypto() {
  const read = useRead(readNowpaymentsWallet);
  return read.data === undefined ? <Unread read={read} /> : <CryptoForm stored={read.data} />;
}

type UnreadProps = { read: ReturnType<typeof useRead> };

function Unread({ read }: UnreadProps) {
  const { t } = useTranslation();
  if (read.error === null) return <SkeletonRows count={5} />;
  return (
    <ErrorState
      title={t('common.failed')}
      text={t(`refusals.${read.error.code}`)}
      requestId={requestIdOf(read.error)}
      onRetry={() => void read.refetch()}
    />
  );
}
