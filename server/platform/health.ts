import { type HealthName, needsDatabase } from './health-names.ts';
import type { Log } from './log.ts';

/**
 * What is not well on this node: sweeps, leases, the database, Redis, rails. Each part reports under its own name;
 * `/readyz`, the metric `earnest_degraded` and the back office show it. A trouble does not stop the node from serving.
 * What an operator stopped by choice is shown apart, because nothing is wrong with it.
 */
export type Trouble = {
  name: HealthName;
  /** One plain English sentence. */
  trouble: string;
  since: Date;
};

export type Health = {
  /**
   * Reports a trouble, or with undefined that the part is well. The first report of each is logged. With `isByChoice`
   * an operator stopped the part. Returns whether the report begins a trouble.
   */
  report(name: HealthName, trouble: string | undefined, choice?: { isByChoice: boolean }): boolean;
  /** What is not well now, the oldest first. */
  troubles(): Trouble[];
  /** What an operator stopped by choice, the oldest first. */
  stops(): Trouble[];
  /** Every name of a part that can be not well, or with true that operators stop, as reported since the start. */
  names(isByChoice?: boolean): HealthName[];
  /** When each part was last reported well. */
  lastWell(): { name: HealthName; at: Date }[];
};

/** The silence is found after 2 seconds, so what began so shortly before it is a part of it. */
const BEFORE_SILENCE_MS = 5_000;

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
  const reported = new Map<HealthName, { isByChoice: boolean; trouble: Trouble | undefined }>();
  const wellAt = new Map<HealthName, Date>();
  const leaveOut = (name: HealthName, part: { isByChoice: boolean }) => {
    reported.set(name, { ...part, trouble: undefined });
    log.info({ part: name }, 'a part waits for the database');
  };
  const leaveOutConsequences = (sinceMs: number) => {
    for (const [name, part] of reported)
      if (needsDatabase(name) && part.trouble !== undefined && part.trouble.since.getTime() > sinceMs)
        leaveOut(name, part);
  };
  const now = (isByChoice: boolean): Trouble[] =>
    [...reported.values()]
      .filter((part) => part.isByChoice === isByChoice)
      .flatMap(({ trouble }) => trouble ?? [])
      .sort((one, other) => one.since.getTime() - other.since.getTime());
  return {
    report: (name, trouble, { isByChoice } = { isByChoice: false }) => {
      const before = reported.get(name)?.trouble;
      if (trouble === undefined) {
        reported.set(name, { isByChoice, trouble });
        wellAt.set(name, new Date());
        if (before !== undefined) log.info({ part: name }, 'a part is well again');
        return false;
      }
      const isSilent = reported.get('database')?.trouble !== undefined;
      if (before === undefined && isSilent && needsDatabase(name)) return false;
      const since = before?.since ?? new Date();
      reported.set(name, { isByChoice, trouble: { name, trouble, since } });
      if (before !== undefined) return false;
      if (isByChoice) log.warn({ part: name, trouble }, 'an operator stopped a part');
      else log.error({ part: name, trouble }, 'a part is not well');
      if (name === 'database') leaveOutConsequences(since.getTime() - BEFORE_SILENCE_MS);
      return true;
    },
    troubles: () => now(false),
    stops: () => now(true),
    names: (isByChoice = false) =>
      [...reported].filter(([, part]) => part.isByChoice === isByChoice).map(([name]) => name),
    lastWell: () => [...wellAt].map(([name, at]) => ({ name, at })),
  };
}
