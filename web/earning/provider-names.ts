import { readOfferwalls } from '#contract/earning.ts';
import { useRead } from '#web/client/use-call.ts';

/** What the companies call themselves. They stand here for what is told of a wall that is switched off meanwhile. */
const names: Record<string, string> = {
  cpx: 'CPX Research',
  bitlabs: 'BitLabs',
  theoremreach: 'TheoremReach',
  wannads: 'Wannads',
  adgem: 'AdGem',
  ayetstudios: 'ayeT-Studios',
  kiwiwall: 'KiwiWall',
};

/**
 * Names providers by their ids: as the operator calls one that is on, else as it calls itself. Undefined for an id that
 * nobody knows. Asks the server nothing.
 */
export function useProviderNames(): (id: string) => string | undefined {
  const walls = useRead(readOfferwalls, undefined, { enabled: false }).data;
  return (id) =>
    walls?.find((wall) => wall.id === id)?.name ?? (Object.hasOwn(names, id) ? names[id] : undefined);
}
