import HCaptcha from '@hcaptcha/react-hcaptcha';
import { useComputedColorScheme } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { CaptchaProps } from './captcha-props.ts';

export function LiveCaptcha({ sitekey, onToken, onLost }: CaptchaProps & { sitekey: string }) {
  const { i18n } = useTranslation();
  const theme = useComputedColorScheme('light');
  return (
    <HCaptcha
      sitekey={sitekey}
      theme={theme}
      languageOverride={i18n.language}
      onVerify={onToken}
      onError={() => onLost('captchaFailed')}
      onExpire={() => onLost('captchaExpired')}
      onChalExpired={() => onLost('captchaExpired')}
    />
  );
}
