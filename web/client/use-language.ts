import { useLocation } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { areaOf, enterArea } from './language.ts';
import { isLanguage, type Language } from './languages.ts';

/** The current language of the page. */
export function useLanguage(): Language {
  const { i18n } = useTranslation();
  return isLanguage(i18n.language) ? i18n.language : 'en';
}

/** Switches the language when a navigation changes the area. */
export function useAreaLanguage(): void {
  const area = useLocation({ select: ({ pathname }) => areaOf(pathname) });
  const before = useRef(area);
  useEffect(() => {
    if (before.current === area) return;
    before.current = area;
    void enterArea(area);
  }, [area]);
}
