import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { genuinePostback, received, visit } from '../vectors.ts';
import { adapter as ayetstudios } from './adapter.ts';

const secret = 'ayet_test_api_key';
const header = 'x-ayetstudios-security-hash';
const hmac = (text: string) => createHmac('sha256', secret).update(text).digest('hex');
const verify = (query: string, hash: string | string[] | undefined, key = secret) =>
  ayetstudios.verify(received(`https://h/p?${query}`, { [header]: hash }), { secret: key });
const judged = (changes: Record<string, string | undefined>) =>
  ayetstudios.verify(genuinePostback('ayetstudios', changes), { secret });
const messageOf = (changes: Record<string, string | undefined>) => {
  const verdict = judged(changes);
  assert.ok(verdict.ok, JSON.stringify(changes));
  return verdict.message;
};
const codeOf = (changes: Record<string, string | undefined>) => {
  const verdict = judged(changes);
  return verdict.ok ? verdict.message.kind : verdict.code;
};

test('puts only placement and member into the wall URL', () => {
  const input = { url: ayetstudios.defaultWallUrl, apiKey: '1234', secret, memberRef: '123456789', ...visit };
  assert.equal(
    ayetstudios.wallUrl(input),
    'https://www.ayetstudios.com/offers/web_offerwall/1234?external_identifier=123456789',
  );
  for (const apiKey of ['', '..', 'a/b']) assert.throws(() => ayetstudios.wallUrl({ ...input, apiKey }));
  assert.throws(() => ayetstudios.wallUrl({ ...input, memberRef: '42' }));
});

const vector = {
  network: 'ayetstudios',
  amount: '360',
  external_identifier: 'user 42',
  payout_usd: '0.36',
  transaction_id: '381f99333613b41392b15183d69a7240308e8461',
  is_chargeback: '0',
  offer_name: "Tom's App (EU)~",
};
const vectorHash = 'eb2ac3fbc92b273ddd51e7758b7bd776fb37cdb909edc71d10980bde52e9f906';

test('verifies the known parameters in any order and encoding', () => {
  const text =
    'amount=360&external_identifier=user+42&is_chargeback=0&network=ayetstudios' +
    '&offer_name=Tom%27s+App+%28EU%29%7E&payout_usd=0.36&transaction_id=381f99333613b41392b15183d69a7240308e8461';
  assert.equal(hmac(text), vectorHash);
  const inAnotherOrder = new URLSearchParams(vector).toString();
  const percent = Object.entries(vector)
    .map((pair) => pair.map(encodeURIComponent).join('='))
    .join('&');
  for (const query of [text, inAnotherOrder, percent, text.replaceAll('%7E', '~').replace('%28', '(')]) {
    const verdict = verify(query, vectorHash);
    // The signature is right, but the id has a space.
    assert.equal(!verdict.ok && verdict.code, 'invalid-postback', query);
    assert.ok(verify(query, vectorHash.toUpperCase()).ok === verdict.ok);
  }
  for (const query of [text.replace('360', '361'), `${text}&x=`, text.replace('&is_chargeback=0', '')]) {
    const verdict = verify(query, vectorHash);
    assert.equal(!verdict.ok && verdict.code, 'invalid-signature', query);
  }
});

test('signs stars, empty values, names without values and invalid UTF-8 like PHP', () => {
  // The company publishes no vectors of these.
  const signed = (query: string, text: string) => {
    const base = 'currency_amount=5&external_identifier=123456789&';
    return verify(`${base}${query}&transaction_id=t1`, hmac(`${base}${text}&transaction_id=t1`));
  };
  for (const [query, text] of [
    ['offer_name=a*b', 'offer_name=a%2Ab'],
    ['offer_name=', 'offer_name='],
    ['offer_name', 'offer_name='],
    ['offer_name=a_b-c.d~', 'offer_name=a_b-c.d%7E'],
    ['offer_name=%EA%B2%8C', 'offer_name=%EA%B2%8C'],
    ['offer_name=\u00ea\u00b2\u008c', 'offer_name=%EA%B2%8C'],
    ['offer%5Fname=x', 'offer_name=x'],
    ['offer_name=%FF', 'offer_name=%FF'],
    ['offer_name=5%', 'offer_name=5%25'],
    ['offer_name=%zz', 'offer_name=%25zz'],
  ] as const)
    assert.ok(signed(query, text).ok, query);
});

test('reads the hash only from its header, and refuses two', () => {
  const { url, headers } = genuinePostback('ayetstudios');
  const hash = String(headers[header]);
  const query = url.slice(url.indexOf('?') + 1);
  assert.ok(verify(query, hash).ok);
  for (const wrong of [undefined, '', [hash], [hash, hash], `${hash}, ${hash}`, ` ${hash}`])
    assert.equal(verify(query, wrong).ok, false, JSON.stringify(wrong));
  assert.equal(verify(`${query}&hash=${hash}&${header}=${hash}`, undefined).ok, false);
  assert.equal(verify(query, createHmac('sha256', '').update(query).digest('hex'), '').ok, false);
});

test('refuses a repeated deciding parameter, also if the last one is signed', () => {
  const text = 'currency_amount=5&external_identifier=123456789&transaction_id=t1';
  const verdict = verify(`currency_amount=9&${text}`, hmac(text));
  assert.equal(!verdict.ok && verdict.code, 'invalid-postback');
});

test('reverses the credit whose id follows r-, with the reason', () => {
  const own = 'r-381f99333613b41392b15183d69a7240308e8461';
  const chargeback = messageOf({
    is_chargeback: '1',
    currency_amount: '-360.5',
    transaction_id: own,
    chargeback_reason: 'Fraud\n detected',
  });
  assert.deepEqual(chargeback, {
    kind: 'reversal',
    transactionId: own,
    creditTransactionId: own.slice(2),
    memberRef: '123456789',
    amountPoints: 360n,
    reason: 'Fraud detected',
  });
  for (const changes of [
    { is_chargeback: '1', transaction_id: own },
    { is_chargeback: '0', transaction_id: own, currency_amount: '-1' },
    { is_chargeback: undefined, currency_amount: '-1' },
  ])
    assert.equal(codeOf(changes), 'reversal', JSON.stringify(changes));
  const sameId = messageOf({ is_chargeback: '1' });
  assert.equal(sameId.kind === 'reversal' && sameId.creditTransactionId, sameId.transactionId);
  const all = messageOf({ is_chargeback: '1', currency_amount: '0' });
  assert.equal(all.kind === 'reversal' && all.amountPoints, null);
});

test('ignores amounts below a point and unknown statuses', () => {
  for (const currency_amount of ['0', '0.9']) {
    const message = messageOf({ currency_amount });
    assert.equal(message.kind === 'nothing' && message.why, 'zero-amount');
  }
  const message = messageOf({ is_chargeback: '2' });
  assert.equal(message.kind === 'nothing' && message.why, 'unknown-status');
});

test('refuses missing or malformed parameters of a signed call', () => {
  for (const changes of [
    { transaction_id: undefined },
    { transaction_id: 'a b' },
    { external_identifier: '' },
    { currency_amount: undefined },
    { currency_amount: '1e3' },
    { currency_amount: '1000000000000001' },
  ] as Record<string, string | undefined>[])
    assert.equal(codeOf(changes), 'invalid-postback', JSON.stringify(changes));
  assert.equal(codeOf({ payout_usd: undefined, is_chargeback: undefined, offer_name: undefined }), 'credit');
});
