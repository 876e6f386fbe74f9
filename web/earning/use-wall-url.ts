import { useQuery, useQueryClient } from '@tanstack/react-query';
import {
  generateCpxUrl,
  generateTheoremreachUrl,
  openOfferwall,
  readKiwiwallUrl,
  readOfferwalls,
} from '#contract/earning.ts';
import { ApiError, call } from '#web/client/call.ts';
import { keyOf, refreshAfter } from '#web/client/use-call.ts';

/** Asks for the signed URL of the member's wall. @throws ApiError */
async function fetchWallUrl(id: string): Promise<string> {
  if (id === 'cpx') return (await call(generateCpxUrl)).url;
  if (id === 'theoremreach') return (await call(generateTheoremreachUrl)).url;
  if (id === 'kiwiwall') return (await call(readKiwiwallUrl)).url;
  const wall = (await call(readOfferwalls)).find((one) => one.id === id);
  if (wall === undefined) throw new ApiError(404, 'unknown-provider', 'There is no such provider.', null);
  return wall.url;
}

/**
 * Asks for a wall's URL each time that the wall is opened, because its provider may have been switched off since its
 * tile was drawn. Records that the wall was opened. A new `attempt` asks again.
 */
export function useWallUrl(id: string, attempt: number) {
  const client = useQueryClient();
  return useQuery<string, ApiError>({
    queryKey: ['wall-url', id, attempt],
    gcTime: 0,
    queryFn: async () => {
      try {
        const url = await fetchWallUrl(id);
        await call(openOfferwall, { params: { id } });
        void refreshAfter(client, openOfferwall);
        return url;
      } catch (error) {
        // The list behind the dialog may be outdated.
        void client.invalidateQueries({ queryKey: keyOf(readOfferwalls) });
        throw error;
      }
    },
  });
}
