import { useTranslation } from 'react-i18next';
import type { ListedChargeback } from '#contract/earning-chargebacks.ts';

/** The label of a chargeback's provider, in the reader's language where it is no name. */
export function useProviderLabel(): (row: Pick<ListedChargeback, 'provider'>) => string {
  const { t } = useTranslation();
  return ({ provider }) =>
    provider === 'Manual' || provider === 'Unknown' ? t(`chargebackList.providers.${provider}`) : provider;
}
