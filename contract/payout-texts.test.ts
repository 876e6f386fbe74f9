import assert from 'node:assert/strict';
import { test } from 'node:test';
import { payoutTextsIn } from './payout-texts.ts';

const litecoin = { names: { en: 'Litecoin', ko: '라이트코인' }, beginnings: ['M', 'L', 'ltc1'] };
const dash = { names: { en: 'Dash', ko: '대시' }, beginnings: ['X', '7'] };
const paypal = { names: { en: 'PayPal', ko: 'PayPal' }, beginnings: [] };

test('names the methods that are switched on and no other', () => {
  const all = payoutTextsIn('en', [litecoin, dash, paypal]);
  assert.equal(all.methods, 'Litecoin, Dash or PayPal');
  assert.deepEqual([all.first, all.last], ['Litecoin', 'PayPal']);
  assert.equal(
    all.forms,
    'Litecoin addresses begin with M, L or ltc1. Dash addresses begin with X or 7. ' +
      'For PayPal it is the e-mail of your PayPal account.',
  );
  assert.equal(payoutTextsIn('en', [dash]).methods, 'Dash');
  const korean = payoutTextsIn('ko', [litecoin, dash]);
  assert.equal(korean.methods, '라이트코인, 대시');
  assert.equal(
    korean.forms,
    '라이트코인 주소는 M, L, ltc1 가운데 하나로 시작합니다. 대시 주소는 X, 7 가운데 하나로 시작합니다.',
  );
});

test('promises none while all are off', () => {
  assert.deepEqual(payoutTextsIn('en', []), {
    methods: 'the ways shown under Withdraw',
    first: 'your wallet',
    last: 'your wallet',
    forms: '',
  });
});
