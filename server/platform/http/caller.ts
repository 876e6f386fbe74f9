import type { Access } from '#contract/endpoint.ts';

/** Who calls, as the session says. */
export type Caller = {
  id: number;
  role: 'user' | 'admin' | 'banned';
  sessionId: string;
  /** Fully suspended: may read who they are and why they are suspended, and nothing else. */
  isSuspended: boolean;
};

/** The caller that a handler gets, by the `access` of its endpoint. */
export type CallerWith<A extends Access> = A extends 'member' | 'operator'
  ? Caller
  : A extends 'public'
    ? Caller | undefined
    : undefined;

/** Finds the caller behind a session token. The application passes it in: the platform knows no sessions. */
export type Authenticate = (token: string, freshness: 'cached' | 'fresh') => Promise<Caller | undefined>;

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before the handler runs. `createServer` decorates requests with it, so that all have one hidden class. */
    caller: Caller | undefined;
  }
}

export const sessionCookieName = (publicUrl: string): string =>
  publicUrl.startsWith('https:') ? '__Host-sid' : 'sid';
