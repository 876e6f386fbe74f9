import type { ProviderAdapter } from './provider.ts';

/** All providers, one folder a line. */
const folders = [
  await import('./cpx/adapter.ts'),
  await import('./bitlabs/adapter.ts'),
  await import('./theoremreach/adapter.ts'),
  await import('./adgem/adapter.ts'),
  await import('./wannads/adapter.ts'),
  await import('./ayetstudios/adapter.ts'),
  await import('./kiwiwall/adapter.ts'),
];

/** The adapters by id. URLs, rows and settings have the same id. */
export const providers: ReadonlyMap<string, ProviderAdapter> = new Map(
  folders.map(({ adapter }) => [adapter.id, adapter]),
);

/** The adapter of this id; an id may come from a URL. */
export const findProvider = (id: string): ProviderAdapter | undefined => providers.get(id);
