import { type UseQueryOptions, useMutation, useQuery } from '@tanstack/react-query';
import type { Endpoint, ReplyOf } from '#contract/endpoint.ts';
import { type ApiError, type CallInput, call } from './call.ts';

/**
 * Under which key the cache keeps the answer of a call. `inputOf` may be left out to name every answer of the
 * endpoint.
 */
export function keyOf(endpoint: Endpoint, input?: unknown): readonly unknown[] {
  return input === undefined ? [endpoint.path] : [endpoint.path, input];
}

type ReadOptions<E extends Endpoint> = Omit<UseQueryOptions<ReplyOf<E>, ApiError>, 'queryKey' | 'queryFn'>;

/**
 * Reads an endpoint through the cache. Nothing is fetched again by itself, except where `refetchInterval` says
 * so.
 */
export function useRead<E extends Endpoint>(
  endpoint: E,
  input: CallInput<E> | undefined = undefined,
  options: ReadOptions<E> = {} as ReadOptions<E>,
) {
  return useQuery<ReplyOf<E>, ApiError>({
    ...options,
    queryKey: keyOf(endpoint, input ?? {}),
    queryFn: ({ signal }) => callWith(endpoint, { ...input, signal } as CallInput<E>),
  });
}

/** Calls an endpoint because a person did something. */
export function useAct<E extends Endpoint>(endpoint: E) {
  return useMutation<ReplyOf<E>, ApiError, CallInput<E>>({
    mutationFn: (input) => callWith(endpoint, input),
  });
}

function callWith<E extends Endpoint>(endpoint: E, input: CallInput<E>): Promise<ReplyOf<E>> {
  return (call as (endpoint: E, input: CallInput<E>) => Promise<ReplyOf<E>>)(endpoint, input);
}
