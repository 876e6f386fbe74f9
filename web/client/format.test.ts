import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  formatAge,
  formatAmount,
  formatDate,
  formatDay,
  formatDecimal,
  formatDollars,
  formatMoment,
  formatPoints,
  formatSigned,
  formatSpan,
  formatTime,
  formatToday,
  formatWeekday,
  formatWorth,
  groupedByFour,
  hourOf,
  setDisplay,
  shortenMiddle,
  zoneOffset,
} from './format.ts';

test('groups the thousands of amounts of coins, and leaves zeros at their end out', () => {
  assert.equal(formatDecimal('6599.75767938'), '6,599.75767938');
  assert.equal(formatDecimal('1234567.50000000'), '1,234,567.5');
  assert.equal(formatDecimal('14.00000000'), '14');
  assert.equal(formatDecimal('-0.25000000'), '−0.25');
  assert.equal(formatDecimal('0.00000000'), '0');
  assert.equal(formatDecimal('0.00000001'), '0.00000001');
});

test('groups points by thousands, and shows negative or invalid ones as 0', () => {
  assert.equal(formatPoints('12480'), '12,480');
  assert.equal(formatPoints('1234567890'), '1,234,567,890');
  assert.equal(formatPoints('9007199254740993'), '9,007,199,254,740,993');
  assert.equal(formatPoints('999'), '999');
  assert.equal(formatPoints('-5'), '0');
  assert.equal(formatPoints('abc'), '0');
  assert.equal(formatPoints(undefined), '0');
  assert.equal(formatAmount('1000'), '1,000\u00a0P');
});

test('puts a plus before a credit and a minus sign before a debit', () => {
  assert.equal(formatSigned('180'), '+180');
  assert.equal(formatSigned('-5000'), '\u22125,000');
  assert.equal(formatSigned('0'), '0');
});

test('rounds dollars down to the cent, so that no amount is overstated', () => {
  assert.equal(formatDollars('12480'), '$12.48');
  assert.equal(formatDollars('999'), '$0.99');
  assert.equal(formatDollars('19'), '$0.01');
  assert.equal(formatDollars('1234567890'), '$1,234,567.89');
  assert.equal(formatDollars('-100'), '$0.00');
});

test('shortens ids in the middle and groups addresses by four', () => {
  assert.equal(shortenMiddle('7d0c93ae00112233f491be02'), '7d0c93ae…f491be02');
  assert.equal(shortenMiddle('short'), 'short');
  assert.equal(groupedByFour('ltc1qw508d6'), 'ltc1 qw50 8d6');
});

test('§1-9 dates: formats times by language, with the year only if it is another one', () => {
  const now = new Date(2026, 10, 20, 12, 0);
  assert.match(formatTime(new Date(2026, 10, 20, 9, 2).toISOString(), 'en', now), /^Nov 20, 9:02\sAM$/);
  assert.match(formatMoment(new Date(2026, 10, 20, 9, 2).toISOString(), 'en', now), /^9:02\sAM$/);
  assert.match(formatMoment(new Date(2026, 10, 19, 9, 2).toISOString(), 'en', now), /^Nov 19, 9:02\sAM$/);
  assert.match(formatTime(new Date(2025, 10, 20, 9, 2).toISOString(), 'en', now), /2025/);
  assert.match(formatTime(new Date(2026, 10, 20, 9, 2).toISOString(), 'ko', now), /11월 20일 오전 9:02/);
  assert.equal(formatWeekday('2026-11-21', 'en', 'short'), 'Sat');
  assert.equal(formatAge(new Date(2026, 10, 19, 17, 0).toISOString(), 'en', now), '19 hours ago');
  assert.equal(formatAge(new Date(2026, 10, 19, 17, 0).toISOString(), 'ko', now), '19시간 전');
  const halfMinuteAgo = new Date(now.getTime() - 30_000).toISOString();
  assert.equal(formatAge(halfMinuteAgo, 'en', now), 'just now');
  assert.equal(formatAge(halfMinuteAgo, 'ko', now), '방금');
});

test('writes how long something took in the largest unit that says enough', () => {
  const minute = 60_000;
  const written = (minutes: number, language: string) => formatSpan(minutes * minute, language);
  assert.deepEqual(
    [0, 1.9, 49, 119, 120, 47 * 60, 48 * 60].map((minutes) => written(minutes, 'en')),
    ['1 minute', '1 minute', '49 minutes', '119 minutes', '2 hours', '47 hours', '2 days'],
  );
  assert.deepEqual(
    [49, 180, 2 * 24 * 60].map((minutes) => written(minutes, 'ko')),
    ['49분', '3시간', '2일'],
  );
});

test('§1-9 money: shows worth in dollars, or in the chosen currency with a sign for approximate', () => {
  assert.equal(formatWorth('12480'), '$12.48');
  setDisplay({ timeZone: undefined, rate: { currency: 'KRW', perUsd: '1390' } });
  assert.equal(formatWorth('12480'), '≈\u00a0₩17,347');
  assert.equal(formatWorth('0'), '≈\u00a0₩0');
  assert.equal(formatWorth('-100'), '≈\u00a0₩0');
  setDisplay({ timeZone: undefined, rate: { currency: 'EUR', perUsd: '0.92' } });
  assert.equal(formatWorth('12480'), '≈\u00a0€11.48');
  assert.equal(formatWorth('9'), '≈\u00a0€0.00');
  assert.equal(formatWorth('60'), '≈\u00a0€0.05');
  assert.equal(formatWorth('9007199254740993'), '≈\u00a0€8,286,623,314,361.71');
  setDisplay({ timeZone: undefined, rate: undefined });
});

test('formats times in the chosen zone, with the year only if it is another one there', () => {
  const newYear = '2025-12-31T15:30:00Z';
  const now = new Date('2026-01-01T03:00:00Z');
  setDisplay({ timeZone: 'Asia/Seoul', rate: undefined });
  assert.equal(formatTime(newYear, 'en', now), 'Jan 1, 12:30 AM');
  assert.equal(formatDay(newYear, 'en', now), 'Jan 1');
  assert.equal(formatToday('en', new Date(newYear)), 'Thursday, January 1');
  assert.equal(hourOf(new Date(newYear)), 0, 'the greeting follows the same clock as the date beside it');
  setDisplay({ timeZone: 'America/New_York', rate: undefined });
  assert.equal(formatTime(newYear, 'en', now), 'Dec 31, 10:30 AM');
  assert.equal(hourOf(new Date(newYear)), 10);
  assert.equal(formatDay(newYear, 'en', new Date('2026-01-01T06:00:00Z')), 'Dec 31, 2025');
  assert.equal(formatDate(newYear, 'en'), 'December 31, 2025');
  assert.equal(formatDate(newYear, 'ko'), '2025년 12월 31일');
  setDisplay({ timeZone: undefined, rate: undefined });
});

test('says how far a zone is from UTC, on that day', () => {
  const [winter, summer] = [new Date('2026-01-01T12:00:00Z'), new Date('2026-07-01T12:00:00Z')];
  assert.equal(zoneOffset('Asia/Seoul', 'ko', winter), 'GMT+9');
  assert.equal(zoneOffset('America/New_York', 'en', winter), 'GMT-5');
  assert.equal(zoneOffset('America/New_York', 'en', summer), 'GMT-4');
  assert.equal(zoneOffset('Asia/Kolkata', 'en', winter), 'GMT+5:30');
});
