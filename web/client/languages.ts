export const languages = ['en', 'ko'] as const;
export type Language = (typeof languages)[number];

export const isLanguage = (value: unknown): value is Language => languages.some((one) => one === value);

/** Each language's name in that language. */
export const languageNames: Record<Language, string> = { en: 'English', ko: '한국어' };
