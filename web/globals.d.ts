import type en from './client/words.en.json';
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

declare global {
  /** Set by the build: which of the optional pages have Markdown. */
  const __MORE_PAGES__: readonly ('blog' | 'careers')[];
  /** Set by the build of the documents: the colour of the light page, from the tokens. */
  const __PAPER_COLOR__: string;
}
