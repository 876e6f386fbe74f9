import assert from 'node:assert/strict';
import { test } from 'node:test';
import { targetOf, throttled } from './entries.ts';

test('§1-9 behaviour: passes the first call at once and one in each interval, without delay', () => {
  let now = 0;
  const seen: number[] = [];
  const act = throttled<number>(
    500,
    (value) => seen.push(value),
    () => now,
  );
  for (now = 0; now <= 2_000; now += 100) act(now);
  assert.deepEqual(seen, [0, 500, 1_000, 1_500, 2_000]);
});

test('names a clicked element by its kind, without its text or value', () => {
  const button = {
    tagName: 'BUTTON',
    id: 'send',
    textContent: 'secret',
    value: 'typed',
    getAttribute: (name: string) => (name === 'role' ? 'tab' : 'secret'),
    closest: () => button,
  };
  assert.equal(targetOf(button), 'button[tab]#send');
  assert.equal(targetOf(null), null);
  assert.equal(targetOf({}), null);
});
