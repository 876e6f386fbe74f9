import { sentence } from '#contract/operator-sentences.ts';
import type { SiteSettings } from '#contract/site.ts';
import type { Database } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { repeat } from '#platform/repeat.ts';
import { type CallSums, createCallSums } from './call-sums.ts';
import * as queries from './ceiling-queries.ts';
import type { Booked, Call } from './queries.ts';

/**
 * Ceilings of what a provider's credits may pay without an operator: in an hour and in a site day a multiple of its
 * best hour and day of the last 30 days, and at least a million points. Credits beyond wait for an operator, so that a
 * leaked secret or a provider's fault costs a bounded sum.
 *
 * A node counts its own credits in memory and adds them to the stored sums once a second. So a credit pays nothing for
 * this, and no row is hot. Several nodes together may exceed a ceiling by what they book in a second.
 */
/** No ceiling is lower than this. */
export const CEILING_POINTS_MIN = 1_000_000n;
const BEST_READ_EVERY_MS = 60_000;
/** How long an operator is told of a reached ceiling after the last credit beyond it. */
const TOLD_MS = 3_600_000;
const periods = ['hour', 'day'] as const;

type Exceeded = { period: (typeof periods)[number]; sum: bigint; limit: bigint };

export type Ceilings = {
  /** Counts a credit that is about to be booked, unless it is beyond a ceiling. `off`: there are no ceilings. */
  take(provider: string, points: bigint): 'within' | 'beyond' | 'off';
  /** Whether a credit would be beyond a ceiling. It counts and tells nothing. */
  isBeyond(provider: string, points: bigint): boolean;
  /** Takes back the count of a credit that was not booked. */
  giveBack(provider: string, points: bigint): void;
  /** Stores what was counted, and reads the sums of all nodes. Runs again and again, never two at the same time. */
  flush(): Promise<void>;
};

type Parts = Pick<Platform, 'database'> & {
  health: Pick<Platform['health'], 'report'>;
  settings: Pick<Platform['settings'], 'latest'>;
};

export function createCeilings({ database, health, settings }: Parts): Ceilings {
  /** Sums by provider and period, as last read. */
  let paid = new Map<string, bigint>();
  const best = createBest(database);
  /** Points by provider that are not stored yet, and those that are being stored. */
  let counted = new Map<string, bigint>();
  let storing = new Map<string, bigint>();
  const reached = createReached(health);

  const add = (sums: Map<string, bigint>, key: string, points: bigint) =>
    sums.set(key, (sums.get(key) ?? 0n) + points);
  /** The first period whose ceiling these points exceed, with what the provider paid in it. */
  const findExceeded = (times: number, provider: string, points: bigint) => {
    const own = (counted.get(provider) ?? 0n) + (storing.get(provider) ?? 0n);
    return periods
      .map((period) => {
        const ceiling = best.of(`${provider} ${period}`) * BigInt(times);
        return {
          period,
          sum: (paid.get(`${provider} ${period}`) ?? 0n) + own,
          limit: ceiling > CEILING_POINTS_MIN ? ceiling : CEILING_POINTS_MIN,
        };
      })
      .find(({ sum, limit }) => sum + points > limit);
  };
  const store = async () => {
    if (counted.size === 0) return;
    storing = counted;
    counted = new Map();
    try {
      await queries.addPaid(database, storing);
      for (const [provider, points] of storing)
        for (const period of periods) add(paid, `${provider} ${period}`, points);
    } catch (error) {
      for (const [provider, points] of storing) add(counted, provider, points);
      throw error;
    } finally {
      storing = new Map();
    }
  };
  return {
    isBeyond: (provider, points) => {
      const { providerCeilingTimes: times } = settings.latest();
      return times !== null && findExceeded(times, provider, points) !== undefined;
    },
    take: (provider, points) => {
      const { providerCeilingTimes: times } = settings.latest();
      if (times === null) return 'off';
      const exceeded = findExceeded(times, provider, points);
      if (exceeded !== undefined) {
        reached.tell(provider, exceeded);
        return 'beyond';
      }
      add(counted, provider, points);
      return 'within';
    },
    giveBack: (provider, points) => void add(counted, provider, -points),
    flush: async () => {
      await store();
      if (settings.latest().providerCeilingTimes === null) return reached.end(new Set());
      const rows = await queries.readPaid(database);
      const hour = rows.find(({ period }) => period === 'hour')?.startsAt.getTime() ?? 0;
      await best.read(hour);
      paid = new Map(rows.map(({ provider, period, points }) => [`${provider} ${period}`, points]));
      reached.end(new Set(rows.filter(({ isEnabled }) => isEnabled).map(({ provider }) => provider)));
    },
  };
}

/** What operators are told of reached ceilings, by provider. */
function createReached(health: Parts['health']) {
  const reached = new Map<string, { since: Date; lastAtMs: number }>();
  return {
    tell: (provider: string, { period, sum, limit }: Exceeded): void => {
      const { since } = reached.get(provider) ?? { since: new Date() };
      reached.set(provider, { since, lastAtMs: performance.now() });
      health.report(
        `ceiling-${provider}`,
        [
          sentence(`ceiling-of-${period}`, { paidPoints: sum, limitPoints: limit }),
          sentence('ceiling-reached', { reachedAt: since.toISOString() }),
        ].join(' '),
      );
    },
    /** Ends what is told an hour after the last credit beyond, or when the provider is not limited any more. */
    end: (limited: ReadonlySet<string>): void => {
      for (const [provider, { lastAtMs }] of reached)
        if (!limited.has(provider) || performance.now() - lastAtMs > TOLD_MS) {
          reached.delete(provider);
          health.report(`ceiling-${provider}`, undefined);
        }
    },
  };
}

/** The best sums by provider and period. They are read with each new hour, and every minute. */
function createBest(database: Parts['database']) {
  let best = new Map<string, bigint>();
  let readAtMs = Number.NEGATIVE_INFINITY;
  let hourRead = 0;
  return {
    of: (key: string): bigint => best.get(key) ?? 0n,
    read: async (hour: number): Promise<void> => {
      if (hour === hourRead && performance.now() - readAtMs < BEST_READ_EVERY_MS) return;
      const rows = await queries.readBest(database);
      best = new Map(rows.map(({ provider, period, points }) => [`${provider} ${period}`, points]));
      await queries.deleteOldPaid(database);
      readAtMs = performance.now();
      hourRead = hour;
    },
  };
}

/** Books a call. A credit beyond a ceiling is held. One that is held or not new does not count. */
export const bookWithin = (
  ceilings: Ceilings,
  call: Call,
  book: (call: Call) => Promise<Booked>,
): Promise<Booked> =>
  call.kind !== 'credit' || call.holdReason !== null
    ? book(call)
    : creditWithin(ceilings, call, {
        book: (holdReason) => book(holdReason === null ? call : { ...call, holdReason }),
        isCredited: ({ verdict }) => verdict === 'credited',
      });

type CreditBooking<Done> = {
  book(holdReason: 'ceiling' | null): Promise<Done>;
  isCredited(done: Done): boolean;
};

/** Books a credit, with a reason to hold it if it is beyond a ceiling. One that was not credited does not count. */
export async function creditWithin<Done>(
  ceilings: Ceilings,
  { provider, points: text }: Pick<Call, 'provider' | 'points'>,
  { book, isCredited }: CreditBooking<Done>,
): Promise<Done> {
  const points = BigInt(text ?? 0);
  const taken = ceilings.take(provider, points);
  if (taken === 'off') return book(null);
  if (taken === 'beyond') return book('ceiling');
  let counts = false;
  try {
    const done = await book(null);
    counts = isCredited(done);
    return done;
  } finally {
    if (!counts) ceilings.giveBack(provider, points);
  }
}

/**
 * The ceilings of a process that books without a node, as the command line does. Its operators read what is held from
 * the answer, so nothing is told to health.
 */
export async function openCeilings(database: Database, settings: SiteSettings): Promise<Ceilings> {
  const ceilings = createCeilings({
    database,
    settings: { latest: () => settings },
    health: { report: () => false },
  });
  await ceilings.flush();
  return ceilings;
}

/** What a node counts of the calls: against the ceilings, and for the operators' figures. */
export type Counting = { ceilings: Ceilings; sums: CallSums };

const FLUSHED_EVERY_MS = 1_000;

/** Reads the sums of the providers, and keeps them and those of the calls up to date until the application closes. */
export async function startCounting(platform: Platform): Promise<Counting> {
  const ceilings = createCeilings(platform);
  const sums = createCallSums(platform.database);
  await ceilings.flush();
  const flush = async () => {
    await ceilings.flush();
    await sums.flush();
  };
  const closing = new AbortController();
  const flushes = repeat(platform, closing.signal, {
    name: 'provider-sums',
    everyMs: FLUSHED_EVERY_MS,
    work: flush,
  });
  platform.app.addHook('onClose', async () => {
    closing.abort();
    await flushes;
    await flush().catch((error: Error) =>
      platform.log.warn({ error }, 'the last sums of providers were not stored'),
    );
  });
  return { ceilings, sums };
}
