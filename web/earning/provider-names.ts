import { readOfferwalls } from '#contract/earning.ts';
import { useProviders } from '#web/client/session.ts';
import { useRead } from '#web/client/use-call.ts';

/**
 * Names providers by their ids: as the operator calls one that is on, else as it calls itself. Undefined for an id that
 * nobody knows. Asks the server nothing.
 */
export function useProviderNames(): (id: string) => string | undefined {
  const walls = useRead(readOfferwalls, undefined, { enabled: false }).data;
  const providerOf = useProviders();
  return (id) => walls?.find((wall) => wall.id === id)?.name ?? providerOf(id)?.name;
}
