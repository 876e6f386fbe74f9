import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { formatSpan, timeLeftOf } from './time-left.ts';

const now = new Date('2026-03-04T12:00:00Z');
const left = (answerBy: string | null, isLate = false) => timeLeftOf({ answerBy, isLate }, now);

describe('timeLeftOf', () => {
  it('is late by the site’s word, near within four hours, and nothing while nobody waits', () => {
    assert.deepEqual(left('2026-03-04T10:00:00Z', true), { state: 'late', minutes: 120 });
    assert.deepEqual(left('2026-03-04T12:30:00Z', true), { state: 'late', minutes: 0 });
    assert.deepEqual(left('2026-03-04T15:59:30Z'), { state: 'near', minutes: 239 });
    assert.deepEqual(left('2026-03-04T16:00:00Z'), { state: 'due', minutes: 240 });
    assert.equal(left(null), undefined);
  });
});

describe('formatSpan', () => {
  it('writes the two largest units, without those of no time', () => {
    assert.equal(formatSpan(0, 'en'), '0 minutes');
    assert.equal(formatSpan(312, 'ko'), '5시간 12분');
    assert.equal(formatSpan(30 * 60 + 5, 'en'), '1 day 6 hours');
    assert.equal(formatSpan(24 * 60 + 5, 'en'), '1 day');
  });
});
