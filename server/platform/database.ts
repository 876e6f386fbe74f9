/**
 * PostgreSQL for everything above it: statements as values, a pool of connections, transactions.
 *
 * A statement is written with the `sql` tag. Its parts can only become parameters or other statements, so
 * text from outside never becomes SQL; it is prepared once per connection and named by its text.
 * Whole numbers of 64 bits arrive as `bigint`, dates as 'YYYY-MM-DD', times as `Date`, numeric as text.
 * A transaction is READ COMMITTED and ends in a checked COMMIT. It, and a statement on its own, is run again
 * when PostgreSQL broke it to end a deadlock. Only the files named `database*.ts` of this folder know the driver.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';

export type Sql = { readonly text: string; readonly values: readonly unknown[] };

export type Reader = {
  rows<Row>(statement: Sql): Promise<Row[]>;
  /** At most one row; more is a fault. */
  row<Row>(statement: Sql): Promise<Row | undefined>;
  /** Exactly one row; anything else is a fault. */
  one<Row>(statement: Sql): Promise<Row>;
};

export type Tx = Reader & { readonly isTransaction: true };

export type Database = Reader & {
  /** Runs `work` in one transaction. It may run up to five times, so it must have no effect outside of it. */
  transaction<T>(work: (tx: Tx) => Promise<T>): Promise<T>;
  close(): Promise<void>;
};

export type DatabaseOptions = {
  url: string;
  /** Shown in pg_stat_activity. */
  applicationName?: string;
  connectionsMax?: number;
  connectTimeoutMs?: number;
  /** How long an unused connection is kept; 0 for ever. */
  idleTimeoutMs?: number;
  statementTimeoutMs?: number;
  lockTimeoutMs?: number;
  idleInTransactionTimeoutMs?: number;
  /** Hears of connections that were lost; the pool replaces them by itself. */
  onError?: (error: Error) => void;
};

const ATTEMPTS_MAX = 5;
const SERIALIZATION_FAILURE = '40001';
const DEADLOCK = '40P01';

const INT8 = 20;
const INT8_ARRAY = 1016;
const DATE = 1082;
const DATE_ARRAY = 1182;

/** Marks what the tag made. Nothing from outside can carry it, and unlike a set of statements it keeps none alive. */
const isStatement = Symbol('statement');
const textsByStrings = new WeakMap<TemplateStringsArray, string>();
const namesByText = new Map<string, string>();

/** A statement: every `${value}` becomes a parameter, a nested statement becomes part of this one. */
export function sql(strings: TemplateStringsArray, ...values: unknown[]): Sql {
  if (values.some(isSql)) return splice(strings, values);
  let text = textsByStrings.get(strings);
  if (text === undefined) {
    text = strings.reduce((before, part, index) => `${before}$${index}${part}`);
    textsByStrings.set(strings, text);
  }
  return statement(text, values);
}

/** A value as the text of a JSON parameter, 64-bit numbers as decimal strings. Cast it: `${json(x)}::jsonb`. */
export function json(value: unknown): string {
  assert(value !== undefined, 'undefined has no JSON');
  return JSON.stringify(value, (_key, part) => (typeof part === 'bigint' ? part.toString() : part));
}

/** A statement from text that is fixed in the program or in a migration, never from input. */
export function sqlText(text: string): Sql {
  return statement(text, []);
}

/** A pool of connections. Nothing is connected until the first statement. */
export function openDatabase(options: DatabaseOptions): Database {
  const pool = new pg.Pool({
    connectionString: options.url,
    application_name: options.applicationName ?? 'earnest',
    max: options.connectionsMax ?? 10,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 5_000,
    idleTimeoutMillis: options.idleTimeoutMs ?? 60_000,
    statement_timeout: options.statementTimeoutMs ?? 10_000,
    lock_timeout: options.lockTimeoutMs ?? 5_000,
    idle_in_transaction_session_timeout: options.idleInTransactionTimeoutMs ?? 10_000,
    keepAlive: true,
    types: { getTypeParser: getTypeParser as typeof pg.types.getTypeParser },
  });
  // A connection may also be lost while a transaction holds it, and an error that nobody hears ends the process.
  pool.on('connect', (client) => client.on('error', (error) => options.onError?.(error)));
  pool.on('error', () => undefined);
  return {
    ...reader((query) => repeatIfBroken(() => pool.query(query))),
    transaction: (work) => repeatIfBroken(() => attemptTransaction(pool, work)),
    close: () => pool.end(),
  };
}

/** The five letters or digits by which PostgreSQL names what went wrong; undefined for other errors. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof pg.DatabaseError ? error.code : undefined;
}

/**
 * Whether the database could not be reached, went away, or gave up waiting: the caller did nothing wrong
 * and may try again (503). A write whose COMMIT was under way may or may not have happened.
 */
export function isDatabaseOutage(error: unknown): boolean {
  const state = sqlState(error);
  if (state !== undefined) return /^(08|53|57P0|57014|55P03|25P03|25006|40001|40P01)/.test(state);
  if (!(error instanceof Error)) return false;
  const code = (error as NodeJS.ErrnoException).code ?? '';
  return (
    /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH|EAI_AGAIN)$/.test(code) ||
    /^(Connection terminated|timeout exceeded when trying to connect|Client has encountered)/.test(
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

function nameOf(text: string): string {
  let name = namesByText.get(text);
  if (name === undefined) {
    name = createHash('sha256').update(text).digest('base64url').slice(0, 22);
    namesByText.set(text, name);
  }
  return name;
}

/** The driver sends undefined as NULL, which hides a forgotten value. */
function assertDefined(values: readonly unknown[], text: string): void {
  for (const value of values) {
    assert(value !== undefined, `A parameter is undefined in: ${text}`);
    if (Array.isArray(value)) assertDefined(value, text);
  }
}

function reader(run: (query: pg.QueryConfig) => Promise<pg.QueryResult>): Reader {
  const rows = async <Row>({ text, values }: Sql): Promise<Row[]> => {
    assertDefined(values, text);
    const result = await run({ name: nameOf(text), text, values: values as unknown[] });
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

/** What PostgreSQL broke to end a deadlock or a conflict was rolled back as a whole, and may be run again. */
async function repeatIfBroken<T>(work: () => Promise<T>): Promise<T> {
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

async function attemptTransaction<T>(pool: pg.Pool, work: (tx: Tx) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let isOpen = true;
  const inner = reader((query) => client.query(query));
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
    // After a swallowed error COMMIT resolves and its tag says ROLLBACK: the work is gone.
    const { command } = await client.query('COMMIT');
    assert(command === 'COMMIT', `The transaction ended in ${command}: an error in it was swallowed`);
    client.release();
    return result;
  } catch (error) {
    isOpen = false;
    await rollBack(client);
    throw error;
  }
}

/** A connection that cannot roll back is closed, which rolls back too. */
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
