import { readProviders } from '#contract/earning-providers.ts';
import { readPaymentMethods } from '#contract/withdrawals-methods.ts';
import { type ListSearch, listSearchOf } from './list-search.ts';
import { oneOf } from './search-params.ts';

/** What the URL of the settings names: the tab, and the search of its list. */
export type ConfigSearch = ListSearch & { tab?: 'providers' | 'payments' | 'site' };

export const configSearchOf = (search: Record<string, unknown>): ConfigSearch => ({
  ...oneOf('tab', ['providers', 'payments', 'site'], search),
  ...listSearchOf(search.tab === 'payments' ? readPaymentMethods.list : readProviders.list)(search),
});
