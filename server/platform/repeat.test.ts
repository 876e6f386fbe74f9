import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pino } from 'pino';
import { createHealth } from './health.ts';
import { repeat } from './repeat.ts';

function partsWith(lines: string[]) {
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  return { log, health: createHealth(log) };
}

it('reports a failure, continues, and never runs its work twice at the same time', async () => {
  const closing = new AbortController();
  const lines: string[] = [];
  const parts = partsWith(lines);
  let turns = 0;
  let atOnce = 0;
  await repeat(parts, closing.signal, {
    name: 'clock',
    everyMs: 1,
    work: async () => {
      turns += 1;
      atOnce += 1;
      assert.equal(atOnce, 1);
      await sleep(5);
      atOnce -= 1;
      if (turns === 3) assert.equal(parts.health.troubles()[0]?.trouble, 'The last turn failed: once');
      if (turns === 2) throw new Error('once');
      if (turns === 4) closing.abort();
    },
  });
  assert.equal(turns, 4);
  assert.deepEqual(parts.health.troubles(), []);
  const failures = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'a sweep failed');
  assert.deepEqual(
    failures.map(({ sweep }) => sweep),
    ['clock'],
  );
});

it('gives up a turn that does not finish in its time, reports it and starts the next one', async () => {
  const closing = new AbortController();
  const lines: string[] = [];
  const parts = partsWith(lines);
  let turns = 0;
  const told: string[] = [];
  await repeat(parts, closing.signal, {
    name: 'rails',
    everyMs: 1,
    timeMsMax: 20,
    work: async (signal) => {
      turns += 1;
      if (turns === 1) {
        signal.addEventListener('abort', () => told.push('abort'));
        await new Promise(() => undefined);
      }
      told.push(parts.health.troubles()[0]?.trouble ?? '');
      closing.abort();
    },
  });
  assert.deepEqual(told, ['abort', 'The last turn failed: it did not finish within 0.02 s']);
  assert.deepEqual(parts.health.troubles(), [], 'the next turn finished');
});

it('finishes running work at the abort, and ends a pause at once', async () => {
  const closing = new AbortController();
  const parts = partsWith([]);
  let finished = 0;
  const everyMs = 3_600_000;
  const loop = repeat(parts, closing.signal, {
    name: 'rates',
    everyMs,
    work: async () => {
      await sleep(20);
      finished += 1;
    },
  });
  closing.abort();
  await loop;
  assert.equal(finished, 1);

  const paused = new AbortController();
  await repeat(parts, paused.signal, {
    name: 'nodes',
    everyMs,
    work: async () => {
      setTimeout(() => paused.abort(), 5);
    },
  });
});
