import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sentence } from '#contract/operator-sentences.ts';
import { type NodeErrorName, sentenceOfError } from './node-errors.ts';

test('puts what an operator can do before the words of a node', () => {
  const errors: [code: number, message: string, name: NodeErrorName][] = [
    [
      -4,
      'Fee estimation failed. Fallbackfee is disabled. Wait a few blocks or enable -fallbackfee.',
      'node-estimates-no-fee',
    ],
    [-4, 'Insufficient funds', 'wallet-lacks-coins'],
    [-12, 'Error: Keypool ran out, please call keypoolrefill first', 'wallet-lacks-keys'],
    [-4, 'Transaction too large', 'wallet-coins-too-small'],
    [-4, 'Fee exceeds maximum configured by user (e.g. -maxtxfee, maxfeerate)', 'node-fee-above-cap'],
    [-25, 'Fee exceeds maximum configured by user (e.g. -maxtxfee, maxfeerate)', 'node-fee-above-cap'],
    [-26, 'min relay fee not met, 100 < 14100', 'node-fee-below-floor'],
    [-26, 'mempool min fee not met, 100 < 200', 'node-fee-below-floor'],
    [-26, 'too-long-mempool-chain, too many unconfirmed ancestors [limit: 25]', 'node-chain-too-long'],
    [-8, 'Invalid parameter, unknown transaction', 'node-says'],
  ];
  for (const [code, message, name] of errors)
    assert.equal(sentenceOfError({ code, message }), `${sentence(name)} ${code}: ${message}`);
});
