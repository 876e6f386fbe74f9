import { useTranslation } from 'react-i18next';

/** In which language the catalogue is asked for. */
export function useCatalogueLanguage(): 'en' | 'ko' {
  const { i18n } = useTranslation();
  return i18n.language.startsWith('ko') ? 'ko' : 'en';
}
