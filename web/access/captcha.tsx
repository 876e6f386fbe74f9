import { lazy, type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { useSiteConfig } from '#web/client/session.ts';
import styles from './captcha.module.css';
import type { CaptchaProps } from './captcha-props.ts';
import { SandboxCaptcha } from './sandbox-captcha.tsx';

const LiveCaptcha = lazy(() => import('./live-captcha.tsx').then((file) => ({ default: file.LiveCaptcha })));

/** The captcha. A new `round` resets it. The sandbox shows a checkbox instead. */
export function Captcha({ round, error, ...handlers }: CaptchaProps & { round: number; error: ReactNode }) {
  const { t } = useTranslation();
  const config = useSiteConfig().data;
  return (
    <fieldset className={styles.captcha} aria-describedby={error ? 'captcha-error' : undefined}>
      <legend>{t('auth.captcha.label')}</legend>
      <div className={styles.box}>
        {config?.mode === 'sandbox' && <SandboxCaptcha key={round} {...handlers} />}
        {config?.mode === 'live' && (
          <Suspense>
            <LiveCaptcha key={round} sitekey={config.hcaptchaSitekey} {...handlers} />
          </Suspense>
        )}
      </div>
      {error && (
        <div id="captcha-error" className={styles.error} role="alert">
          {error}
        </div>
      )}
    </fieldset>
  );
}
