import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dayText, monthAfter, monthText } from './months.ts';

describe('months', () => {
  it('follow each other over the turn of a year', () => {
    assert.equal(monthAfter('2026-12', 1), '2027-01');
    assert.equal(monthAfter('2026-01', -1), '2025-12');
    assert.equal(monthAfter('2026-03', 0), '2026-03');
  });
  it('are named in both languages, and days with them', () => {
    assert.equal(monthText('2026-07', 'en'), 'July 2026');
    assert.equal(monthText('2026-07', 'ko'), '2026년 7월');
    assert.equal(dayText('2026-07-01', 'en'), 'Jul 1');
    assert.equal(dayText('2026-07-01', 'ko'), '7월 1일');
  });
});
