import { noAccount } from '../address-destination.ts';
import type { RailDefinition } from '../rail.ts';

/** NOWPayments. Operators can set its limits. Members can't choose it, and no account can be connected. */
export const rail: RailDefinition = {
  id: 'nowpayments',
  name: 'NOWPayments',
  koreanName: 'NOWPayments',
  currency: { symbol: 'USD', rateId: null },
  destination: null,
  explorer: () => null,
  account: noAccount,
  connect: null,
};
