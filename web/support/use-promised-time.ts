import { useTranslation } from 'react-i18next';
import { formatClock, formatDayOfWeek } from '#web/client/format.ts';
import { useLanguage } from '#web/client/use-language.ts';

/** Writes the day and the hour of a promise: `Tuesday, November 24, 10:30 AM`. */
export function usePromisedTime(): (iso: string) => string {
  const { t } = useTranslation();
  const language = useLanguage();
  return (iso) => t('support.at', { day: formatDayOfWeek(iso, language), time: formatClock(iso, language) });
}
