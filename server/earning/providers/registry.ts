import { adgem } from './adgem.ts';
import { ayetstudios } from './ayetstudios.ts';
import { bitlabs } from './bitlabs.ts';
import { cpx } from './cpx.ts';
import { kiwiwall } from './kiwiwall.ts';
import type { ProviderAdapter, ProviderName } from './provider.ts';
import { theoremreach } from './theoremreach.ts';
import { wannads } from './wannads.ts';

/** Every company we can speak with, by the id that its addresses, rows and settings carry. */
export const providers = {
  cpx,
  bitlabs,
  theoremreach,
  kiwiwall,
  wannads,
  adgem,
  ayetstudios,
} satisfies Record<ProviderName, ProviderAdapter>;

/** The adapter of this id; an id may come from a URL. */
export function findProvider(id: string): ProviderAdapter | undefined {
  return isProviderName(id) ? providers[id] : undefined;
}

function isProviderName(id: string): id is ProviderName {
  return Object.hasOwn(providers, id);
}
