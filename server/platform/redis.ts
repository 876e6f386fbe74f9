import type { Log } from './log.ts';

/**
 * A connection to Redis or Valkey. Redis is a convenience: no caller waits for it longer than 300 ms. After a command
 * failed, every other one fails at once, until a probe is answered again. The connection is made anew by itself, also
 * when it is silent instead of closed, when its server became read-only, which after a failover is no longer the one
 * that the address leads to, and also when Redis was away at the start.
 */
const COMMAND_MS_MAX = 300;
const PROBED_EVERY_MS = 500;
/** A connection without any byte in this time is made anew. */
const SILENT_MS_MAX = 3_000;
const RECONNECT_MS_FIRST = 50;
const RECONNECT_MS_MAX = 1_000;
/** The first word of the error of a server that takes no writes, because it is a replica. */
const READ_ONLY = /^READONLY /;

/** Loads the client only if Redis is used, because it takes a tenth of an idle node's memory. */
const createClient = async (url: string, silentMsMax: number) =>
  (await import('redis')).createClient({
    url,
    disableOfflineQueue: true,
    socket: {
      connectTimeout: silentMsMax,
      socketTimeout: silentMsMax,
      reconnectStrategy: (retries) => Math.min(RECONNECT_MS_FIRST * 2 ** retries, RECONNECT_MS_MAX),
    },
  });
export type RedisClient = Awaited<ReturnType<typeof createClient>>;

export type RedisConnection = {
  isAnswering(): boolean;
  /** Runs a command. @throws Error after 300 ms; at once while Redis does not answer */
  ask<T>(command: (client: RedisClient) => Promise<T>): Promise<T>;
  /** Becomes true with the first answer, and false if none came within `waitMs`. */
  start(waitMs: number): Promise<boolean>;
  close(): Promise<void>;
};

export type RedisOptions = {
  /** A command whose success shows that Redis serves this connection. Runs again and again while the node lives. */
  probe: (client: RedisClient) => Promise<unknown>;
  /** Called when Redis begins to answer, and with the reason when it stops. */
  onChange: (isAnswering: boolean, reason?: Error) => void;
  log: Log;
  silentMsMax?: number;
};

export async function openRedis(
  url: string,
  { probe, onChange, log, silentMsMax = SILENT_MS_MAX }: RedisOptions,
): Promise<RedisConnection> {
  const client = await createClient(url, silentMsMax);
  let isAnswering: boolean | undefined;
  let isProbing = false;
  let connectedAtMs = 0;

  const change = (next: boolean, reason?: Error) => {
    if (isAnswering === next) return;
    isAnswering = next;
    onChange(next, reason);
  };
  const connect = () => {
    connectedAtMs = performance.now();
    client.connect().catch((error: Error) => log.debug({ error }, 'the connection to Redis was closed'));
  };
  /** The client subscribes again by itself. */
  const connectAnew = () => {
    if (performance.now() - connectedAtMs < RECONNECT_MS_MAX) return;
    client.destroy();
    connect();
  };
  const look = async () => {
    if (isProbing || !client.isReady) return;
    isProbing = true;
    const answer = probe(client);
    try {
      await withinTime(answer);
      change(true);
    } catch (error) {
      change(false, error as Error);
      if (READ_ONLY.test((error as Error).message)) connectAnew();
    }
    // While one probe is unanswered no other is written: a written byte would count as life of a dead connection.
    await answer.catch((error: Error) => log.debug({ error }, 'a probe of Redis failed'));
    isProbing = false;
  };
  client.on('ready', () => void look());
  client.on('error', (error: Error) => change(false, error));
  const timer = setInterval(() => void look(), PROBED_EVERY_MS).unref();

  return {
    isAnswering: () => isAnswering === true,
    ask: async (command) => {
      if (isAnswering !== true) throw new Error('Redis does not answer');
      try {
        return await withinTime(command(client));
      } catch (error) {
        change(false, error as Error);
        throw error;
      }
    },
    start: async (waitMs) => {
      connect();
      const deadlineMs = performance.now() + waitMs;
      while (isAnswering === undefined && performance.now() < deadlineMs)
        await new Promise((done) => setTimeout(done, 5));
      if (isAnswering === undefined) change(false, new Error('Redis did not answer at the start'));
      return isAnswering === true;
    },
    close: async () => {
      clearInterval(timer);
      // A silent Redis must not delay the end of the process.
      await withinTime(client.close()).catch(() => client.destroy());
    },
  };
}

/** Asks Redis once, on a connection of its own. Returns why it does not serve; undefined if it does. */
export async function findRedisFault(url: string, log: Log): Promise<string | undefined> {
  let reason: Error | undefined;
  const connection = await openRedis(url, {
    probe: (client) => client.set('earnest:probe', '', { expiration: { type: 'EX', value: 60 } }),
    onChange: (_isAnswering, given) => {
      reason = given;
    },
    log,
  });
  const isAnswering = await connection.start(SILENT_MS_MAX);
  await connection.close();
  return isAnswering ? undefined : reason?.message || 'Redis does not answer';
}

/** The answer of a command, or an error after 300 ms. */
function withinTime<T>(answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timeOut = () => reject(new Error(`Redis did not answer within ${COMMAND_MS_MAX} ms`));
    // An answer that came while this process was busy is read before the immediate runs.
    const timer = setTimeout(() => setImmediate(timeOut), COMMAND_MS_MAX);
    answer.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** The commands of `rate-limiter-flexible` on this connection, each within its time, on keys with a prefix. */
export const countingClient = ({ isAnswering, ask }: RedisConnection, prefix: string) => ({
  get isReady(): boolean {
    return isAnswering();
  },
  eval: (script: string, { keys, arguments: values }: { keys: string[]; arguments: string[] }) =>
    ask((client) =>
      client.sendCommand([
        'EVAL',
        script,
        String(keys.length),
        ...keys.map((key) => prefix + key),
        ...values,
      ]),
    ),
  del: (key: string) => ask((client) => client.del(prefix + key)),
  multi: () => commandsAtOnce(ask, prefix),
});
export type CountingClient = ReturnType<typeof countingClient>;

/** Commands that run together. They are collected first, and sent by `exec`. */
function commandsAtOnce(ask: RedisConnection['ask'], prefix: string) {
  const steps: ((multi: ReturnType<RedisClient['multi']>) => void)[] = [];
  const collected = {
    get: (key: string) => {
      steps.push((multi) => multi.get(prefix + key));
      return collected;
    },
    pTTL: (key: string) => {
      steps.push((multi) => multi.pTTL(prefix + key));
      return collected;
    },
    exec: () =>
      ask((client) => {
        const multi = client.multi();
        for (const step of steps) step(multi);
        return multi.exec();
      }),
  };
  return collected;
}
