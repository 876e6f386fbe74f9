/**
 * Asks the database all the time whether it is there, on a connection of its own. When an answer does not come, it asks
 * on a new connection too, so that one dead connection is not taken for a dead database.
 */
import pg from 'pg';

/** A connection whose call has waited for long. */
export type Suspect = {
  client: pg.Client;
  /** Called with whether the server works at the call. */
  found(isWorking: boolean): void;
};

export type Probe = {
  /** Asks again if the last question was answered. `suspects` are asked about where the server can tell. */
  tick(elapsedMs: number, suspects: readonly Suspect[]): void;
  /** The time since the last answer. */
  silentMs(): number;
  close(): Promise<void>;
};

type Attempt = { client: pg.Client; waitedMs: number };

/** For every lasting connection: the kernel finds a dead one that nobody uses, and no firewall forgets a quiet one. */
export const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 };

/** A new connection is opened beside one that has not answered for this long. */
const DOUBTED_AFTER_MS = 1_000;
const GIVEN_UP_AFTER_MS = 2_000;
/** The error of a server that has no connection left. It is an answer. */
const TOO_MANY_CONNECTIONS = '53300';

const QUESTION = 'select pg_backend_pid() as pid';
/** A process that waits for its client works at nothing. One that may not be seen has no state. */
const WORKING = `
  select pid from pg_stat_activity where pid = any($1::integer[]) and coalesce(state not like 'idle%', true)`;

export function createProbe(url: string): Probe {
  let connected: pg.Client | undefined;
  let attempts: Attempt[] = [];
  let silentMs = 0;

  const drop = (attempt: Attempt) => {
    attempts = attempts.filter((other) => other !== attempt);
    if (connected === attempt.client) connected = undefined;
    streamOf(attempt.client).destroy();
  };
  const open = () => {
    const client = new pg.Client({
      connectionString: url,
      application_name: 'earnest probe',
      ...keepAlive,
    });
    // A lost connection fails its question. Between questions the next one finds it out.
    client.on('error', () => undefined);
    return client;
  };
  const ask = async (client: pg.Client, suspects: readonly Suspect[]) => {
    const attempt = { client, waitedMs: 0 };
    attempts.push(attempt);
    try {
      if (client !== connected) await client.connect();
      await question(client, suspects);
      if (!attempts.includes(attempt)) return;
      silentMs = 0;
      connected = client;
      attempts = attempts.filter((other) => other !== attempt);
      for (const other of attempts) drop(other);
    } catch (error) {
      if (error instanceof pg.DatabaseError && error.code === TOO_MANY_CONNECTIONS) silentMs = 0;
      drop(attempt);
    }
  };
  return {
    tick: (elapsedMs, suspects) => {
      silentMs += elapsedMs;
      for (const attempt of attempts) {
        attempt.waitedMs += elapsedMs;
        if (attempt.waitedMs >= GIVEN_UP_AFTER_MS) drop(attempt);
      }
      if (attempts.length === 0) void ask(connected ?? open(), suspects);
      else if (attempts.length === 1 && (attempts[0]?.waitedMs ?? 0) >= DOUBTED_AFTER_MS)
        void ask(open(), []);
    },
    silentMs: () => silentMs,
    close: async () => {
      for (const attempt of attempts) drop(attempt);
      await connected?.end();
    },
  };
}

async function question(client: pg.Client, suspects: readonly Suspect[]): Promise<void> {
  const { rows } = await client.query<{ pid: number }>(QUESTION);
  // Behind a pooler a connection has no process of its own, so the server can't tell.
  if (suspects.length === 0 || rows[0]?.pid !== processOf(client)) return;
  const working = await client.query<{ pid: number }>(WORKING, [
    suspects.map((suspect) => processOf(suspect.client)),
  ]);
  const pids = new Set(working.rows.map(({ pid }) => pid));
  for (const suspect of suspects) suspect.found(pids.has(processOf(suspect.client)));
}

/** The number of the server's process, as the server named it when the connection opened. */
const processOf = (client: pg.Client): number => (client as unknown as { processID: number }).processID;

/** The driver names its socket in no type. To end it is the only way to free a call that waits for an answer. */
export const streamOf = (client: pg.Client): { destroy(error?: Error): void } =>
  (client as unknown as { connection: { stream: { destroy(error?: Error): void } } }).connection.stream;
