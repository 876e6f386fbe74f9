import { useTranslation } from 'react-i18next';
import type { Fault } from './fault-words.ts';
import type { LineFault } from './line-faults.ts';

/** The sentence of a fault. */
export function useFaultText(): (fault: Fault | LineFault) => string {
  const { t } = useTranslation();
  return ({ key, values }) => t(`catalogueEntries.faults.${key}`, values);
}
