import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { genuinePostback, received, visit } from '../vectors.ts';
import { adapter as kiwiwall } from './adapter.ts';

const secret = 'kiwi_test_secret';
const md5 = (text: string) => createHash('md5').update(text).digest('hex');
const judged = (changes: Record<string, string | undefined>) =>
  kiwiwall.verify(genuinePostback('kiwiwall', changes), { secret });
const codeOf = (changes: Record<string, string | undefined>) => {
  const verdict = judged(changes);
  return verdict.ok ? verdict.message.kind : verdict.code;
};
const call = (amount: string, signature: string, status = '1') =>
  kiwiwall.verify(
    received(
      `https://h/p?status=${status}&trans_id=k1&sub_id=user-42&amount=${amount}&signature=${signature}`,
    ),
    { secret },
  );

test('puts wall id and member into the path of the wall URL', () => {
  const input = { url: kiwiwall.defaultWallUrl, apiKey: 'abc', secret, memberRef: '123456789', ...visit };
  assert.equal(kiwiwall.wallUrl(input), 'https://www.kiwiwall.com/wall/abc/123456789');
  assert.equal(
    kiwiwall.wallUrl({ ...input, url: 'http://localhost:3001/sandbox/wall/kiwiwall/' }),
    'http://localhost:3001/sandbox/wall/kiwiwall/abc/123456789',
  );
  for (const apiKey of ['', '..', 'a/b', '%2e%2e'])
    assert.throws(() => kiwiwall.wallUrl({ ...input, apiKey }));
  assert.throws(() => kiwiwall.wallUrl({ ...input, memberRef: '../1' }));
});

test('verifies the known vectors, each with its own text of the amount', () => {
  const credit = {
    ok: true,
    message: {
      kind: 'credit',
      transactionId: 'k1',
      memberRef: 'user-42',
      amountPoints: 500n,
      payoutMicroUsd: null,
      offerName: '',
      isScreenOut: false,
    },
  };
  assert.deepEqual(call('500', '66121f164c90adabf68e084291b1df2e'), credit);
  assert.deepEqual(call('500', '66121F164C90ADABF68E084291B1DF2E'), credit);
  assert.deepEqual(call('500.00', '0b48ad86f13d82afa061ced3c0563997'), credit);
  const reversal = {
    ok: true,
    message: {
      kind: 'reversal',
      transactionId: 'k1',
      creditTransactionId: 'k1',
      memberRef: 'user-42',
      amountPoints: 500n,
      reason: '',
    },
  };
  assert.deepEqual(call('-500', '00cc5aa37263627c0e7ab75346e23bb8', '2'), reversal);
  assert.deepEqual(call('-500', '00cc5aa37263627c0e7ab75346e23bb8', '1'), reversal);
});

test('refuses an amount that was signed as another text, and other formulas', () => {
  const wrong: [string, string][] = [
    ['500.00', '66121f164c90adabf68e084291b1df2e'],
    ['500', '0b48ad86f13d82afa061ced3c0563997'],
    ['500', '00cc5aa37263627c0e7ab75346e23bb8'],
    ['-500', '66121f164c90adabf68e084291b1df2e'],
    ['%35%30%30', '66121f164c90adabf68e084291b1df2e'],
    ['500', md5(`user-42500${secret}`)],
    ['500', md5(`k1:500:${secret}`)],
    ['500', md5(`user-42:500:`)],
    ['500', ''],
  ];
  for (const [amount, signature] of wrong) {
    const verdict = call(amount, signature);
    assert.equal(!verdict.ok && verdict.code, 'invalid-signature', `${amount} ${signature}`);
  }
  const verdict = kiwiwall.verify(
    received(`https://h/p?status=1&trans_id=k1&sub_id=user-42&amount=500&signature=${md5('user-42:500:')}`),
    { secret: '' },
  );
  assert.equal(!verdict.ok && verdict.code, 'invalid-signature');
});

test('refuses a colon moved between member and amount', () => {
  const signature = md5(`123456789:500:${secret}`);
  for (const query of [
    'sub_id=123456789:500&amount=',
    'sub_id=&amount=123456789:500',
    'sub_id=123456789:5&amount=00',
  ]) {
    const verdict = kiwiwall.verify(
      received(`https://h/p?status=1&trans_id=k1&${query}&signature=${signature}`),
      {
        secret,
      },
    );
    assert.equal(verdict.ok, false, query);
  }
});

test('reads status 2 as a reversal with either sign, and ignores unknown statuses', () => {
  assert.equal(codeOf({ status: '2', amount: '500' }), 'reversal');
  assert.equal(codeOf({ status: '2', amount: '-500' }), 'reversal');
  for (const amount of ['0', '', undefined]) {
    const verdict = judged({ status: '2', amount });
    assert.equal(verdict.ok && verdict.message.kind === 'reversal' && verdict.message.amountPoints, null);
  }
  for (const status of ['0', '3', '-1', '1.0', 'ok']) {
    const verdict = judged({ status });
    assert.equal(verdict.ok && verdict.message.kind === 'nothing' && verdict.message.why, 'unknown-status');
  }
  for (const amount of ['0', '0.99']) {
    const verdict = judged({ amount });
    assert.equal(verdict.ok && verdict.message.kind === 'nothing' && verdict.message.why, 'zero-amount');
  }
});

test('removes control characters from the offer’s name, and keeps its markup as text', () => {
  const described = (offer_name: string) => {
    const verdict = judged({ offer_name });
    assert.ok(verdict.ok && verdict.message.kind === 'credit');
    return verdict.message.offerName;
  };
  assert.equal(described(' Big\u0000 Farm\r\n\tII\u001b[31m '), 'Big Farm II [31m');
  assert.equal(described('a\u202egnp.exe\u2066'), 'agnp.exe');
  assert.equal(described('<b>{{7*7}}</b> 한국어 🎮'), '<b>{{7*7}}</b> 한국어 🎮');
  assert.equal(described('🎮'.repeat(300)), '🎮'.repeat(200));
  assert.equal(described('\u0000'), '');
});

test('refuses missing or malformed parameters of a signed call', () => {
  for (const changes of [
    { status: undefined },
    { trans_id: undefined },
    { trans_id: '' },
    { trans_id: 'a b' },
    { sub_id: '' },
    { sub_id: undefined },
    { amount: undefined },
    { amount: '' },
    { amount: '1e3' },
    { amount: '1000000000000001' },
  ] as Record<string, string | undefined>[])
    assert.equal(codeOf(changes), 'invalid-postback', JSON.stringify(changes));
  assert.equal(codeOf({ gross: undefined, offer_name: undefined }), 'credit');
});

test('refuses member and amount that were signed in their encoded form', () => {
  for (const [sub, amount] of [
    ['%31', '5'],
    ['1', '%35'],
    ['1', '5+'],
  ]) {
    const signature = md5(`${sub}:${amount}:${secret}`);
    const url = `https://h/p?status=1&trans_id=k1&sub_id=${sub}&amount=${amount}&signature=${signature}`;
    const verdict = kiwiwall.verify(received(url), { secret });
    assert.equal(!verdict.ok && verdict.code, 'invalid-postback', url);
  }
});

test('credits nothing if another query precedes the first parameter', () => {
  const url = genuinePostback('kiwiwall').url.replace('?', '?from=kiwi?');
  const verdict = kiwiwall.verify(received(url), { secret });
  assert.deepEqual(verdict, { ok: false, code: 'invalid-postback', why: 'status is missing' });
});
