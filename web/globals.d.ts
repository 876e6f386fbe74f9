import type en from './i18n/en.json';
import type { TitleKey } from './shell/page-title.tsx';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    resources: { translation: typeof en };
    returnNull: false;
  }
}

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** What the tab of the browser says; the name of the site follows it. */
    title?: TitleKey;
  }
}
