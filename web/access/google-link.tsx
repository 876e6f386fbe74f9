import { Button } from '@mantine/core';
import { IconBrandGoogleFilled } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import styles from './auth-page.module.css';
import { useFingerprint } from './fingerprint.ts';
import { Terms } from './terms.tsx';

type GoogleLinkProps = { referralCode: string; saysTerms: boolean };

/** The link to sign in with Google. It passes the referral code on. The fingerprint is recorded as in the form. */
export function GoogleLink({ referralCode, saysTerms }: GoogleLinkProps) {
  const { t } = useTranslation();
  useFingerprint();
  const code = referralCode.trim();
  const query = code === '' ? '' : `?ref=${encodeURIComponent(code)}`;
  return (
    <>
      <p className={styles.or}>{t('auth.or')}</p>
      <Button
        component="a"
        href={`/api/auth/google${query}`}
        variant="default"
        size="lg"
        fullWidth
        leftSection={<IconBrandGoogleFilled size={20} aria-hidden="true" />}
      >
        {t('auth.google')}
      </Button>
      {saysTerms && (
        <div className={styles.googleTerms}>
          <Terms text={t('access.googleTerms')} />
        </div>
      )}
    </>
  );
}
