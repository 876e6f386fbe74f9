/** The head of a prerendered document: for search engines, link previews and phones. */
type Described = {
  language: 'en' | 'ko';
  path: string | null;
  title: string;
  description: string;
};

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

const SITE = '__PUBLIC_URL__';
const locales = { en: 'en_US', ko: 'ko_KR' } as const;

/** Sets colour scheme and signed-in state before the first paint, to avoid a flash and a layout shift. */
const firstScript = `<script>
      try {
        const root = document.documentElement;
        const kept = localStorage.getItem('mantine-color-scheme-value') || 'auto';
        const dark = kept === 'dark' || (kept !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
        root.dataset.mantineColorScheme = dark ? 'dark' : 'light';
        if (document.cookie.split('; ').includes('signedin=1')) root.dataset.signedIn = '';
      } catch {
        // Without storage the light scheme stays.
      }
    </script>`;

/**
 * The URL of a page in a language. The English URL has no language parameter. It is also the default for other
 * languages, and the URL that redirects readers who have chosen no language.
 */
const addressOf = (path: string, language: 'en' | 'ko'): string =>
  `${SITE}${path}${language === 'ko' ? '?lang=ko' : ''}`;

function forSearchEngines({ path, language }: Described): string[] {
  if (path === null) return ['<meta name="robots" content="noindex" />'];
  return [
    `<link rel="canonical" href="${addressOf(path, language)}" />`,
    `<link rel="alternate" hreflang="en" href="${addressOf(path, 'en')}" />`,
    `<link rel="alternate" hreflang="ko" href="${addressOf(path, 'ko')}" />`,
    `<link rel="alternate" hreflang="x-default" href="${addressOf(path, 'en')}" />`,
  ];
}

function forSharing({ path, language, title, description }: Described): string[] {
  if (path === null) return [];
  const other = language === 'en' ? 'ko' : 'en';
  return [
    '<meta property="og:type" content="website" />',
    '<meta property="og:site_name" content="__BRAND_NAME__" />',
    `<meta property="og:title" content="${escaped(title)}" />`,
    `<meta property="og:description" content="${escaped(description)}" />`,
    `<meta property="og:url" content="${addressOf(path, language)}" />`,
    `<meta property="og:image" content="${SITE}/icons/share.png" />`,
    '<meta property="og:image:width" content="1200" />',
    '<meta property="og:image:height" content="630" />',
    `<meta property="og:locale" content="${locales[language]}" />`,
    `<meta property="og:locale:alternate" content="${locales[other]}" />`,
    '<meta name="twitter:card" content="summary_large_image" />',
  ];
}

/** The lines of the head. */
export function documentHead(document: Described): string {
  const { language, title, description } = document;
  return [
    `<title>${escaped(title)}</title>`,
    `<meta name="description" content="${escaped(description)}" />`,
    ...forSearchEngines(document),
    ...forSharing(document),
    '<meta name="theme-color" content="#F6F1E6" media="(prefers-color-scheme: light)" />',
    '<meta name="theme-color" content="#101612" media="(prefers-color-scheme: dark)" />',
    '<meta name="measurement-id" content="__MEASUREMENT_ID__" />',
    '<link rel="icon" href="/icon.svg" type="image/svg+xml" />',
    '<link rel="apple-touch-icon" href="/icons/apple-touch-icon.png" />',
    `<link rel="manifest" href="/manifest.webmanifest?lang=${language}" />`,
    firstScript,
  ].join('\n    ');
}
