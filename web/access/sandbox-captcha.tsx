import { Checkbox } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import styles from './captcha.module.css';
import type { CaptchaProps } from './captcha-props.ts';

/** The captcha provider's published test token. The sandbox accepts it, a live site rejects it. */
const TEST_TOKEN = '10000000-aaaa-bbbb-cccc-000000000001';

export function SandboxCaptcha({ onToken }: CaptchaProps) {
  const { t } = useTranslation();
  return (
    <div className={styles.sandbox}>
      <Checkbox
        label={t('auth.captcha.box')}
        size="md"
        onChange={(event) => onToken(event.currentTarget.checked ? TEST_TOKEN : '')}
      />
      <p className="caption dim">{t('auth.captcha.note')}</p>
    </div>
  );
}
