import i18next from 'i18next';
import { renderToStaticMarkup } from 'react-dom/server';
import { ConsentNotice } from '#web/analytics/consent-notice.tsx';
import { MeasurementChoice } from '#web/analytics/measurement-choice.tsx';
import type { Language } from '#web/client/languages.ts';
import { Landing } from '#web/landing/landing.tsx';
import { OfflineNotice } from '#web/offline/offline-notice.tsx';
import { FrameSkeleton } from '#web/shell/frame-skeleton.tsx';
import { OperatorSkeleton } from '#web/shell/operator-skeleton.tsx';
import { ScreenSkeleton, type Skeleton } from '#web/shell/screen-skeleton.tsx';
import { type Page, readPage } from './markdown.ts';
import { ARTICLE, TextPage } from './text-page.tsx';

/**
 * Renders documents at build time: the front page, the text pages, the offline notice and the web manifest, each in
 * both languages.
 */

/** Placeholders that the server replaces. */
const BRAND = '__BRAND_NAME__';
const SUPPORT = '__SUPPORT_EMAIL__';
const PROCESSING_TIME = '__PROCESSING_TIME__';
const BONUS_RANGE = '__BONUS_RANGE__';
const PAYOUTS = { methods: '__PAYOUT_METHODS__', first: '__PAYOUT_FIRST__', last: '__PAYOUT_LAST__' };

/** `path` is null for documents that search engines should not index. */
export type Rendered = {
  name: string;
  language: Language;
  path: string | null;
  title: string;
  description: string;
  body: string;
};

const languages = ['en', 'ko'] as const;
const sources: Record<string, string> = import.meta.glob('./{en,ko}/*.md', {
  query: '?raw',
  import: 'default',
  eager: true,
});

/** The words of the documents. Each section is in one file only. */
const words: Record<string, Record<string, unknown>> = import.meta.glob(
  '../{client,landing,analytics,offline}/words.*.json',
  { import: 'default', eager: true },
);
const wordsIn = (language: Language): Record<string, unknown> =>
  Object.assign(
    {},
    ...Object.entries(words).flatMap(([path, own]) => (path.endsWith(`.${language}.json`) ? [own] : [])),
  );

async function textsIn(language: Language) {
  const texts = i18next.createInstance();
  await texts.init({
    resources: { [language]: { translation: wordsIn(language) } },
    lng: language,
    fallbackLng: false,
    interpolation: { prefix: '{', suffix: '}', escapeValue: false },
    returnNull: false,
  });
  return texts.t;
}

type Texts = Awaited<ReturnType<typeof textsIn>>;

const frameOf = (t: Texts, language: Language) => ({
  t,
  language,
  brandName: BRAND,
  supportEmail: SUPPORT,
  processingTime: PROCESSING_TIME,
  bonusRange: BONUS_RANGE,
  payouts: PAYOUTS,
});

/** The consent notice. It stays hidden if the site doesn't count or the reader has answered. */
const notice = (t: Texts) =>
  renderToStaticMarkup(
    <div hidden data-consent-notice>
      <ConsentNotice t={t} />
    </div>,
  );

/** The Markdown of a page in a language, else in the language that it has. */
function sourceOf(name: string, language: Language): string {
  const source =
    sources[`./${language}/${name}.md`] ?? sources[`./en/${name}.md`] ?? sources[`./ko/${name}.md`];
  if (source === undefined) throw new Error(`There is no Markdown for ${name}.`);
  return source;
}

/** Replaces values of the site with the placeholders that the server fills in. */
const withPlaces = (text: string): string =>
  text
    .replaceAll('{brand}', BRAND)
    .replaceAll('{supportEmail}', SUPPORT)
    .replaceAll('{processingTime}', PROCESSING_TIME)
    .replaceAll('{payoutMethods}', PAYOUTS.methods)
    .replaceAll('{payoutForms}', '__PAYOUT_FORMS__')
    .replaceAll('{bonusDays}', '__BONUS_DAYS__')
    .replaceAll('{bonusFirst}', '__BONUS_FIRST__')
    .replaceAll('{bonusLast}', '__BONUS_LAST__');

function renderText(name: string, page: Page, t: Texts, language: Language): string {
  const frame = renderToStaticMarkup(
    <TextPage
      {...frameOf(t, language)}
      title={page.title}
      lead={page.lead}
      headings={page.headings.length > 4 ? page.headings : []}
    />,
  );
  const choice = name === 'cookies' ? renderToStaticMarkup(<MeasurementChoice t={t} />) : '';
  return frame.replace(ARTICLE, () => page.html.replace('<p>{measurementChoice}</p>', choice)) + notice(t);
}

async function renderIn(language: Language): Promise<Rendered[]> {
  const t = await textsIn(language);
  const names = new Set(Object.keys(sources).map((path) => path.replace(/^.*\/|\.md$/g, '')));
  const texts = [...names].sort().map((name): Rendered => {
    const page = readPage(`${language}/${name}.md`, sourceOf(name, language), name === 'faq');
    const body = withPlaces(renderText(name, page, t, language));
    const [title, description] = [withPlaces(page.title), withPlaces(page.description)];
    return { name, language, path: `/${name}`, title: `${title} · ${BRAND}`, description, body };
  });
  const landing: Rendered = {
    name: 'landing',
    language,
    path: '/',
    title: t('landing.title', { brand: BRAND }),
    description: t('landing.description'),
    body: renderToStaticMarkup(<Landing {...frameOf(t, language)} />) + notice(t),
  };
  const offline: Rendered = {
    name: 'offline',
    language,
    path: null,
    title: `${t('offline.title')} · ${BRAND}`,
    description: t('offline.text'),
    body: renderToStaticMarkup(<OfflineNotice t={t} brandName={BRAND} />),
  };
  return [landing, offline, ...texts];
}

/** Renders every document in both languages. */
export const renderDocuments = async (): Promise<Rendered[]> =>
  (await Promise.all(languages.map(renderIn))).flat();

/** The web manifest as text, with a placeholder for the brand. */
export async function renderManifest(language: Language): Promise<string> {
  const t = await textsIn(language);
  const icon = (file: string, sizes: string, purpose: 'any' | 'maskable') => ({
    src: `/icons/${file}`,
    sizes,
    type: 'image/png',
    purpose,
  });
  return JSON.stringify({
    id: '/',
    name: BRAND,
    short_name: BRAND,
    description: t('landing.description'),
    lang: language,
    dir: 'ltr',
    start_url: '/',
    scope: '/',
    display: 'standalone',
    background_color: __PAPER_COLOR__,
    theme_color: __PAPER_COLOR__,
    categories: ['finance', 'lifestyle'],
    icons: [
      { src: '/icon.svg', sizes: 'any', type: 'image/svg+xml', purpose: 'any' },
      icon('icon-192.png', '192x192', 'any'),
      icon('icon-512.png', '512x512', 'any'),
      icon('maskable-192.png', '192x192', 'maskable'),
      icon('maskable-512.png', '512x512', 'maskable'),
    ],
    shortcuts: (['earn', 'withdraw', 'history'] as const).map((screen) => ({
      name: t(`pages.screens.${screen}`),
      url: { earn: '/earn', withdraw: '/withdrawal', history: '/history' }[screen],
    })),
  });
}

/** Renders the skeleton of a screen, which its document shows until the app has loaded. Operators' screens have one. */
export const renderSkeleton = ({ path, skeleton }: { path: string; skeleton?: Skeleton }): string =>
  renderToStaticMarkup(
    skeleton === undefined ? (
      <OperatorSkeleton path={path} />
    ) : (
      <FrameSkeleton path={path}>
        <ScreenSkeleton kind={skeleton} />
      </FrameSkeleton>
    ),
  );
