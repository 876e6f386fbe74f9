import { Button } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import styles from './form.module.css';
import { SignInFrame } from './sign-in-frame.tsx';

/** Shown to a member who opens an operators' URL. */
export function NoAccess({ email }: { email: string }) {
  const { t } = useTranslation();
  return (
    <SignInFrame>
      <h1>{t('adminLogin.noAccess.title')}</h1>
      <p className="dim" style={{ marginTop: 'var(--e-space-8)' }}>
        {t('adminLogin.noAccess.text', { email })}
      </p>
      <div className={styles.form} style={{ marginTop: 'var(--e-space-24)' }}>
        <Button component="a" href="/admin-login" fullWidth>
          {t('adminLogin.title')}
        </Button>
        <Button component="a" href="/login" variant="default" fullWidth>
          {t('adminLogin.noAccess.login')}
        </Button>
        <Button component="a" href="/" variant="subtle" fullWidth>
          {t('adminLogin.noAccess.home')}
        </Button>
      </div>
    </SignInFrame>
  );
}
