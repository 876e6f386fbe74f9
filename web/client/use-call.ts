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

/** Under which key the cache keeps the answer of a call. Without `input` it names every answer of the endpoint. */
export function keyOf(endpoint: Endpoint, input?: unknown): readonly unknown[] {
  const { topic, path } = endpoint;
  return input === undefined ? [topic ?? null, path] : [topic ?? null, path, input];
}

/** Reads again whatever is on the screen of these topics, and the rest when it is next needed. */
export async function refreshTopics(client: QueryClient, topics: readonly Topic[]): Promise<void> {
  await Promise.all(topics.map((topic) => client.invalidateQueries({ queryKey: [topic] })));
}

/** Reads again what a call has changed, as its endpoint says. `useAct` does so by itself. */
export const refreshAfter = (client: QueryClient, endpoint: Endpoint): Promise<void> =>
  refreshTopics(client, endpoint.refreshes ?? []);

type ReadOptions<E extends Endpoint> = Omit<UseQueryOptions<ReplyOf<E>, ApiError>, 'queryKey' | 'queryFn'>;

/** How an endpoint is read through the cache. */
export function readQuery<E extends Endpoint>(endpoint: E, input?: CallInput<E>) {
  return queryOptions<ReplyOf<E>, ApiError>({
    queryKey: keyOf(endpoint, input ?? {}),
    queryFn: ({ signal }) => callWith(endpoint, { ...input, signal } as CallInput<E>),
  });
}

/**
 * Reads an endpoint through the cache. Nothing is fetched again by itself, except where `refetchInterval` says
 * so.
 */
export function useRead<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E> | undefined = undefined,
  options: ReadOptions<E> = {} as ReadOptions<E>,
) {
  return useQuery<ReplyOf<E>, ApiError>({ ...options, ...readQuery(endpoint, input) });
}

/** Calls an endpoint because a person did something, and then reads again what that has changed. */
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
