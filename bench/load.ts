import { json } from 'node:stream/consumers';
import { type Connection, openConnection } from './load-connection.ts';
import { isGoodAnswer, requestSource } from './load-requests.ts';
import type { LoadResult, LoadSpec } from './load-spec.ts';

/**
 * The load generator, a separate process that reads a specification and writes a result. It shares the machine's
 * cores with the program that it measures, so it does little work for each request.
 */
type Tally = { acknowledged: number; refused: Record<string, number>; latencies: number[]; measured: number };

/** The measured time starts after the warm-up and ends when no more requests are sent. */
type Window = { from: number; until: number };

function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

function tallyInto(tally: Tally, spec: LoadSpec, window: Window) {
  const isGood = isGoodAnswer(spec.requests);
  return (dueAt: number, status: number, bodyBytes: number) => {
    const now = performance.now();
    if (isGood(status, bodyBytes)) tally.acknowledged += 1;
    else tally.refused[status] = (tally.refused[status] ?? 0) + 1;
    if (now < window.from || now > window.until) return;
    tally.measured += 1;
    if (dueAt >= window.from) tally.latencies.push(now - dueAt);
  };
}

type Part = {
  connections: Connection[];
  next: ReturnType<typeof requestSource>;
  tell: ReturnType<typeof tallyInto>;
  window: Window;
};

/** Every connection sends the next request after each answer. */
async function askAtOnce({ connections, next, tell, window }: Part): Promise<void> {
  await Promise.all(
    connections.map(
      (connection, number) =>
        new Promise<void>((resolve) => {
          const ask = () => {
            const sentAt = performance.now();
            if (sentAt >= window.until) {
              resolve();
              return;
            }
            connection.ask(next(number), (status, bodyBytes) => {
              tell(sentAt, status, bodyBytes);
              ask();
            });
          };
          ask();
        }),
    ),
  );
}

/** Requests are due at a constant rate. One without a free connection waits, and its wait counts. */
function askAtRate({ connections, next, tell, window }: Part, ratePerSecond: number): Promise<void> {
  const free = connections.map((_, number) => number);
  const waiting: number[] = [];
  const gapMs = 1000 / ratePerSecond;
  let dueAt = performance.now();
  return new Promise((resolve) => {
    const send = () => {
      while (free.length > 0 && waiting.length > 0) {
        const number = free.shift() as number;
        const due = waiting.shift() as number;
        (connections[number] as Connection).ask(next(number), (status, bodyBytes) => {
          tell(due, status, bodyBytes);
          free.push(number);
          send();
        });
      }
    };
    const tick = () => {
      const now = performance.now();
      for (; dueAt <= now && dueAt < window.until; dueAt += gapMs) waiting.push(dueAt);
      send();
      if (now >= window.until && free.length === connections.length) resolve();
      else setTimeout(tick, 1);
    };
    tick();
  });
}

async function run(spec: LoadSpec): Promise<LoadResult> {
  const next = requestSource(spec);
  const connections = await Promise.all(
    Array.from({ length: spec.connections }, () => openConnection(spec.port)),
  );
  const from = performance.now() + spec.warmupSeconds * 1000;
  const window = { from, until: from + spec.seconds * 1000 };
  const tally: Tally = { acknowledged: 0, refused: {}, latencies: [], measured: 0 };
  const part = { connections, next, tell: tallyInto(tally, spec, window), window };
  if (spec.ratePerSecond === null) await askAtOnce(part);
  else await askAtRate(part, spec.ratePerSecond);
  for (const connection of connections) connection.close();
  const sorted = Float64Array.from(tally.latencies).sort();
  return {
    acknowledged: tally.acknowledged,
    refused: tally.refused,
    perSecond: tally.measured / spec.seconds,
    p50Ms: percentile(Array.from(sorted), 0.5),
    p99Ms: percentile(Array.from(sorted), 0.99),
  };
}

const spec = (await json(process.stdin)) as LoadSpec;
process.stdout.write(JSON.stringify(await run(spec)));
