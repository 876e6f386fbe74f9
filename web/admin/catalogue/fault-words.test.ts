import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { faultOfField } from './fault-words.ts';

describe('a fault of the server', () => {
  it('has a sentence for each field, also within a step', () => {
    assert.deepEqual(faultOfField('title', 'Required'), { key: 'messages.required', values: {} });
    assert.deepEqual(faultOfField('titleKo', 'At most 200 characters'), {
      key: 'messages.tooLong',
      values: { max: '200' },
    });
    assert.deepEqual(faultOfField('minutes', 'Too small: expected number to be >=1'), {
      key: 'fields.minutes',
      values: {},
    });
    assert.deepEqual(faultOfField('steps.1.points', 'Invalid amount'), {
      key: 'steps.points',
      values: {},
      step: 2,
    });
    assert.equal(faultOfField('version', 'Required'), undefined);
  });
});
