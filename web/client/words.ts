import i18next from 'i18next';
import type { Language } from './languages.ts';

/**
 * The words of the pages. Each feature has `words.en.json` and `words.ko.json`. They are loaded with the feature's code
 * in the page's language, and again when the language changes.
 */

type Words = Record<string, unknown>;
const files = import.meta.glob<Words>('/{*,admin/*}/words.*.json', { import: 'default' });

/** The features whose words this document has needed so far. */
const wanted = new Set<string>();
/** The language in which words are loaded. The page switches to it once they are there. */
let target: Language = 'en';

const loading = new Map<string, Promise<void>>();

function load(feature: string, language: Language): Promise<void> {
  const path = `/${feature}/words.${language}.json`;
  const before = loading.get(path);
  if (before !== undefined) return before;
  const file = files[path];
  if (file === undefined) throw new Error(`There is no ${path}.`);
  const loaded = file().then(
    (words) => void i18next.addResourceBundle(language, 'translation', words, true),
    (error: unknown) => {
      loading.delete(path);
      throw error;
    },
  );
  loading.set(path, loaded);
  return loaded;
}

/** Loads the words of features, named by their folders, in the page's language. */
export async function loadWords(...features: string[]): Promise<void> {
  for (const feature of features) wanted.add(feature);
  // During a change of language the page still renders in the previous one.
  const languages = new Set([target, i18next.language as Language]);
  await Promise.all(features.flatMap((feature) => [...languages].map((language) => load(feature, language))));
}

/** Loads all words of this document in a language. New words are loaded in it from now on. */
export async function loadLanguage(language: Language): Promise<void> {
  target = language;
  await Promise.all([...wanted].map((feature) => load(feature, language)));
}

/** A module together with the words of its features, for `lazy` and for routes. */
export async function withWords<Code>(code: Promise<Code>, ...features: string[]): Promise<Code> {
  const [loaded] = await Promise.all([code, loadWords(...features)]);
  return loaded;
}
