import assert from 'node:assert/strict';
import { test } from 'node:test';
import { averagesOf, type ListingSort, sorted } from './listing-order.ts';

const entry = (name: string, day: number, reward: string, minutes: number) => ({
  name,
  createdAt: `2026-11-${day}T09:00:00.000Z`,
  reward,
  minutes,
});
const listings = [
  entry('middle', 12, '9007199254740993', 10),
  entry('old', 11, '80', 2),
  entry('new', 13, '9007199254740992', 10),
];
const names = (sort: ListingSort) => sorted(listings, sort).map(({ name }) => name);

test('keeps the operators’ order, or sorts by age, by exact reward and by minutes', () => {
  assert.deepEqual(names('recommended'), ['middle', 'old', 'new']);
  assert.deepEqual(names('newest'), ['new', 'middle', 'old']);
  assert.deepEqual(names('reward'), ['middle', 'new', 'old']);
  assert.deepEqual(names('quickest'), ['old', 'middle', 'new']);
});

test('rounds averages to whole numbers, and has none for an empty list', () => {
  assert.deepEqual(averagesOf([entry('a', 11, '100', 5), entry('b', 11, '75', 10)]), {
    minutes: 8,
    reward: 87n,
  });
  assert.equal(averagesOf([]), null);
});
