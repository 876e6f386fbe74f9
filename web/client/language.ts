import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import en from './words.en.json';

/**
 * Two languages, chosen for each of the two areas on its own: the members' area follows the browser on a first
 * visit, the operators' area starts in Korean. A choice is kept. What Korean lacks is said in English.
 */
export const languages = ['en', 'ko'] as const;
export type Language = (typeof languages)[number];
export type Area = 'member' | 'operator';

const storageKeys: Record<Area, string> = { member: 'language', operator: 'operatorLanguage' };
const operatorPaths = ['/management-panel-x7k9w', '/admin-login', '/secret-admin', '/admin-key'];

export const isLanguage = (value: unknown): value is Language => value === 'en' || value === 'ko';

/** Whose area a path belongs to. */
export const areaOf = (path: string): Area =>
  operatorPaths.some((start) => path === start || path.startsWith(`${start}/`)) ? 'operator' : 'member';

/** Korean if the browser speaks it, else English. */
export const languageOf = (browserLanguage: string): Language =>
  browserLanguage.toLowerCase().startsWith('ko') ? 'ko' : 'en';

async function load(language: Language): Promise<void> {
  if (language === 'ko' && !i18next.hasResourceBundle('ko', 'translation')) {
    const texts = await import('./words.ko.json');
    i18next.addResourceBundle('ko', 'translation', texts.default);
  }
}

/** Prepares the texts for the first paint of a path. */
export async function startLanguage(path: string): Promise<void> {
  await i18next.use(initReactI18next).init({
    resources: { en: { translation: en } },
    fallbackLng: 'en',
    supportedLngs: languages,
    lng: 'en',
    interpolation: { prefix: '{', suffix: '}', escapeValue: false },
    returnNull: false,
  });
  await enterArea(areaOf(path));
}

/**
 * Speaks the area's language: the one that was chosen there, else the one it starts in, which is kept from
 * then on.
 */
export async function enterArea(area: Area): Promise<void> {
  const kept = localStorage.getItem(storageKeys[area]);
  const first = area === 'operator' ? 'ko' : languageOf(navigator.language);
  await chooseLanguage(isLanguage(kept) ? kept : first, area);
}

/** Changes the language of the page and keeps the choice for this area. */
export async function chooseLanguage(language: Language, area: Area): Promise<void> {
  await load(language);
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
  localStorage.setItem(storageKeys[area], language);
  if (area === 'operator') return;
  // biome-ignore lint/suspicious/noDocumentCookie: the server reads it, and not every browser has cookieStore.
  document.cookie = `language=${language}; Path=/; Max-Age=31536000; SameSite=Lax`;
}
