import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ApiError } from '#web/client/call.ts';

/**
 * The captcha of a sign-in. It is shown once the server asks for one, and its token is sent with the password. A token
 * is valid for one try.
 */
export function useSignInCaptcha() {
  const { t } = useTranslation();
  const [isAsked, setAsked] = useState(false);
  const [round, setRound] = useState(0);
  const [token, setToken] = useState('');
  const [error, setError] = useState('');
  return {
    isAsked,
    /** What the sign-in sends. */
    body: token === '' ? {} : { hcaptchaToken: token },
    /** Whether the form may be sent; if not, the captcha says so. */
    check: (): boolean => {
      if (!isAsked || token !== '') return true;
      setError(t('auth.errors.captcha'));
      return false;
    },
    /** Shows the captcha, or a new one, after a refused sign-in. Returns whether it handled the refusal. */
    takeRefusal: (refusal: ApiError): boolean => {
      const isOfCaptcha = refusal.code === 'captcha-required' || refusal.code === 'captcha-failed';
      if (!isAsked && !isOfCaptcha) return false;
      setAsked(true);
      setRound((last) => last + 1);
      setToken('');
      setError(isOfCaptcha ? t(`refusals.${refusal.code}`) : '');
      return isOfCaptcha;
    },
    props: {
      round,
      error,
      onToken: (given: string) => {
        setToken(given);
        setError('');
      },
      onLost: (reason: 'captchaFailed' | 'captchaExpired') => {
        setToken('');
        setError(t(`auth.errors.${reason}`));
      },
    },
  };
}
