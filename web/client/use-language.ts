import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { areaOf, enterArea, isLanguage, type Language } from './language.ts';

/** The language of the page. */
export function useLanguage(): Language {
  const { i18n } = useTranslation();
  return isLanguage(i18n.language) ? i18n.language : 'en';
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
