import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Activity, activityStatusOf } from './activity-status.ts';

const openedAt = '2026-11-20T09:00:00.000Z';
const line = (state: Activity['state'], arrivesWithinHours: number | null = 24): Activity => ({
  id: '1',
  provider: 'cpx',
  state,
  amount: '0',
  openedAt,
  updatedAt: openedAt,
  arrivesWithinHours,
});
const after = (hours: number) => Date.parse(openedAt) + hours * 3_600_000;

test('shows an opened wall as waiting for its provider’s usual time', () => {
  assert.equal(activityStatusOf(line('opened'), after(24)), 'waiting');
  assert.equal(activityStatusOf(line('opened'), after(25)), 'nothing');
  assert.equal(activityStatusOf(line('opened', 72), after(25)), 'waiting');
  assert.equal(activityStatusOf(line('opened', 72), after(73)), 'nothing');
  assert.equal(activityStatusOf(line('opened', null), after(10_000)), 'waiting');
});

test('keeps the state that the provider reported, at any age', () => {
  assert.equal(activityStatusOf(line('pending'), after(1_000)), 'held');
  assert.equal(activityStatusOf(line('credited'), after(1_000)), 'credited');
  assert.equal(activityStatusOf(line('reversed'), after(1_000)), 'reversed');
});
