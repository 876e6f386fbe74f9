import assert from 'node:assert/strict';
import { test } from 'node:test';
import { afterBusinessDays } from './business-days.ts';

test('counts days of the calendar, of which one has 25 hours and one 23', () => {
  // Thursday is 25 hours long in Cairo, as its clock goes back to 23:00. On a Friday it goes forward at midnight.
  for (const [from, until] of [
    ['2026-10-28T21:15:00Z', '2026-10-29T22:15:00Z'],
    ['2026-10-29T21:30:00Z', '2026-10-30T21:30:00Z'],
    ['2026-04-22T22:30:00Z', '2026-04-23T22:30:00Z'],
    ['2026-04-22T21:30:00Z', '2026-04-23T21:30:00Z'],
  ] as const)
    assert.equal(
      afterBusinessDays(new Date(from), 1, 'Africa/Cairo').toISOString(),
      new Date(until).toISOString(),
      from,
    );
});

test('counts no Saturday and no Sunday of the site’s zone', () => {
  for (const [from, days, until] of [
    ['2026-11-16T01:00:00Z', 3, '2026-11-19T01:00:00Z'],
    // Friday in Seoul, Thursday in UTC.
    ['2026-11-19T20:00:00Z', 1, '2026-11-22T20:00:00Z'],
    ['2026-11-20T01:00:00Z', 3, '2026-11-25T01:00:00Z'],
    // From Saturday and from Sunday in Seoul, so from the first moment of Monday there.
    ['2026-11-21T01:00:00Z', 1, '2026-11-23T15:00:00Z'],
    ['2026-11-22T14:59:00Z', 2, '2026-11-24T15:00:00Z'],
    ['2026-11-16T01:00:00Z', 0, '2026-11-16T01:00:00Z'],
  ] as const)
    assert.equal(
      afterBusinessDays(new Date(from), days, 'Asia/Seoul').toISOString(),
      new Date(until).toISOString(),
      from,
    );
});
