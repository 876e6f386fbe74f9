import { Button } from '@mantine/core';
import { IconHandStop } from '@tabler/icons-react';
import { Navigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useMember } from '#web/client/session.ts';
import styles from './wallet-settings-page.module.css';

/**
 * The site's wallets belong to operators: a member gets the card that says so, and an operator goes to their screen in
 * the operators' area.
 */
export function WalletSettingsPage() {
  const { t } = useTranslation();
  if (useMember().role === 'admin') return <Navigate to="/management-panel-x7k9w/wallets" replace />;
  return (
    <>
      <h1 className={styles.title}>{t('withdrawals.walletSettings.title')}</h1>
      <section className={`card ${styles.card}`} aria-labelledby="denied">
        <IconHandStop size={40} stroke={1.5} aria-hidden="true" />
        <h2 id="denied">{t('withdrawals.walletSettings.denied')}</h2>
        <p>{t('withdrawals.walletSettings.text')}</p>
        <Button component="a" href="/admin-login" variant="default">
          {t('withdrawals.walletSettings.signIn')}
        </Button>
      </section>
    </>
  );
}
