import { z } from 'zod';

/** What the operator's own files say of a network address. */

/** How an address hides who uses it, or that it is a computer centre's; `anonymous` if the files do not say how. */
export const networkKinds = ['vpn', 'proxy', 'tor', 'hosting', 'anonymous'] as const;
export type NetworkKind = (typeof networkKinds)[number];

export const network = z.object({
  /** Two capital letters. */
  country: z.string().nullable(),
  kinds: z.array(z.enum(networkKinds)),
  /** Whose network it is. */
  holder: z.string().nullable(),
  /** As the file calls it, for example `Cellular`. */
  connection: z.string().nullable(),
});
export type Network = z.infer<typeof network>;
