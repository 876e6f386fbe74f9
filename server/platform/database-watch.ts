/**
 * Time limits of every call to the database. A connection can fall silent without an error: the server is frozen, or
 * the network swallows the bytes. A call on such a connection would wait for minutes.
 *
 * - A probe on its own connection asks the server every 250 ms. After 2 s without an answer the database is silent:
 *   every connection is destroyed, so that each waiting call fails, and new calls fail at once until the probe is
 *   answered.
 * - While the probe is answered, a read may take 2 s and a booking 10 s.
 * - A call that the server does not work at fails within 2 s, because its connection is dead.
 *
 * The connection of a call that was given up is destroyed and never used again. The outcome of a write that was given
 * up is unknown. It is never repeated here; the caller's key makes a repetition harmless.
 *
 * One timer looks at all connections, so a call costs no timer of its own.
 */
import pg from 'pg';
import { sentence } from '#contract/operator-sentences.ts';
import { createProbe, keepAlive, type Suspect, streamOf } from './database-probe.ts';
import { CallGivenUp, DatabaseSilence } from './database-silence.ts';
import { type WriteWatch, watchWrites } from './database-writes.ts';
import type { Health } from './health.ts';

export type DatabaseWatch = {
  /** The class of the connections that this watches, for a pool. */
  readonly Client: typeof pg.Client;
  /** Hears of every write. */
  readonly writes: WriteWatch;
  /** Makes a watched pool for a library that brings its own statements. Its caller ends it. */
  openPool(url: string, connectionsMax: number): pg.Pool;
  /** Whether the probe has had no answer for 2 seconds. */
  isSilent(): boolean;
  /** @throws DatabaseSilence at once, instead of a wait */
  refuseWhileSilent(): void;
  close(): Promise<void>;
};

export type WatchLimits = {
  readMs: number;
  bookingMs: number;
  /** For the statements of a library, which are short. The server does not show this role whether it works at them. */
  libraryMs: number;
  silenceMs: number;
};

/** What a statement may take: as a read, or this long. Others are bookings. */
export type WatchedQuery = { isRead?: boolean; limitMs?: number };

/** A connection, and the call that it carries. */
type Line = {
  client: pg.Client;
  isBusy: boolean;
  callCount: number;
  limitMs: number;
  /** The call that the last tick saw, and for how long ticks have seen it. */
  seenCount: number;
  waitedMs: number;
  /** How often in a row the server did not work at it. */
  idleCount: number;
};

const LIMITS: WatchLimits = { readMs: 2_000, bookingMs: 10_000, libraryMs: 5_000, silenceMs: 2_000 };
const TICK_MS = 250;
/** A process that was stopped or busy itself can't say how long the database took. */
const ELAPSED_MS_MAX = 2 * TICK_MS;
/** The server is asked whether it works at a call that has waited this long. */
const SUSPECT_AFTER_MS = 1_000;
/** So often in a row the server must say no. Once may be the moment at which the answer is on its way. */
const IDLE_COUNT_MAX = 2;

export function watchDatabase(options: {
  url: string;
  health: Health;
  limits?: Partial<WatchLimits>;
  writes?: WriteWatch;
}): DatabaseWatch {
  const limits = { ...LIMITS, ...options.limits };
  const lines = new Set<Line>();
  const probe = createProbe(options.url);
  let isSilent = false;
  let tickedAtMs = performance.now();

  const setSilent = (isSilentNow: boolean) => {
    const isNew = isSilentNow !== isSilent;
    isSilent = isSilentNow;
    if (isSilent) for (const line of lines) destroy(line, new DatabaseSilence());
    if (!isNew) return;
    const trouble = sentence('database-silent', { secondCount: limits.silenceMs / 1_000 });
    options.health.report('database', isSilent ? trouble : undefined);
  };
  const tick = () => {
    const nowMs = performance.now();
    const elapsedMs = Math.min(nowMs - tickedAtMs, ELAPSED_MS_MAX);
    tickedAtMs = nowMs;
    for (const line of lines) measure(line, elapsedMs);
    probe.tick(elapsedMs, suspectsAmong(lines));
    setSilent(probe.silentMs() >= limits.silenceMs);
  };
  const timer = setInterval(tick, TICK_MS).unref();
  options.health.report('database', undefined);
  const Client = watchedClient(lines, limits, () => isSilent);
  const LibraryClient = watchedClient(lines, { ...limits, bookingMs: limits.libraryMs }, () => isSilent);
  return {
    Client,
    writes: options.writes ?? watchWrites(options.health),
    openPool: (connectionString, max) => {
      const connectionTimeoutMillis = limits.readMs;
      const pool = new pg.Pool({
        connectionString,
        max,
        connectionTimeoutMillis,
        ...keepAlive,
        Client: LibraryClient,
      });
      // The call on a lost connection fails. An `error` event without a listener would end the process.
      pool.on('connect', (client) => client.on('error', () => undefined));
      pool.on('error', () => undefined);
      return pool;
    },
    isSilent: () => isSilent,
    refuseWhileSilent: () => {
      if (isSilent) throw new DatabaseSilence();
    },
    close: () => {
      clearInterval(timer);
      return probe.close();
    },
  };
}

/** Makes the class of watched connections: each notes when a call begins and ends. */
function watchedClient(lines: Set<Line>, limits: WatchLimits, isSilent: () => boolean): typeof pg.Client {
  type Ask = (query: string | WatchedQuery, values?: unknown, done?: unknown) => unknown;
  type Connect = (done?: (error: Error) => void) => Promise<pg.Client> | undefined;
  return class extends pg.Client {
    constructor(config?: string | pg.ClientConfig) {
      super(config);
      const line: Line = {
        client: this,
        isBusy: false,
        callCount: 0,
        limitMs: 0,
        seenCount: 0,
        waitedMs: 0,
        idleCount: 0,
      };
      lines.add(line);
      this.once('end', () => lines.delete(line));
      this.on('drain', () => {
        line.isBusy = false;
      });
      const ask = this.query.bind(this) as Ask;
      const askInTime: Ask = (query, values, done) => {
        line.isBusy = true;
        line.callCount += 1;
        line.limitMs = limitOf(query, limits);
        return ask(query, values, done);
      };
      this.query = askInTime as typeof this.query;
      const connect = this.connect.bind(this) as Connect;
      const connectUnlessSilent: Connect = (done) => {
        if (!isSilent()) return connect(done);
        lines.delete(line);
        const error = new DatabaseSilence();
        if (done === undefined) return Promise.reject(error);
        process.nextTick(done, error);
        return undefined;
      };
      this.connect = connectUnlessSilent as typeof this.connect;
    }
  };
}

function limitOf(query: string | WatchedQuery, { readMs, bookingMs }: WatchLimits): number {
  if (typeof query === 'string') return bookingMs;
  return query.limitMs ?? (query.isRead === true ? readMs : bookingMs);
}

/** Adds the time since the last tick to the call that a connection carries, and gives a late one up. */
function measure(line: Line, elapsedMs: number): void {
  if (!line.isBusy) return;
  if (line.seenCount !== line.callCount) {
    line.seenCount = line.callCount;
    line.waitedMs = 0;
    line.idleCount = 0;
    return;
  }
  line.waitedMs += elapsedMs;
  if (line.waitedMs >= line.limitMs)
    destroy(line, new CallGivenUp(`The call took longer than ${line.limitMs / 1_000} s.`));
}

/** The calls that wait for long, to ask the server about. A dead one's connection is destroyed, with the idle ones. */
function suspectsAmong(lines: Set<Line>): Suspect[] {
  return [...lines]
    .filter(({ isBusy, waitedMs }) => isBusy && waitedMs >= SUSPECT_AFTER_MS)
    .map((line) => {
      const { callCount } = line;
      return {
        client: line.client,
        found: (isWorking) => {
          if (!line.isBusy || line.callCount !== callCount) return;
          line.idleCount = isWorking ? 0 : line.idleCount + 1;
          if (line.idleCount < IDLE_COUNT_MAX) return;
          destroy(line, new CallGivenUp('The connection to the database is dead.'));
          for (const other of lines)
            if (!other.isBusy && other.client.getTransactionStatus() === 'I')
              destroy(other, new CallGivenUp('It may be dead too.'));
        },
      };
    });
}

function destroy({ client }: Line, error: CallGivenUp): void {
  streamOf(client).destroy(error);
}
