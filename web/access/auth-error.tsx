import { IconAlertTriangle } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { type GoogleError, googleErrors } from '#contract/access.ts';
import styles from './auth-error.module.css';

/** Refusals of a registration with Google. They show the same text as in the registration form. */
const registrationCodes = [
  'registration-blocked',
  'manual-review-required',
  'registration-not-allowed',
  'unknown-referral-code',
  'email-taken',
  'rate-limited',
] as const;
type RegistrationCode = (typeof registrationCodes)[number];

/** Explains why signing in failed, by the code in the URL. An unknown code gets a general text and is never echoed. */
export function AuthError({ code }: { code: string }) {
  const { t } = useTranslation();
  const registration = registrationCodes.find((known) => known === code);
  return (
    <div className={styles.error} role="alert">
      <IconAlertTriangle size={20} stroke={1.75} aria-hidden="true" />
      <div>
        <p className={styles.title}>
          {t(registration === undefined ? 'auth.loginFailed' : 'auth.registerFailed')}
        </p>
        <p>{useSentence(code, registration)}</p>
      </div>
    </div>
  );
}

function useSentence(code: string, registration: RegistrationCode | undefined): string {
  const { t } = useTranslation();
  if (code === 'reset-required') return t('refusals.reset-required');
  if (registration !== undefined) return t(`refusals.${registration}`);
  const known: GoogleError = googleErrors.find((one) => one === code) ?? 'google-failed';
  return t(`access.errors.${known}`);
}
