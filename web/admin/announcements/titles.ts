import { useTranslation } from 'react-i18next';
import type { OperatorAnnouncement } from '#contract/announcements.ts';
import { formatSiteDay } from '#web/client/format.ts';

/** The title in the operator's language. */
export const titleIn = ({ title, titleKo }: OperatorAnnouncement, language: string): string =>
  (language === 'ko' ? titleKo : null) ?? title;

/** From which day on changed terms are in force, and whether the change is important. */
export function useTermsText(): (row: OperatorAnnouncement) => string {
  const { t, i18n } = useTranslation();
  return ({ effectiveOn, isImportant }) => {
    if (effectiveOn === null) return t('announcementList.noTerms');
    const day = formatSiteDay(effectiveOn, i18n.language);
    return isImportant ? t('announcementList.sheet.important', { day }) : day;
  };
}
