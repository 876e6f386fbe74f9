import assert from 'node:assert/strict';
import { it } from 'node:test';
import { changeText } from './rate-change.ts';

it('states the change of a rate in whole percent', () => {
  assert.equal(changeText('71.48', '98.20'), '+37\u00a0%');
  assert.equal(changeText('100', '91.6'), '−8\u00a0%');
  assert.equal(changeText('0.000000000000000001', '0.000000000000000002'), '+100\u00a0%');
});
