import assert from 'node:assert/strict';
import { it } from 'node:test';
import { pino } from 'pino';
import { repeat } from './repeat.ts';

it('logs a failure, continues, and never runs its work twice at the same time', async () => {
  const closing = new AbortController();
  const lines: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void lines.push(line) });
  let turns = 0;
  let atOnce = 0;
  await repeat(closing.signal, 1, log, 'the work failed', async () => {
    turns += 1;
    atOnce += 1;
    assert.equal(atOnce, 1);
    await new Promise((done) => setTimeout(done, 5));
    atOnce -= 1;
    if (turns === 2) throw new Error('once');
    if (turns === 4) closing.abort();
  });
  assert.equal(turns, 4);
  assert.equal(lines.length, 1);
  assert.match(lines[0] ?? '', /the work failed/);
});

it('finishes running work at the abort, and ends a pause at once', async () => {
  const closing = new AbortController();
  const log = pino({ level: 'silent' });
  let finished = 0;
  const loop = repeat(closing.signal, 3_600_000, log, 'the work failed', async () => {
    await new Promise((done) => setTimeout(done, 20));
    finished += 1;
  });
  closing.abort();
  await loop;
  assert.equal(finished, 1);

  const paused = new AbortController();
  const other = repeat(paused.signal, 3_600_000, log, 'the work failed', async () => {
    setTimeout(() => paused.abort(), 5);
  });
  await other;
});
