import { useTranslation } from 'react-i18next';

/** The language in which the catalogue is requested. */
export function useCatalogueLanguage(): 'en' | 'ko' {
  const { i18n } = useTranslation();
  return i18n.language.startsWith('ko') ? 'ko' : 'en';
}
