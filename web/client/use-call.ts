import {
  type QueryClient,
  queryOptions,
  type UseQueryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { Endpoint, ReplyOf } from '#contract/endpoint.ts';
import type { Topic } from '#contract/events.ts';
import { type ApiError, type CallInput, call } from './call.ts';

/** The cache key of a call. Without `input` it matches every call of the endpoint. */
export function keyOf(endpoint: Endpoint, input?: unknown): readonly unknown[] {
  const { topic, path } = endpoint;
  return input === undefined ? [topic ?? null, path] : [topic ?? null, path, input];
}

/** Fetches the mounted queries of these topics again now, and the others when they are next used. */
export async function refreshTopics(client: QueryClient, topics: readonly Topic[]): Promise<void> {
  await Promise.all(topics.map((topic) => client.invalidateQueries({ queryKey: [topic] })));
}

/** Fetches what a call has changed, as declared at its endpoint. `useAct` does so itself. */
export const refreshAfter = (client: QueryClient, endpoint: Endpoint): Promise<void> =>
  refreshTopics(client, endpoint.refreshes ?? []);

type ReadOptions<E extends Endpoint> = Omit<UseQueryOptions<ReplyOf<E>, ApiError>, 'queryKey' | 'queryFn'>;

/** The query that reads an endpoint through the cache. */
export function readQuery<E extends Endpoint>(endpoint: E, input?: CallInput<E>) {
  return queryOptions<ReplyOf<E>, ApiError>({
    queryKey: keyOf(endpoint, input ?? {}),
    queryFn: ({ signal }) => callWith(endpoint, { ...input, signal } as CallInput<E>),
  });
}

/** Reads an endpoint through the cache. It is fetched again only by a refresh of its topic or by `refetchInterval`. */
export function useRead<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E> | undefined = undefined,
  options: ReadOptions<E> = {} as ReadOptions<E>,
) {
  return useQuery<ReplyOf<E>, ApiError>({ ...options, ...readQuery(endpoint, input) });
}

/** Calls an endpoint after a user's act, then fetches what the call has changed. */
export function useAct<E extends Endpoint>(endpoint: E) {
  const client = useQueryClient();
  return useMutation<ReplyOf<E>, ApiError, CallInput<E>>({
    mutationFn: (input) => callWith(endpoint, input),
    onSuccess: () => void refreshAfter(client, endpoint),
  });
}

function callWith<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<ReplyOf<E>> {
  return (call as (endpoint: E, input: CallInput<E>) => Promise<ReplyOf<E>>)(endpoint, input);
}
