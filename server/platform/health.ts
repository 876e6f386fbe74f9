import type { Log } from './log.ts';

/**
 * What is not well on this node: sweeps, leases, the database, Redis, rails. Each part reports under its own name;
 * `/readyz`, the metric `earnest_degraded` and the back office show it. A trouble does not stop the node from serving.
 */
export type Trouble = {
  /** In kebab-case: `redis`, `sweep-payouts`, `lease-only-node`. */
  name: string;
  /** One plain English sentence. */
  trouble: string;
  since: Date;
  /** An operator stopped the part, so that nothing is wrong with it. */
  isByChoice: boolean;
};

export type Health = {
  /**
   * Reports a trouble, or with undefined that the part is well. The first report of each is logged. With `isByChoice`
   * an operator stopped the part.
   */
  report(name: string, trouble: string | undefined, choice?: { isByChoice: boolean }): void;
  /** What is not well now, the oldest first. */
  troubles(): Trouble[];
  /** Every name that was reported since the start. */
  names(): string[];
  /** When each part was last reported well. */
  lastWell(): { name: string; at: Date }[];
};

/** The longest text of an error in a trouble. */
const ERROR_TEXT_MAX = 300;

/** The text of an error for a trouble, with its cause: `fetch` says only there why it failed. */
export function troubleOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error).slice(0, ERROR_TEXT_MAX);
  const cause = error.cause instanceof Error ? error.cause : undefined;
  const why = cause && (cause.message || (cause as Error & { code?: string }).code);
  return (why ? `${error.message}: ${why}` : error.message).slice(0, ERROR_TEXT_MAX);
}

export function createHealth(log: Log): Health {
  const reported = new Map<string, Trouble | undefined>();
  const wellAt = new Map<string, Date>();
  return {
    report: (name, trouble, { isByChoice } = { isByChoice: false }) => {
      const before = reported.get(name);
      if (trouble === undefined) {
        reported.set(name, undefined);
        wellAt.set(name, new Date());
        if (before !== undefined) log.info({ part: name }, 'a part is well again');
        return;
      }
      reported.set(name, { name, trouble, since: before?.since ?? new Date(), isByChoice });
      if (before !== undefined) return;
      if (isByChoice) log.warn({ part: name, trouble }, 'an operator stopped a part');
      else log.error({ part: name, trouble }, 'a part is not well');
    },
    troubles: () =>
      [...reported.values()]
        .filter((trouble) => trouble !== undefined)
        .sort((one, other) => one.since.getTime() - other.since.getTime()),
    names: () => [...reported.keys()],
    lastWell: () => [...wellAt].map(([name, at]) => ({ name, at })),
  };
}
