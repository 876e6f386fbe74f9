import type { Access } from '#contract/endpoint.ts';

/** The member whose session a call has. */
export type Caller = {
  id: number;
  role: 'user' | 'admin' | 'banned';
  sessionId: string;
  /** Fully suspended: may only read their own account and the reason of the suspension. */
  isSuspended: boolean;
  /** The session's member passed the operators' gate. */
  hasPassedGate: boolean;
};

/** The caller that a handler gets, by the `access` of its endpoint. */
export type CallerWith<A extends Access> = A extends 'member' | 'operator'
  ? Caller
  : A extends 'public'
    ? Caller | undefined
    : undefined;

/**
 * Finds the caller of a session token, at once if the session is kept. `app.ts` passes it in, because sessions are a
 * feature's.
 */
export type Authenticate = (
  token: string,
  freshness: 'cached' | 'fresh',
) => Caller | undefined | Promise<Caller | undefined>;

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before the handler runs. `createServer` declares it, so that V8 gives all requests one hidden class. */
    caller: Caller | undefined;
  }
}

export const sessionCookieName = (publicUrl: string): string =>
  publicUrl.startsWith('https:') ? '__Host-sid' : 'sid';
