import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bareAddress } from '#contract/destination-code.ts';
import { readConfig } from '#platform/config.ts';
import { readRails } from '../../server/withdrawals/withdrawals.ts';
import { environmentOf } from '../../test/withdrawals-world.ts';
import * as address from './address.ts';

const config = readConfig(environmentOf('http://127.0.0.1/', '/nowhere'));
const rails = readRails({ ...config, litecoinNetwork: 'main', dashNetwork: 'main' });
const classifyAddress = (method: string, typed: string) => address.classifyAddress(rails, method, typed);
const stateOf = (method: string, typed: string) => classifyAddress(method, typed).state;

const ltc = 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9';
const taproot = 'ltc1p0xlxvlhemja6c4dqv22uapctqupfhlxm9h8z3k2e72q4k9hcz7vqpj6zg2';
const old = 'LVuDpNCSSj6pQ7t9Pv6d6sUkLKoqDEVUnJ';
const dash = 'XmN7PQYWKn5MJFna5fRYgP6mxT2F7xpekE';

test('checks the checksum, and names the method of another coin’s address', () => {
  for (const [method, right] of [
    ['litecoin', ltc],
    ['litecoin', ltc.toUpperCase()],
    ['litecoin', taproot],
    ['litecoin', old],
    ['dash', dash],
  ] as const)
    assert.equal(stateOf(method, right), 'right', right);
  assert.deepEqual(classifyAddress('litecoin', dash), { state: 'other', method: 'dash' });
  assert.deepEqual(classifyAddress('dash', ltc), { state: 'other', method: 'litecoin' });
  assert.equal(stateOf('litecoin', '  '), 'empty');
});

test('accuses no address that is merely unfinished, and counts its characters', () => {
  for (const [method, whole, length] of [
    ['litecoin', ltc, 43],
    ['litecoin', taproot, 63],
    ['litecoin', old, 34],
    ['dash', dash, 34],
  ] as const)
    for (let typed = 1; typed < whole.length; typed += 1) {
      const found = classifyAddress(method, whole.slice(0, typed));
      assert.equal(found.state, 'unfinished', whole.slice(0, typed));
      // Before its version is typed, a long one looks like a short one.
      if (typed > 5) assert.deepEqual(found, { state: 'unfinished', length: typed, whole: length });
    }
});

test('accuses what can’t become right any more, at its first such character', () => {
  for (const [typed, fault] of [
    [`${ltc.slice(0, -1)}q`, 'mistyped'],
    [`${old.slice(0, -1)}K`, 'mistyped'],
    ['ltc1qb', 'mistyped'],
    ['ltc1zw508d6qejxt', 'mistyped'],
    ['ltc1Qw', 'mistyped'],
    ['LVu0', 'mistyped'],
    [`${ltc}${ltc}`, 'mistyped'],
    ['X', 'other-form'],
    ['3H9836PmP4NmwMiVpdqQSppLwDZ8FTwh7f', 'like-bitcoin'],
    ['litecoin:ltc1q', 'not-alone'],
    ['tltc1qw508d6qejxtdg4y5r3zarvary0c5xw7klfsuq0', 'test-network'],
  ] as const)
    assert.deepEqual(classifyAddress('litecoin', typed), { state: 'wrong', fault }, typed);
});

test('names the coin of an address that no method pays', () => {
  const old = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa';
  const script = '3H9836PmP4NmwMiVpdqQSppLwDZ8FTwh7f';
  for (const [method, typed, coin] of [
    ['litecoin', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'bitcoin'],
    ['litecoin', 'BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4', 'bitcoin'],
    ['litecoin', old, 'bitcoin'],
    ['dash', old, 'bitcoin'],
    ['dash', script, 'bitcoin'],
    ['litecoin', '0xde0B295669a9FD93d5F28D9Ec85E40f4cb697BAe', 'ethereum'],
    ['dash', 'DH5yaieqoZN36fDVciNyRueRGvGLR3mr7L', 'dogecoin'],
  ] as const)
    assert.deepEqual(classifyAddress(method, typed), { state: 'wrong', fault: 'other-coin', coin }, typed);
  const tron = classifyAddress('litecoin', 'TJRyWwFs9wTFGZg3JbrVriFbNfCug5tDeC');
  assert.deepEqual(tron, { state: 'wrong', fault: 'other-coin' });
});

test('leaves out what a share button copies around an address', () => {
  for (const typed of [
    `litecoin:${ltc}`,
    `LITECOIN://${ltc}?amount=0.5&label=x`,
    `${ltc}?amount=1`,
    ` ${ltc}\n`,
  ])
    assert.equal(bareAddress(typed), ltc, typed);
  assert.equal(bareAddress(`litecoin:${ltc.toUpperCase()}`), ltc.toUpperCase());
  assert.equal(bareAddress('ｌｔｃ１ｑ'), 'ltc1q');
  assert.equal(bareAddress(`https://example.com/${ltc}`), `https://example.com/${ltc}`);
});

test('takes an e-mail address for PayPal', () => {
  assert.equal(stateOf('paypal', 'mina@example.com'), 'right');
  assert.equal(stateOf('paypal', 'mina'), 'unsure');
});
