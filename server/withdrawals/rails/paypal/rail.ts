import { z } from 'zod';
import { addressDestination, noAccount } from '../address-destination.ts';
import type { RailDefinition } from '../rail.ts';

const email = z.email().max(254);

/**
 * PayPal. Members may ask for it and operators see their e-mail; no account can be connected, so nothing is approved.
 */
export const rail: RailDefinition = {
  id: 'paypal',
  name: 'PayPal',
  currency: { symbol: 'USD', rateId: null },
  destination: addressDestination(
    'PayPal',
    { kind: 'email', pattern: '^[^\\s@]+@[^\\s@]+\\.[^\\s@]+$' },
    (address) => (email.safeParse(address).success ? address.toLowerCase() : undefined),
  ),
  account: noAccount,
  connect: null,
};
