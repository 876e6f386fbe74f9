import i18next from 'i18next';
import { renderToStaticMarkup } from 'react-dom/server';
import en from '#web/i18n/en.json';
import type { Language } from '#web/i18n/i18n.ts';
import ko from '#web/i18n/ko.json';
import { Landing } from './landing.tsx';

/** Words that the server puts its own in the place of, at each response. */
const BRAND = '__BRAND_NAME__';
const SUPPORT = '__SUPPORT_EMAIL__';

export type Rendered = { title: string; description: string; body: string };

/** The front page as HTML, in one language. Runs while the web is built. */
export async function renderLanding(language: Language): Promise<Rendered> {
  const texts = i18next.createInstance();
  await texts.init({
    resources: { en: { translation: en }, ko: { translation: ko } },
    lng: language,
    fallbackLng: 'en',
    interpolation: { prefix: '{', suffix: '}', escapeValue: false },
    returnNull: false,
  });
  return {
    title: texts.t('landing.title', { brand: BRAND }),
    description: texts.t('landing.description'),
    body: renderToStaticMarkup(
      <Landing t={texts.t} language={language} brandName={BRAND} supportEmail={SUPPORT} />,
    ),
  };
}
