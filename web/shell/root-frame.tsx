import { Outlet } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useFocusOnNavigation } from './focus-on-navigation.ts';
import { usePageTitle } from './page-title.tsx';
import { useAreaLanguage } from './use-language.ts';

/** What every page of the app has: a way past the menu, a name in the browser's tab, and focus that follows. */
export function RootFrame() {
  const { t } = useTranslation();
  usePageTitle();
  useAreaLanguage();
  useFocusOnNavigation();
  return (
    <>
      <a className="skip-link" href="#main">
        {t('common.skip')}
      </a>
      <Outlet />
    </>
  );
}
