import { Button } from '@mantine/core';
import { IconLock } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useBrandName } from '#web/client/session.ts';
import { Brand } from '#web/ui/brand.tsx';
import styles from './wall-gate.module.css';

/** Tells visitors that the offer wall needs an account, with a button to sign in. */
export function WallGate({ onLogin }: { onLogin: () => void }) {
  const { t } = useTranslation();
  const brand = useBrandName();
  return (
    <main id="main" tabIndex={-1} className={styles.page}>
      <a href="/">
        <Brand name={brand} />
      </a>
      <section className={`card ${styles.card}`} aria-labelledby="gate">
        <IconLock size={40} stroke={1.5} aria-hidden="true" />
        <h1 id="gate">{t('kiwiwall.signIn.title')}</h1>
        <p className="dim">{t('kiwiwall.signIn.text')}</p>
        <div className={styles.actions}>
          <Button onClick={onLogin}>{t('kiwiwall.signIn.login')}</Button>
          <Button
            variant="default"
            renderRoot={(props) => <Link to="/auth" search={{ tab: 'register' }} {...props} />}
          >
            {t('kiwiwall.signIn.register')}
          </Button>
        </div>
      </section>
    </main>
  );
}
