import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answerDayOf, isLate, isNews } from './claim-days.ts';

const HOUR_MS = 3_600_000;
const askedAt = '2026-11-18T09:00:00.000Z';
const after = (hours: number) => Date.parse(askedAt) + hours * HOUR_MS;

test('a claim’s clock: counts the days of the provider’s answer, and says when they are over', () => {
  const dayAfter = (hours: number) => answerDayOf({ state: 'asked', askedAt }, after(hours));
  assert.deepEqual([0, 23, 24, 49, 167, 168, 400].map(dayAfter), [1, 1, 2, 3, 7, 8, 8]);
  assert.equal(dayAfter(-1), 1, 'a clock that is a little behind');
  assert.equal(answerDayOf({ state: 'filed', askedAt: null }, after(1)), null);
  assert.equal(answerDayOf({ state: 'booked', askedAt }, after(1)), null);
});

test('a claim’s clock: is late after the time of the next step, while the claim is open', () => {
  const claim = { state: 'filed', dueAt: askedAt } as const;
  assert.deepEqual([isLate(claim, after(-1)), isLate(claim, after(1))], [false, true]);
  assert.equal(isLate({ ...claim, state: 'refused' }, after(1)), false);
});

test('a claim: is news while it is open, and for seven days after the decision', () => {
  assert.equal(isNews({ state: 'asked', decidedAt: null }, after(9_999)), true);
  const decided = { state: 'refused', decidedAt: askedAt } as const;
  assert.deepEqual([isNews(decided, after(167)), isNews(decided, after(168))], [true, false]);
});
