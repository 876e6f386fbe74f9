import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { isLanguage, type Language, languages } from './languages.ts';
import { loadLanguage, loadWords } from './words.ts';

/**
 * Two languages, chosen for each of the two areas on its own: the members' area follows the browser on a first
 * visit, the operators' area starts in Korean. A choice is kept.
 */
export type Area = 'member' | 'operator';

const storageKeys: Record<Area, string> = { member: 'language', operator: 'operatorLanguage' };
const operatorPaths = ['/management-panel-x7k9w', '/admin-login', '/secret-admin', '/admin-key'];

/** Whose area a path belongs to. */
export const areaOf = (path: string): Area =>
  operatorPaths.some((start) => path === start || path.startsWith(`${start}/`)) ? 'operator' : 'member';

/** Korean if the browser speaks it, else English. */
export const languageOf = (browserLanguage: string): Language =>
  browserLanguage.toLowerCase().startsWith('ko') ? 'ko' : 'en';

/** Prepares the first paint of a path: its language, and the words of what every page has. */
export async function startLanguage(path: string, features: readonly string[]): Promise<void> {
  const language = firstLanguageOf(areaOf(path));
  await i18next.use(initReactI18next).init({
    resources: {},
    fallbackLng: false,
    supportedLngs: languages,
    lng: language,
    interpolation: { prefix: '{', suffix: '}', escapeValue: false },
    returnNull: false,
  });
  await loadLanguage(language);
  await loadWords(...features);
  await chooseLanguage(language, areaOf(path));
}

/** The language that was chosen in an area, else the one it starts in. */
function firstLanguageOf(area: Area): Language {
  const kept = localStorage.getItem(storageKeys[area]);
  if (isLanguage(kept)) return kept;
  return area === 'operator' ? 'ko' : languageOf(navigator.language);
}

/** Changes to the area's language, which is kept from then on. */
export const enterArea = (area: Area): Promise<void> => chooseLanguage(firstLanguageOf(area), area);

/** Changes the language of the page and keeps the choice for this area. */
export async function chooseLanguage(language: Language, area: Area): Promise<void> {
  await loadLanguage(language);
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
  localStorage.setItem(storageKeys[area], language);
  if (area === 'operator') return;
  // biome-ignore lint/suspicious/noDocumentCookie: the server reads it, and not every browser has cookieStore.
  document.cookie = `language=${language}; Path=/; Max-Age=31536000; SameSite=Lax`;
}
