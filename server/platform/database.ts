/**
 * Access to PostgreSQL: statements as values, a pool of connections, transactions.
 *
 * A statement is written with the `sql` tag. Each `${value}` becomes a parameter or a nested statement, so input never
 * becomes SQL. A statement is prepared once per connection under a name made from its text, unless the URL says that
 * names get lost. Time limits and other settings belong to the roles (`database-sessions.ts`). 64-bit integers are read
 * as `bigint`, dates as 'YYYY-MM-DD', times as `Date`, numeric as text. A transaction is READ COMMITTED and ends in a
 * checked COMMIT. Transactions and single statements that PostgreSQL aborts because of a deadlock run again. Only the
 * files `database*.ts` of this folder import the driver.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { keepAlive } from './database-probe.ts';
import { CallGivenUp } from './database-silence.ts';
import type { DatabaseWatch, WatchedQuery } from './database-watch.ts';

export type Sql = { readonly text: string; readonly values: readonly unknown[] };

export type Reader = {
  rows<Row>(statement: Sql): Promise<Row[]>;
  /** Reads at most one row. Throws if there are more. */
  row<Row>(statement: Sql): Promise<Row | undefined>;
  /** Reads exactly one row. Throws if there is none or more than one. */
  one<Row>(statement: Sql): Promise<Row>;
};

export type Tx = Reader & { readonly isTransaction: true };

export type Database = Reader & {
  /** Runs `work` in one transaction. `work` may run up to five times, so it must have no effect outside of it. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  /** Reads that may take a minute: the pages of exports, and audits. Others share the connections of the pool. */
  patient: Reader;
  /** Whether the database has not answered for 2 seconds. Always false without a watch. */
  isSilent(): boolean;
  /** The connections in use and unused, and the calls that wait for one. */
  connectionCounts(): { used: number; unused: number; waiting: number };
  close(): Promise<void>;
};

export type DatabaseOptions = {
  url: string;
  /** Shown in pg_stat_activity. */
  applicationName?: string;
  connectionsMax?: number;
  connectTimeoutMs?: number;
  /** The time after which an unused connection is closed; 0 for never. */
  idleTimeoutMs?: number;
  /** The time after which a connection without an answer is given up, measured here; none by default. */
  answerTimeoutMs?: number;
  /** The longest time of a statement of `patient`; 60 s by default. */
  patientMs?: number;
  /** Limits the time of every call. The site's pools have one; short-lived pools need none. */
  watch?: DatabaseWatch;
  /** Called when a connection is lost. The pool replaces the connection. */
  onError?: (error: Error) => void;
};

/** The longest wait for a connection, where calls are watched. */
const ACQUIRED_MS_MAX = 2_000;
const PATIENT_MS_MAX = 60_000;
const ATTEMPTS_MAX = 5;
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK = '40P01';

const INT8 = 20;
const INT8_ARRAY = 1016;
const DATE = 1082;
const DATE_ARRAY = 1182;

/** Marks statements made by the tag. Parsed input can't hold a symbol, so it is never taken for a statement. */
const isStatement = Symbol('statement');
const textsByStrings = new WeakMap<TemplateStringsArray, string>();
/** What is known of each statement's text: its name for the server, and whether it only reads. */
const kindsByText = new Map<string, { name: string; isRead: boolean }>();

/** Makes a statement. Each `${value}` becomes a parameter; a nested statement becomes part of this one. */
export function sql(strings: TemplateStringsArray, ...values: unknown[]): Sql {
  if (values.some(isSql)) return splice(strings, values);
  let text = textsByStrings.get(strings);
  if (text === undefined) {
    text = strings.reduce((before, part, index) => `${before}$${index}${part}`);
    textsByStrings.set(strings, text);
  }
  return statement(text, values);
}

/** Writes a value as JSON for a parameter, 64-bit integers as decimal strings. Cast it: `${json(x)}::jsonb`. */
export function json(value: unknown): string {
  assert(value !== undefined, 'undefined has no JSON');
  return JSON.stringify(value, (_key, part) => (typeof part === 'bigint' ? part.toString() : part));
}

/** Makes a statement from text of the program or of a migration. Never pass it input. */
export function sqlText(text: string): Sql {
  return statement(text, []);
}

/** Makes a pool of connections. It connects at the first statement. */
export function openDatabase(options: DatabaseOptions): Database {
  const { watch } = options;
  const pool = new pg.Pool({
    connectionString: options.url,
    application_name: options.applicationName ?? 'earnest',
    max: options.connectionsMax ?? 10,
    connectionTimeoutMillis: options.connectTimeoutMs ?? (watch === undefined ? 5_000 : ACQUIRED_MS_MAX),
    idleTimeoutMillis: options.idleTimeoutMs ?? 60_000,
    ...keepAlive,
    ...(options.answerTimeoutMs === undefined ? {} : { query_timeout: options.answerTimeoutMs }),
    types: { getTypeParser: getTypeParser as typeof pg.types.getTypeParser },
    ...(watch === undefined ? {} : { Client: watch.Client }),
  });
  // A connection can also be lost during a transaction. An `error` event without a listener ends the process.
  pool.on('connect', (client) => client.on('error', (error) => options.onError?.(error)));
  pool.on('error', () => undefined);
  const isNamed = new URL(options.url).searchParams.get(STATEMENTS) !== UNNAMED;
  return {
    ...reader((query) => {
      watch?.refuseWhileSilent();
      return repeatIfRolledBack(() => noteWrite(watch, query, pool.query(query)));
    }, isNamed),
    transaction: async (work) => {
      watch?.refuseWhileSilent();
      return repeatIfRolledBack(() => attemptTransaction(pool, work, { isNamed, watch }));
    },
    patient: reader((query) => {
      watch?.refuseWhileSilent();
      return repeatIfRolledBack(() => readPatiently(pool, query, options.patientMs ?? PATIENT_MS_MAX));
    }, isNamed),
    isSilent: () => watch?.isSilent() ?? false,
    connectionCounts: () => ({
      used: pool.totalCount - pool.idleCount,
      unused: pool.idleCount,
      // A call is queued for a moment also while connections are unused.
      waiting: Math.max(0, pool.waitingCount - pool.idleCount),
    }),
    close: () => pool.end(),
  };
}

/** The parameter of a URL that says how statements are prepared. The driver passes it to nobody. */
const STATEMENTS = 'statements';
const UNNAMED = 'unnamed';

/** The URL for a server behind a pooler that does not keep the names of prepared statements. */
export function withUnnamedStatements(url: string): string {
  const changed = new URL(url);
  changed.searchParams.set(STATEMENTS, UNNAMED);
  return changed.href;
}

/** PostgreSQL's five-character error code (SQLSTATE); undefined for other errors. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/**
 * Whether the database could not be reached, closed the connection or timed out. The call was valid and can be retried
 * (503). If COMMIT had been sent, the write may or may not have happened.
 */
export function isDatabaseOutage(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== undefined) return /^(08|53|57P0|57014|55P03|25P03|25006|40001|40P01)/.test(state);
  if (!(error instanceof Error)) return false;
  if (error instanceof CallGivenUp) return true;
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return (
    /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH|EAI_AGAIN)$/.test(code) ||
    /^(Connection terminated|timeout (expired|exceeded when)|Query read timeout|Client has encountered)/.test(
      error.message,
    )
  );
}

function isSql(value: unknown): value is Sql {
  return typeof value === 'object' && value !== null && isStatement in value;
}

function statement(text: string, values: readonly unknown[]): Sql {
  return { text, values, [isStatement]: true } as Sql;
}

function splice(strings: TemplateStringsArray, parts: readonly unknown[]): Sql {
  const values: unknown[] = [];
  let text = strings[0] ?? '';
  parts.forEach((part, index) => {
    if (isSql(part)) {
      const offset = values.length;
      text += part.text.replace(/\$(\d+)/g, (_match, number) => `$${Number(number) + offset}`);
      values.push(...part.values);
    } else {
      values.push(part);
      text += `$${values.length}`;
    }
    text += strings[index + 1] ?? '';
  });
  return statement(text, values);
}

function kindOf(text: string): { name: string; isRead: boolean } {
  let kind = kindsByText.get(text);
  if (kind === undefined) {
    const name = createHash('sha256').update(text).digest('base64url').slice(0, 22);
    kind = { name, isRead: isRead(text) };
    kindsByText.set(text, kind);
  }
  return kind;
}

/**
 * Whether a statement only reads: it has no word of a change, and of functions in schemas it calls only those of the
 * clock and those named `read_`, `find_` or `is_`, which change nothing.
 */
export function isRead(text: string): boolean {
  if (/\b(insert|update|delete|merge|call|share)\b/i.test(text)) return false;
  const calls = text.matchAll(/\b([a-z_]+\.[a-z_]+)\s*\(/gi);
  return [...calls].every(([, name = '']) => /^platform\.(business|site|day)_|\.(read|find|is)_/.test(name));
}

/** Refuses undefined, because the driver would send it as NULL and hide a forgotten value. */
function assertDefined(values: readonly unknown[], text: string): void {
  for (const value of values) {
    assert(value !== undefined, `A parameter is undefined in: ${text}`);
    if (Array.isArray(value)) assertDefined(value, text);
  }
}

type Run = (query: pg.QueryConfig & WatchedQuery) => Promise<pg.QueryResult>;

function reader(run: Run, isNamed: boolean): Reader {
  const rows = async <Row>({ text, values }: Sql): Promise<Row[]> => {
    assertDefined(values, text);
    const { name, isRead } = kindOf(text);
    const query = { text, values: values as unknown[], isRead };
    const result = await run(isNamed ? { name, ...query } : query);
    return result.rows;
  };
  return {
    rows,
    async row<Row>(wanted: Sql) {
      const found = await rows<Row>(wanted);
      assert(found.length <= 1, `At most one row expected, ${found.length} found: ${wanted.text}`);
      return found[0];
    },
    async one<Row>(wanted: Sql) {
      const found = await rows<Row>(wanted);
      assert(found.length === 1, `One row expected, ${found.length} found: ${wanted.text}`);
      return found[0] as Row;
    },
  };
}

/** Runs work again that PostgreSQL rolled back because of a deadlock or a serialization failure. */
async function repeatIfRolledBack<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const state = sqlState(error);
      const isWorthRepeating = state === SERIALIZATION_FAILURE || state === DEADLOCK;
      if (!isWorthRepeating || attempt === ATTEMPTS_MAX) throw error;
      await sleep(Math.random() * 10 * 2 ** attempt);
    }
  }
}

/** Tells the watch how a statement outside of transactions ended, unless it only reads. */
async function noteWrite(
  watch: DatabaseWatch | undefined,
  query: WatchedQuery,
  answer: Promise<pg.QueryResult>,
): Promise<pg.QueryResult> {
  if (watch === undefined || query.isRead === true) return answer;
  try {
    const result = await answer;
    if (result.rowCount !== 0) watch.writes.succeeded();
    return result;
  } catch (error) {
    watch.writes.failed(error);
    throw error;
  }
}

async function attemptTransaction<T>(
  pool: pg.Pool,
  work: (tx: Tx) => Promise<T>,
  { isNamed, watch }: { isNamed: boolean; watch: DatabaseWatch | undefined },
): Promise<T> {
  try {
    const { result, hasWritten } = await attempt(pool, work, isNamed);
    if (hasWritten) watch?.writes.succeeded();
    return result;
  } catch (error) {
    watch?.writes.failed(error);
    throw error;
  }
}

async function attempt<T>(
  pool: pg.Pool,
  work: (tx: Tx) => Promise<T>,
  isNamed: boolean,
): Promise<{ result: T; hasWritten: boolean }> {
  const client = await pool.connect();
  let isOpen = true;
  let hasWritten = false;
  // A transaction's statements may wait for each other's locks, so each has the time of a booking.
  const inner = reader(async (query) => {
    const { isRead } = query;
    const result = await client.query(Object.assign(query, { isRead: false }));
    hasWritten ||= isRead !== true && result.rowCount !== 0;
    return result;
  }, isNamed);
  const tx: Tx = {
    isTransaction: true,
    rows: async <Row>(wanted: Sql) => inner.rows<Row>(assertOpen(wanted)),
    row: async <Row>(wanted: Sql) => inner.row<Row>(assertOpen(wanted)),
    one: async <Row>(wanted: Sql) => inner.one<Row>(assertOpen(wanted)),
  };
  function assertOpen(wanted: Sql): Sql {
    assert(isOpen, `The transaction is over; a call was not awaited: ${wanted.text}`);
    return wanted;
  }
  try {
    await client.query('BEGIN ISOLATION LEVEL READ COMMITTED');
    const result = await work(tx);
    isOpen = false;
    // If `work` swallowed an error, COMMIT succeeds with the tag ROLLBACK and nothing was written.
    const { command } = await client.query('COMMIT');
    assert(command === 'COMMIT', `The transaction ended in ${command}: an error in it was swallowed`);
    client.release();
    return { result, hasWritten };
  } catch (error) {
    isOpen = false;
    await rollBack(client);
    throw error;
  }
}

/** Runs one read with a time limit of its own. Behind a pooler only a transaction keeps a setting. */
async function readPatiently(
  pool: pg.Pool,
  query: pg.QueryConfig & WatchedQuery,
  limitMs: number,
): Promise<pg.QueryResult> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN READ ONLY');
    await client.query(`SET LOCAL statement_timeout = ${limitMs}`);
    const result = await client.query(Object.assign(query, { limitMs }));
    await client.query('COMMIT');
    client.release();
    return result;
  } catch (error) {
    await rollBack(client);
    throw error;
  }
}

/** Rolls back. If that fails, closes the connection, which also rolls back. */
async function rollBack(client: pg.PoolClient): Promise<void> {
  try {
    await client.query('ROLLBACK');
    client.release();
  } catch (error) {
    client.release(error instanceof Error ? error : true);
  }
}

function getTypeParser(typeId: number, format: 'text' | 'binary' = 'text'): unknown {
  if (format === 'text') {
    if (typeId === INT8) return BigInt;
    if (typeId === DATE) return String;
    if (typeId === INT8_ARRAY) return (text: string) => arrayItems(text).map(BigInt);
    if (typeId === DATE_ARRAY) return arrayItems;
  }
  return pg.types.getTypeParser(typeId, format as 'text');
}

function arrayItems(text: string): string[] {
  return text === '{}' ? [] : text.slice(1, -1).split(',');
}
