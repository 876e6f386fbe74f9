import { z } from 'zod';
import { whenMissing } from '#contract/fields.ts';
import type { Config } from '#platform/config.ts';
import type { AccountFacts, Destination, DestinationForm } from './rail.ts';

/** Parts that unlike rails share: a destination of one field, and an account without credentials. */

const LENGTH_MAX = 254;

/** Makes a destination of one text, `{ address }` on the wire. `canonical` returns undefined for an invalid one. */
export function addressDestination(
  name: string,
  form: DestinationForm,
  canonical: (address: string, config: Config) => string | undefined,
): Destination {
  return {
    form,
    shape: z.strictObject({
      address: z.string(whenMissing('Required')).max(LENGTH_MAX, `At most ${LENGTH_MAX} characters`),
    }),
    canonical: ({ address = '' }, config) => {
      if (address === '') return { kind: 'refused', reason: `${name} Address Required` };
      const text = canonical(address, config);
      return text === undefined
        ? { kind: 'refused', reason: `This is not a valid ${name} address.` }
        : { kind: 'canonical', text };
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
