import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { comparisonOf } from './comparison.ts';

describe('the comparison of an act', () => {
  it('has one line for each changed field, also inside of others', () => {
    const before = { status: 'pending', caps: { memberDay: '100', methodDay: null }, names: ['a'] };
    const after = { status: 'approved', caps: { memberDay: '200', methodDay: null }, names: ['a'], rate: 80 };
    assert.deepEqual(comparisonOf(before, after), [
      { path: ['status'], was: 'pending', is: 'approved' },
      { path: ['caps', 'memberDay'], was: '100', is: '200' },
      { path: ['rate'], was: undefined, is: 80 },
    ]);
  });

  it('shows a part that became none, and an act with one side only', () => {
    assert.deepEqual(comparisonOf({ cap: { day: 1 } }, { cap: null }), [
      { path: ['cap', 'day'], was: 1, is: undefined },
      { path: ['cap'], was: undefined, is: null },
    ]);
    assert.deepEqual(comparisonOf(null, { role: 'admin' }), [
      { path: ['role'], was: undefined, is: 'admin' },
    ]);
    assert.deepEqual(comparisonOf(null, null), []);
  });
});
