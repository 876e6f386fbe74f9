import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readRails } from '../../server/withdrawals/withdrawals.ts';
import * as address from './address.ts';

const rails = readRails();
const lookOf = (method: string, typed: string) => address.lookOf(rails, method, typed);

const ltc = 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9';
const dash = 'XrVPg8h2kQ9dT1mYb4uJcW7aLx3nEzK5oF';

test('an address of the other coin is told apart', () => {
  assert.equal(lookOf('litecoin', ltc), 'right');
  assert.equal(lookOf('litecoin', 'LVg2kJoFNg45Nbpy53h7Fe1wKyeXVRhMH9'), 'right');
  assert.equal(lookOf('dash', ltc), 'of-litecoin');
  assert.equal(lookOf('litecoin', dash), 'of-dash');
  assert.equal(lookOf('dash', dash), 'right');
});

test('what this page does not know is left to the server', () => {
  assert.equal(lookOf('litecoin', 'rltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9'), 'unsure');
  assert.equal(lookOf('litecoin', 'mhBXWhQRgZpNxkSPHJFFdvRpuLGQN5Zrq1'), 'unsure');
  assert.equal(lookOf('litecoin', '  '), 'empty');
});

test('PayPal is paid to an e-mail address', () => {
  assert.equal(lookOf('paypal', 'mina@example.com'), 'right');
  assert.equal(lookOf('paypal', 'mina'), 'unsure');
});
