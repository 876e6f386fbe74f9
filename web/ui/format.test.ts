import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  formatAge,
  formatAmount,
  formatDollars,
  formatPoints,
  formatSigned,
  formatTime,
  formatWeekday,
  groupedByFour,
  shortenMiddle,
} from './format.ts';

test('points are grouped by thousands, and what is negative or no number is 0', () => {
  assert.equal(formatPoints('12480'), '12,480');
  assert.equal(formatPoints('1234567890'), '1,234,567,890');
  assert.equal(formatPoints('9007199254740993'), '9,007,199,254,740,993');
  assert.equal(formatPoints('999'), '999');
  assert.equal(formatPoints('-5'), '0');
  assert.equal(formatPoints('abc'), '0');
  assert.equal(formatPoints(undefined), '0');
  assert.equal(formatAmount('1000'), '1,000\u00a0P');
});

test('a credit has a plus, a debit a real minus sign', () => {
  assert.equal(formatSigned('180'), '+180');
  assert.equal(formatSigned('-5000'), '\u22125,000');
  assert.equal(formatSigned('0'), '0');
});

test('dollars are rounded down to the cent, so that nobody is promised more', () => {
  assert.equal(formatDollars('12480'), '$12.48');
  assert.equal(formatDollars('999'), '$0.99');
  assert.equal(formatDollars('19'), '$0.01');
  assert.equal(formatDollars('1234567890'), '$1,234,567.89');
  assert.equal(formatDollars('-100'), '$0.00');
});

test('ids are cut in the middle, addresses come in groups of four', () => {
  assert.equal(shortenMiddle('7d0c93ae00112233f491be02'), '7d0c93ae…f491be02');
  assert.equal(shortenMiddle('short'), 'short');
  assert.equal(groupedByFour('ltc1qw508d6'), 'ltc1 qw50 8d6');
});

test('times follow the language, and a year is said only when it is another one', () => {
  const now = new Date(2026, 10, 20, 12, 0);
  assert.match(formatTime(new Date(2026, 10, 20, 9, 2).toISOString(), 'en', now), /^Nov 20, 9:02\sAM$/);
  assert.match(formatTime(new Date(2025, 10, 20, 9, 2).toISOString(), 'en', now), /2025/);
  assert.match(formatTime(new Date(2026, 10, 20, 9, 2).toISOString(), 'ko', now), /11월 20일 오전 9:02/);
  assert.equal(formatWeekday('2026-11-21', 'en', 'short'), 'Sat');
  assert.equal(formatAge(new Date(2026, 10, 19, 17, 0).toISOString(), 'en', now), '19 hours ago');
  assert.equal(formatAge(new Date(2026, 10, 19, 17, 0).toISOString(), 'ko', now), '19시간 전');
});
