import type { ParseKeys } from 'i18next';
import { useTranslation } from 'react-i18next';

/** The names of operators' acts. An act of a newer release, which has no words here, keeps its code. */
export function useActNames(): (act: string) => string {
  const { t, i18n } = useTranslation();
  return (act) => (i18n.exists(`acts.${act}`) ? t(`acts.${act}` as ParseKeys) : act);
}
