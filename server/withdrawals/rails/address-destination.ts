import { z } from 'zod';
import { type AddressFault, addressFaults } from '#contract/address-faults.ts';
import { whenMissing } from '#contract/fields.ts';
import { fillSentence } from '#contract/operator-sentences.ts';
import type { Config } from '#platform/config.ts';
import type { AccountFacts, CanonicalDestination, Destination, DestinationForm } from './rail.ts';

/** Parts that unlike rails share: a destination of one field, and an account without credentials. */

const LENGTH_MAX = 254;

/** Why an address is refused. `beginnings` are those of the addresses that can be paid. */
export type AddressRefusal = { fault: AddressFault; beginnings: readonly string[] };

/** The first characters as a list: `M, L or ltc1`. */
export const oneOf = (beginnings: readonly string[]): string =>
  new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(beginnings);

function refused(name: string, address: string, { fault, beginnings }: AddressRefusal): CanonicalDestination {
  const start = address.charAt(0);
  const values = { name, start, beginnings: oneOf(beginnings) };
  return {
    kind: 'refused',
    reason: fillSentence(addressFaults[fault], values),
    facts: { fault, start, beginnings },
  };
}

/** Makes a destination of one text, `{ address }` on the wire. `canonical` returns the reason for an invalid one. */
export function addressDestination(
  name: string,
  form: DestinationForm,
  canonical: (address: string, config: Config) => string | AddressRefusal,
): Destination {
  return {
    form,
    shape: z.strictObject({
      address: z.string(whenMissing('Required')).max(LENGTH_MAX, `At most ${LENGTH_MAX} characters`),
    }),
    canonical: ({ address = '' }, config) => {
      if (address === '') return { kind: 'refused', reason: `${name} Address Required` };
      const found = canonical(address, config);
      return typeof found === 'string' ? { kind: 'canonical', text: found } : refused(name, address, found);
    },
    displayText: (destination) => destination,
  };
}

export const noAccount: AccountFacts = {
  credentials: z.strictObject({}),
  readable: [],
  endpointNames: [],
  initial: () => ({}),
  findFault: () => undefined,
  settings: z.strictObject({}),
};
