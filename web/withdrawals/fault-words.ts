import { useTranslation } from 'react-i18next';
import type { AddressFault } from '#contract/address-faults.ts';
import type { ForeignCoin } from '#contract/destination-code.ts';

function useBeginnings() {
  const { i18n } = useTranslation();
  return (beginnings: readonly string[]) =>
    new Intl.ListFormat(i18n.language, { type: 'disjunction' }).format(beginnings);
}

/** Words why an address is refused, from the facts of the contract. */
export function useFaultWords() {
  const { t } = useTranslation();
  const listOf = useBeginnings();
  return (fault: AddressFault, name: string, start: string, beginnings: readonly string[], other = '') =>
    t(`withdrawals.errors.faults.${fault}`, { name, start, other, beginnings: listOf(beginnings) });
}

/** Words that an address is one of a known coin that is not paid. */
export function useForeignWords() {
  const { t } = useTranslation();
  const listOf = useBeginnings();
  return (coin: ForeignCoin, name: string, beginnings: readonly string[]) =>
    t('withdrawals.errors.foreign', {
      coin: t(`withdrawals.errors.coins.${coin}`),
      name,
      beginnings: listOf(beginnings),
    });
}
