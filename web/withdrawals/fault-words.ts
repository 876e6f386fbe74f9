import { useTranslation } from 'react-i18next';
import type { AddressFault } from '#contract/address-faults.ts';

/** Words why an address is refused, from the facts of the contract. */
export function useFaultWords() {
  const { t, i18n } = useTranslation();
  return (fault: AddressFault, name: string, start: string, beginnings: readonly string[], other = '') =>
    t(`withdrawals.errors.faults.${fault}`, {
      name,
      start,
      other,
      beginnings: new Intl.ListFormat(i18n.language, { type: 'disjunction' }).format(beginnings),
    });
}
