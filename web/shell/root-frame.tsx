import { Outlet } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useDisplay } from '#web/client/display-settings.ts';
import { useBrandStyles } from '#web/client/use-brand-styles.ts';
import { useAreaLanguage } from '#web/client/use-language.ts';
import { useFocusOnNavigation } from './focus-on-navigation.ts';
import { Measurement } from './measurement.tsx';
import { OfflineBar } from './offline-bar.tsx';
import { usePageTitle } from './page-title.tsx';

/** The parts of every page: the skip link, the document title, focus handling, the offline bar and analytics. */
export function RootFrame() {
  const { t } = useTranslation();
  usePageTitle();
  useBrandStyles();
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
