import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { areaOf, chooseLanguage, enterArea, isLanguage, type Language } from '#web/i18n/i18n.ts';
import { useKeepLanguage } from './settings.ts';

/** The language of the page and the way to change it. A member's choice holds on every device. */
export function useLanguage(): { language: Language; other: Language; choose: (language: Language) => void } {
  const { i18n } = useTranslation();
  const area = useLocation({ select: ({ pathname }) => areaOf(pathname) });
  const language = isLanguage(i18n.language) ? i18n.language : 'en';
  const keep = useKeepLanguage();
  return {
    language,
    other: language === 'en' ? 'ko' : 'en',
    choose: (chosen) => {
      void chooseLanguage(chosen, area);
      if (area === 'member') keep(chosen);
    },
  };
}

/** Changes to the area's own language when a person goes from the members' area to the operators', or back. */
export function useAreaLanguage(): void {
  const area = useLocation({ select: ({ pathname }) => areaOf(pathname) });
  const before = useRef(area);
  useEffect(() => {
    if (before.current === area) return;
    before.current = area;
    void enterArea(area);
  }, [area]);
}

/** What each language calls itself, in every language. */
export const languageNames: Record<Language, string> = { en: 'English', ko: '한국어' };
