/** The load generator's specification and result. Both are passed as JSON. */
export type Requests =
  /** Signed credits of CPX Research for many members, each with its own transaction. */
  | { kind: 'postbacks'; secret: string; prefix: string; memberFirst: number; memberCount: number }
  /** Each connection requests `path` with its own cookie. `{n}` in the path becomes the connection's number. */
  | { kind: 'get'; path: string; cookies: string[] }
  /** Requests of the members in turn: the same body, with each cookie, as from a page of `origin`. */
  | { kind: 'post'; path: string; origin: string; cookies: string[]; body: string }
  /** The requests of a usual day, in turns. */
  | { kind: 'mixed'; parts: Requests[] };

export type LoadSpec = {
  port: number;
  connections: number;
  warmupSeconds: number;
  seconds: number;
  /**
   * The rate of requests per second, whether or not earlier ones were answered. Null: each connection sends the next
   * request at once.
   */
  ratePerSecond: number | null;
  requests: Requests;
};

export type LoadResult = {
  /** The number of correct answers, including the warm-up. */
  acknowledged: number;
  refused: Record<string, number>;
  perSecond: number;
  /** Latencies from the time at which a request was due to its whole answer, after the warm-up. */
  p50Ms: number;
  p99Ms: number;
};
