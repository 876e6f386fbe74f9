import { type Query, type QueryClient, queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { logout, readUser } from '#contract/access.ts';
import { readConfig, type SiteConfig } from '#contract/members.ts';
import type { User } from '#contract/user.ts';
import { type ApiError, call, isApiError } from './call.ts';
import { forgetFirstCalls } from './first-calls.ts';

/** The session and the site configuration, which every screen needs. */

/**
 * The readable cookie is set and removed with the session. Without it no call is made, which avoids an error in the
 * console.
 */
export const hasSessionMark = () => document.cookie.split('; ').includes('signedin=1');

export const userQuery = queryOptions<User | null, ApiError>({
  queryKey: ['session'],
  queryFn: async () => {
    if (!hasSessionMark()) return null;
    try {
      return await call(readUser);
    } catch (error) {
      if (isApiError(error) && error.status === 401) return null;
      throw error;
    }
  },
});

export const configQuery = queryOptions<SiteConfig, ApiError>({
  queryKey: ['config'],
  queryFn: () => call(readConfig),
});

export const useSession = () => useQuery(userQuery);
export const useSiteConfig = () => useQuery(configQuery);

const isOfMember = ({ queryKey: [first] }: Query): boolean =>
  first !== userQuery.queryKey[0] && first !== configQuery.queryKey[0];

/** Signs out locally. Removes the member's data, because another member may use this browser next. */
export function endSession(client: QueryClient): void {
  client.setQueryData(userQuery.queryKey, null);
  client.removeQueries({ predicate: isOfMember });
  forgetFirstCalls();
}

/**
 * Fetches the session after signing in, and the replies again that were refused before.
 * @param readBefore reads what the first screen must not begin without
 */
export async function startSession(
  client: QueryClient,
  readBefore: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  forgetFirstCalls();
  await client.resetQueries({ predicate: isOfMember });
  await readBefore();
  await Promise.all([userQuery, configQuery].map(({ queryKey }) => client.refetchQueries({ queryKey })));
}

type KnownProvider = SiteConfig['providers'][number];

/** Finds a provider by its id, enabled or not. Undefined for an unknown id, and until the configuration is loaded. */
export function useProviders(): (id: string) => KnownProvider | undefined {
  const providers = useSiteConfig().data?.providers;
  return (id) => providers?.find((provider) => provider.id === id);
}

/** The site's name; until it is known, the product's. */
export const useBrandName = () => useSiteConfig().data?.brand.name ?? 'Earnest';

/** The signed-in member. Only for screens that are shown to members alone; it throws without one. */
export function useMember(): User {
  const member = useSession().data;
  if (!member) throw new Error('A member screen was drawn without a member.');
  return member;
}

/** Ends the session and opens the front page, even if the call fails. */
export function useLogout(): () => Promise<void> {
  const client = useQueryClient();
  return async () => {
    try {
      await call(logout);
    } catch (error) {
      if (!isApiError(error)) throw error;
    } finally {
      client.clear();
      window.location.assign('/');
    }
  };
}
