import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRails } from '../../server/withdrawals/withdrawals.ts';
import * as address from './address.ts';

const rails = readRails();
const classifyAddress = (method: string, typed: string) => address.classifyAddress(rails, method, typed);

const ltc = 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9';
const dash = 'XrVPg8h2kQ9dT1mYb4uJcW7aLx3nEzK5oF';

test('recognises an address of another coin', () => {
  assert.equal(classifyAddress('litecoin', ltc), 'right');
  assert.equal(classifyAddress('litecoin', 'LVg2kJoFNg45Nbpy53h7Fe1wKyeXVRhMH9'), 'right');
  assert.equal(classifyAddress('dash', ltc), 'of-litecoin');
  assert.equal(classifyAddress('litecoin', dash), 'of-dash');
  assert.equal(classifyAddress('dash', dash), 'right');
});

test('leaves an address of no known pattern to the server', () => {
  assert.equal(classifyAddress('litecoin', 'rltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9'), 'unsure');
  assert.equal(classifyAddress('litecoin', 'mhBXWhQRgZpNxkSPHJFFdvRpuLGQN5Zrq1'), 'unsure');
  assert.equal(classifyAddress('litecoin', '  '), 'empty');
});

test('accepts an e-mail address for PayPal', () => {
  assert.equal(classifyAddress('paypal', 'mina@example.com'), 'right');
  assert.equal(classifyAddress('paypal', 'mina'), 'unsure');
});
