import { readOfferwalls } from '#contract/earning.ts';
import { useProviders } from '#web/client/session.ts';
import { useRead } from '#web/client/use-call.ts';

/**
 * Finds a provider's name by its id: the operator's name for an active provider, else the provider's own name,
 * undefined for an unknown id. Makes no call.
 */
export function useProviderNames(): (id: string) => string | undefined {
  const walls = useRead(readOfferwalls, undefined, { enabled: false }).data;
  const providerOf = useProviders();
  return (id) => walls?.find((wall) => wall.id === id)?.name ?? providerOf(id)?.name;
}
