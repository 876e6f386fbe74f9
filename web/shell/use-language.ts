import { useTranslation } from 'react-i18next';
import { chooseLanguage, isLanguage, type Language } from '#web/i18n/i18n.ts';

/** The language of the page and the way to change it. */
export function useLanguage(): { language: Language; other: Language; choose: (language: Language) => void } {
  const { i18n } = useTranslation();
  const language = isLanguage(i18n.language) ? i18n.language : 'en';
  return {
    language,
    other: language === 'en' ? 'ko' : 'en',
    choose: (chosen) => void chooseLanguage(chosen),
  };
}

/** What each language calls itself, in every language. */
export const languageNames: Record<Language, string> = { en: 'English', ko: '한국어' };
