import { useTranslation } from 'react-i18next';
import { useSiteConfig } from '#web/shell/session.ts';

/**
 * How long a payment takes, in the reader's language. The site's setting is a range of business days such as `1–3` or
 * `1–3 business days`; anything else is an operator's own wording and stays as it is.
 */
export function useProcessingTime(): string {
  const { t } = useTranslation();
  const setting = useSiteConfig().data?.processingTime ?? '1–3';
  const range = /^(\d+)\s*(?:[-–~]|to)\s*(\d+)(?:\s*business days?)?$/i.exec(setting.trim());
  if (range === null) return setting;
  return t('withdrawals.processing', { from: range[1], to: range[2] });
}
