/** What the load generator is asked to do, and what it answers; both travel as JSON. */
export type Requests =
  /** Signed credits of CPX Research, each of a transaction of its own, over many members. */
  | { kind: 'postbacks'; secret: string; prefix: string; memberFirst: number; memberCount: number }
  /** Each connection asks for `path` with a cookie of its own; `{n}` in the path becomes the connection's number. */
  | { kind: 'get'; path: string; cookies: string[] }
  /** Every request is the next member's: the same body with each cookie in turn, as from a page of `origin`. */
  | { kind: 'post'; path: string; origin: string; cookies: string[]; body: string }
  /** In turns: what a site sees on a day. */
  | { kind: 'mixed'; parts: Requests[] };

export type LoadSpec = {
  port: number;
  connections: number;
  warmupSeconds: number;
  seconds: number;
  /** Requests are due at this rate whether or not earlier ones were answered; null: each connection asks at once. */
  ratePerSecond: number | null;
  requests: Requests;
};

export type LoadResult = {
  /** Every request that was answered as it should be, those of the warm-up included. */
  acknowledged: number;
  refused: Record<string, number>;
  perSecond: number;
  /** From when a request was due to its whole answer, after the warm-up. */
  p50Ms: number;
  p99Ms: number;
};
