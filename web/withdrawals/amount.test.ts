import assert from 'node:assert/strict';
import { test } from 'node:test';
import { caretPlace, countBehind, isNeverAmount, isWholeAmount, readAmount, showAmount } from './amount.ts';

test('reads the digits of a sum, in full width and in groups', () => {
  for (const [typed, amount] of [
    ['1000', '1000'],
    ['1,000', '1000'],
    ['1,00', '100'],
    [' 12 480 ', '12480'],
    ['1.000.000', '1000000'],
    ['１０００', '1000'],
    ['1,000\u00a0P', '1000'],
    ['0500', '500'],
    ['0', '0'],
    ['', ''],
  ] as const)
    assert.equal(readAmount(typed), amount, typed);
  assert.deepEqual(['', '0', '1000', '1e9'].map(showAmount), ['', '0', '1,000', '1e9']);
});

test('reads no other number out of a text that is none', () => {
  for (const typed of ['-5', '1e9', '+5', '$5', '10%', '1.5', '1,000.50', '1000원'])
    assert.equal(isWholeAmount(readAmount(typed)), false, typed);
  assert.deepEqual(['-5', '1e9', '1.5', '1.'].map(isNeverAmount), [true, true, false, false]);
});

test('keeps the caret before the same digits while commas come and go', () => {
  // Typed, with | as the caret, and how the field shows it.
  for (const [typed, shown] of [
    ['1000|', '1,000|'],
    ['12|,000', '12|,000'],
    ['1234|,000', '1,234|,000'],
    ['1|000', '1|,000'],
    ['|,000', '|0'],
    ['1e|9', '1e|9'],
  ] as const) {
    const text = typed.replace('|', '');
    const after = showAmount(readAmount(text));
    const place = caretPlace(after, countBehind(text, typed.indexOf('|')));
    assert.equal(`${after.slice(0, place)}|${after.slice(place)}`, shown, typed);
  }
});
