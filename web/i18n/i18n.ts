import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import en from './en.json';

/** Two languages. The choice is kept; a first visit follows the browser. What Korean lacks is said in English. */
export const languages = ['en', 'ko'] as const;
export type Language = (typeof languages)[number];

const STORAGE_KEY = 'language';

export const isLanguage = (value: unknown): value is Language => value === 'en' || value === 'ko';

/** Korean if the browser speaks it, else English. */
export const languageOf = (browserLanguage: string): Language =>
  browserLanguage.toLowerCase().startsWith('ko') ? 'ko' : 'en';

export function keptLanguage(): Language | null {
  const kept = localStorage.getItem(STORAGE_KEY);
  return isLanguage(kept) ? kept : null;
}

async function load(language: Language): Promise<void> {
  if (language === 'ko' && !i18next.hasResourceBundle('ko', 'translation')) {
    const texts = await import('./ko.json');
    i18next.addResourceBundle('ko', 'translation', texts.default);
  }
}

/** Prepares the texts for the first paint. The operator's area starts in Korean where nobody has chosen. */
export async function startLanguage(path: string): Promise<void> {
  const inPanel = path.startsWith('/management-panel-x7k9w');
  const first = keptLanguage() ?? (inPanel ? 'ko' : languageOf(navigator.language));
  await i18next.use(initReactI18next).init({
    resources: { en: { translation: en } },
    fallbackLng: 'en',
    supportedLngs: languages,
    lng: 'en',
    interpolation: { prefix: '{', suffix: '}', escapeValue: false },
    returnNull: false,
  });
  // A language that nobody chose in the panel is not kept: the member's area goes by the browser.
  await applyLanguage(first);
  if (!inPanel) keep(first);
}

/** Changes the language of the page and keeps the choice, also where the server reads it to pick the landing page. */
export async function chooseLanguage(language: Language): Promise<void> {
  await applyLanguage(language);
  keep(language);
}

async function applyLanguage(language: Language): Promise<void> {
  await load(language);
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
}

function keep(language: Language): void {
  localStorage.setItem(STORAGE_KEY, language);
  // biome-ignore lint/suspicious/noDocumentCookie: the server picks the landing page's language by it, and not every browser has cookieStore.
  document.cookie = `language=${language}; Path=/; Max-Age=31536000; SameSite=Lax`;
}
