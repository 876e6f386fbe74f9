import type { Rail } from './rail.ts';

/** The rail of an account that answers no more. An act on it goes by what the site has stored. */
export function silentRail(reason: string): Rail {
  const unknown = async () => ({ kind: 'unknown', reason }) as const;
  const unavailable = async () => ({ kind: 'unavailable', reason }) as const;
  return {
    check: unavailable,
    testConnection: async () => [],
    quote: async () => ({ kind: 'refused', reason }),
    prepare: unavailable,
    send: unknown,
    inspect: unknown,
    find: unknown,
    list: unknown,
  };
}
