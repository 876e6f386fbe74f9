import assert from 'node:assert/strict';
import { test } from 'node:test';
import { afterBusinessDays } from './business-days.ts';

test('counts no Saturday and no Sunday of the site’s zone', () => {
  for (const [from, days, until] of [
    ['2026-11-16T01:00:00Z', 3, '2026-11-19T01:00:00Z'],
    // Friday in Seoul, Thursday in UTC.
    ['2026-11-19T20:00:00Z', 1, '2026-11-22T20:00:00Z'],
    ['2026-11-20T01:00:00Z', 3, '2026-11-25T01:00:00Z'],
    ['2026-11-21T01:00:00Z', 1, '2026-11-23T01:00:00Z'],
    ['2026-11-16T01:00:00Z', 0, '2026-11-16T01:00:00Z'],
  ] as const)
    assert.equal(
      afterBusinessDays(new Date(from), days, 'Asia/Seoul').toISOString(),
      new Date(until).toISOString(),
      from,
    );
});
