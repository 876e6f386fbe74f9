import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fieldTimeOf, instantOf } from './zoned-time.ts';

test('reads and writes a time in a zone, whatever the device’s zone is', () => {
  assert.equal(instantOf('2026-11-24T09:30', 'Asia/Seoul'), '2026-11-24T00:30:00.000Z');
  assert.equal(fieldTimeOf('2026-11-24T00:30:00.000Z', 'Asia/Seoul'), '2026-11-24T09:30');
  assert.equal(instantOf('2026-01-02T00:00', 'America/New_York'), '2026-01-02T05:00:00.000Z');
  assert.equal(fieldTimeOf(null, 'Asia/Seoul'), '');
  assert.equal(instantOf('', 'Asia/Seoul'), null);
});

test('takes the first of two hours, and the hour after one that there is not', () => {
  assert.equal(instantOf('2026-10-25T02:30', 'Europe/Berlin'), '2026-10-25T00:30:00.000Z');
  assert.equal(instantOf('2026-03-29T02:30', 'Europe/Berlin'), '2026-03-29T01:30:00.000Z');
  assert.equal(instantOf('2026-11-01T00:00', 'America/Havana'), '2026-11-01T04:00:00.000Z');
  assert.equal(instantOf('2026-03-29T00:00', 'Asia/Beirut'), '2026-03-28T22:00:00.000Z');
  for (const time of ['2026-03-28T12:00', '2026-03-29T03:00', '2026-10-25T03:00', '2026-10-25T00:00'])
    assert.equal(fieldTimeOf(instantOf(time, 'Europe/Berlin'), 'Europe/Berlin'), time);
});
