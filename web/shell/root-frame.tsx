import { Outlet } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useDisplay } from '#web/client/display-settings.ts';
import { useAreaLanguage } from '#web/client/use-language.ts';
import { useFocusOnNavigation } from './focus-on-navigation.ts';
import { Measurement } from './measurement.tsx';
import { OfflineBar } from './offline-bar.tsx';
import { usePageTitle } from './page-title.tsx';

/** What every page of the app has: a way past the menu, a name in the browser's tab, and focus that follows. */
export function RootFrame() {
  const { t } = useTranslation();
  usePageTitle();
  useAreaLanguage();
  useDisplay();
  useFocusOnNavigation();
  return (
    <>
      <a className="skip-link" href="#main">
        {t('common.skip')}
      </a>
      <Outlet />
      <OfflineBar />
      <Measurement />
    </>
  );
}
