import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import { isLanguage, type Language, languages } from './languages.ts';
import { loadLanguage, loadWords } from './words.ts';

/**
 * The areas of the site. Each has its own language: the members' area follows the browser on a first visit, the
 * operators' area starts in Korean. A choice is stored.
 */
export type Area = 'member' | 'operator';

const storageKeys: Record<Area, string> = { member: 'language', operator: 'operatorLanguage' };
const operatorPaths = ['/management-panel-x7k9w', '/admin-login', '/secret-admin', '/admin-key'];

/** The area of a path. */
export const areaOf = (path: string): Area =>
  operatorPaths.some((start) => path === start || path.startsWith(`${start}/`)) ? 'operator' : 'member';

/** Korean if the browser's language is Korean, else English. */
export const languageOf = (browserLanguage: string): Language =>
  browserLanguage.toLowerCase().startsWith('ko') ? 'ko' : 'en';

/** Prepares the first render of a path: its language and the words of the given features. */
export async function startLanguage(path: string, features: readonly string[]): Promise<void> {
  const language = firstLanguageOf(areaOf(path));
  await i18next.use(initReactI18next).init({
    resources: {},
    // The build adds missing Korean texts in English (`build/missing-words.ts`). A key without a text shows itself.
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

/** The stored language of an area, else its default. */
function firstLanguageOf(area: Area): Language {
  const kept = localStorage.getItem(storageKeys[area]);
  if (isLanguage(kept)) return kept;
  return area === 'operator' ? 'ko' : languageOf(navigator.language);
}

/** Switches to the area's language and stores it. */
export const enterArea = (area: Area): Promise<void> => chooseLanguage(firstLanguageOf(area), area);

/** Switches the page's language and stores it for this area. */
export async function chooseLanguage(language: Language, area: Area): Promise<void> {
  await loadLanguage(language);
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
  localStorage.setItem(storageKeys[area], language);
  if (area === 'operator') return;
  // biome-ignore lint/suspicious/noDocumentCookie: the server reads it, and not every browser has cookieStore.
  document.cookie = `language=${language}; Path=/; Max-Age=31536000; SameSite=Lax`;
}
