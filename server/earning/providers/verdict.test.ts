import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ignoredMessage, type PostbackMessage } from './message.ts';
import { InvalidPostback } from './raw-query.ts';
import { isDigest, verifyPostback } from './verdict.ts';

const message = ignoredMessage('pending', { transactionId: 't', memberRef: 'm' });
const fails = (error: Error) => (): PostbackMessage => {
  throw error;
};

test('compares every character of a digest, in either case', () => {
  assert.ok(isDigest('00ff', '00ff'));
  assert.ok(isDigest('00FF', '00ff'));
  for (const received of ['', '00f', '00ff0', '00fe', ' 0ff', '0\u0130ff', '00f\u0166', '00\u{1f3ae}'])
    assert.ok(!isDigest(received, '00ff'), received);
  assert.ok(!isDigest('', ''));
});

test('reads no parameter of a call without a valid signature', () => {
  const translate = fails(new Error('read'));
  assert.equal(verifyPostback({ secret: 's', isSigned: () => false, translate }).ok, false);
  assert.equal(verifyPostback({ secret: '', isSigned: () => true, translate }).ok, false);
  assert.deepEqual(verifyPostback({ secret: 's', isSigned: () => true, translate: () => message }), {
    ok: true,
    message,
  });
});

test('returns an invalid postback as a verdict, and throws other errors', () => {
  const verified = (error: Error) =>
    verifyPostback({ secret: 's', isSigned: () => true, translate: fails(error) });
  assert.deepEqual(verified(new InvalidPostback('tx is missing')), {
    ok: false,
    code: 'invalid-postback',
    why: 'tx is missing',
  });
  assert.throws(() => verified(new TypeError('ours')), TypeError);
});
