import assert from 'node:assert/strict';
import { test } from 'node:test';
import { processingTimeIn, promisedDaysOf } from './processing-time.ts';

test('§1-9 processing time: translates a range of business days, and keeps other wording', () => {
  for (const setting of ['1–3 business days', '1-3', '1 to 3 business days', '1~3']) {
    assert.equal(processingTimeIn('en', setting), '1–3 business days');
    assert.equal(processingTimeIn('ko', setting), '영업일 1~3일');
  }
  assert.equal(processingTimeIn('ko', 'within a week'), 'within a week');
});

test('reads the promised days of a range, and none of other wording', () => {
  assert.deepEqual(
    ['1–3 business days', '1-5', '2 to 10 business days', 'within a week'].map(promisedDaysOf),
    [3, 5, 10, null],
  );
});
