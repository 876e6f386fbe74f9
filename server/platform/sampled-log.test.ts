import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sampleLines } from './sampled-log.ts';

it('writes the first lines of each kind in a minute, then the number of the others', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const lines: Record<string, unknown>[] = [];
  const line = sampleLines((fields) => lines.push(fields));
  for (let call = 1; call <= 1_000; call += 1) line('a', () => ({ call }));
  line('b', () => ({ call: 'b' }));
  assert.deepEqual(lines, [
    ...Array.from({ length: 20 }, (_, index) => ({ call: index + 1 })),
    { call: 'b' },
  ]);
  t.mock.timers.tick(60_000);
  assert.deepEqual(lines.slice(21), [{ kind: 'a', suppressed: 980 }]);
  line('a', () => ({ call: 'again' }));
  assert.deepEqual(lines.at(-1), { call: 'again' });
  t.mock.timers.tick(60_000);
  assert.equal(lines.length, 23);
});
