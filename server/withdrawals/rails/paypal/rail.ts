import { email } from '#contract/email.ts';
import { addressDestination, noAccount } from '../address-destination.ts';
import type { RailDefinition } from '../rail.ts';

/**
 * PayPal. Members may request it, and operators see the e-mail address. No account can be connected, so no request can
 * be approved.
 */
export const rail: RailDefinition = {
  id: 'paypal',
  name: 'PayPal',
  koreanName: 'PayPal',
  currency: { symbol: 'USD', rateId: null },
  destination: addressDestination(
    'PayPal',
    { kind: 'email', pattern: '^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$' },
    (address) => email.safeParse(address).data ?? { fault: 'no-email', beginnings: [] },
  ),
  explorer: () => null,
  account: noAccount,
  connect: null,
};
