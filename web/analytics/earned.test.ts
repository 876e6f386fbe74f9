import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newlyEarned, REMEMBERED_MAX } from './earned.ts';

const since = '2026-11-01T00:00:00.000Z';
const row = (id: string, over: Record<string, unknown> = {}) => ({
  id,
  kind: 'earning' as const,
  amount: '180',
  createdAt: '2026-11-02T00:00:00.000Z',
  provider: 'cpx',
  txId: `tx-${id}`,
  ...over,
});

test('counts an earning once, for the provider of its row', () => {
  const first = newlyEarned([row('2'), row('1')], [], since);
  assert.deepEqual(first.events, [
    { name: 'points_earned', provider: 'cpx', points: 180, transaction_id: 'cpx:tx-1' },
    { name: 'points_earned', provider: 'cpx', points: 180, transaction_id: 'cpx:tx-2' },
  ]);
  const again = newlyEarned([row('3', { provider: 'bitlabs' }), row('2'), row('1')], first.remembered, since);
  assert.deepEqual(
    again.events.map((event) => 'transaction_id' in event && event.transaction_id),
    ['bitlabs:tx-3'],
  );
});

test('counts the same transaction id of two providers twice', () => {
  const rows = [row('2', { txId: 'same', provider: 'bitlabs' }), row('1', { txId: 'same' })];
  assert.equal(newlyEarned(rows, [], since).events.length, 2);
});

test('counts nothing from before the consent or without a provider', () => {
  const rows = [
    row('4', { kind: 'reversal', amount: '-180' }),
    row('3', { kind: 'bonus' }),
    row('2', { kind: 'coinflip-prize' }),
    row('1', { createdAt: '2026-10-31T23:59:59.999Z' }),
  ];
  assert.deepEqual(newlyEarned(rows as never, [], since), { events: [], remembered: [] });
});

test('§1-7 analytics: remembers the last thousand transactions and drops the oldest', () => {
  const before = Array.from({ length: REMEMBERED_MAX }, (_, index) => `cpx:old-${index}`);
  const { remembered } = newlyEarned([row('1')], before, since);
  assert.equal(remembered.length, 1_000);
  assert.equal(remembered.at(-1), 'cpx:tx-1');
  assert.ok(!remembered.includes('cpx:old-0'));
});
