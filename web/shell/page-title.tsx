import { useMatches } from '@tanstack/react-router';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useBrandName } from '#web/client/session.ts';
import type en from './words.en.json';

export type TitleKey = keyof (typeof en)['titles'];

/** Sets the document's title to the current page's. Without a titled route, it is that of the not-found page. */
export function usePageTitle(): void {
  const title = useMatches({
    select: (matches) => matches.findLast((match) => match.staticData.title)?.staticData.title,
  });
  const { t } = useTranslation();
  const brand = useBrandName();
  useEffect(() => {
    document.title = `${t(`titles.${title ?? 'notFound'}`)} · ${brand}`;
  }, [title, t, brand]);
}
