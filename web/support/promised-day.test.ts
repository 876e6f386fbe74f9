import assert from 'node:assert/strict';
import { test } from 'node:test';
import { promisedDay } from './promised-day.ts';

test('the promised day: counts the business days of the site’s zone', () => {
  // A Thursday evening in New York, which is a Friday in Seoul.
  const thursday = '2026-11-19T23:00:00.000Z';
  assert.equal(promisedDay(thursday, 3, 'America/New_York').slice(0, 10), '2026-11-24');
  assert.equal(promisedDay(thursday, 3, 'Asia/Seoul').slice(0, 10), '2026-11-24');
  assert.equal(promisedDay(thursday, 1, 'Asia/Seoul').slice(0, 10), '2026-11-22', 'Monday morning in Seoul');
  assert.equal(promisedDay(thursday, 0, 'Asia/Seoul'), thursday);
});
