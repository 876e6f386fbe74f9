import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import { test } from 'node:test';
import { genuinePostback, received, visit } from '../vectors.ts';
import { adapter as bitlabs } from './adapter.ts';

const secret = 'bitlabs_test_secret';
const hmac = (text: string, key = secret) => createHmac('sha1', key).update(text).digest('hex');
const judged = (changes: Record<string, string | undefined>) =>
  bitlabs.verify(genuinePostback('bitlabs', changes), { secret });
const messageOf = (changes: Record<string, string | undefined>) => {
  const verdict = judged(changes);
  assert.ok(verdict.ok, JSON.stringify(changes));
  return verdict.message;
};
const codeOfUrl = (url: string, key = secret) => {
  const verdict = bitlabs.verify(received(url), { secret: key });
  return verdict.ok ? verdict.message.kind : verdict.code;
};

test('names the member only by token and uid in the wall URL', () => {
  assert.equal(
    bitlabs.wallUrl({ url: bitlabs.defaultWallUrl, apiKey: 'a&b', secret, memberRef: '123456789', ...visit }),
    'https://web.bitlabs.ai/?token=a%26b&uid=123456789',
  );
  assert.throws(() =>
    bitlabs.wallUrl({ url: bitlabs.defaultWallUrl, apiKey: '', secret, memberRef: '123456789', ...visit }),
  );
});

test('verifies the company’s own vector, and refuses it without a transaction', () => {
  const url = 'https://publisher.com/complete?uid=8cc877ee-af19-488d-b28d-216fb866b996&val=500';
  const signed = `${url}&hash=dbcd6bb8ca677344592842a52b4fca9bec36cd4b`;
  assert.deepEqual(bitlabs.verify(received(signed), { secret: 'JLOIAUNMHFli7ZJOQVEzm98rzqnm9' }), {
    ok: false,
    code: 'invalid-postback',
    why: 'tx is missing',
  });
});

test('verifies the known credit and its reconciliation', () => {
  const address = 'https://rewards.example/cb/bitlabs';
  const credit = `${address}?uid=user-42&tx=s123456&val=250&raw=0.5&type=COMPLETE&offer=A%20%26%20B`;
  const verdict = bitlabs.verify(received(`${credit}&hash=31b612024c7c63b317278417b221b8bed327113a`), {
    secret,
  });
  assert.deepEqual(verdict, {
    ok: true,
    message: {
      kind: 'credit',
      transactionId: 's123456',
      memberRef: 'user-42',
      amountPoints: 250n,
      payoutMicroUsd: null,
      offerName: 'A & B',
      isScreenOut: false,
    },
  });
  assert.deepEqual(
    bitlabs.verify(received(`${credit}&hash=31B612024C7C63B317278417B221B8BED327113A`), { secret }),
    verdict,
  );
  const taken = `${address}?uid=user-42&tx=sr123456&val=-250&raw=-0.5&type=RECONCILIATION&ref=s123456`;
  assert.deepEqual(
    bitlabs.verify(received(`${taken}&hash=b80c04fd5f88ff5edebab506861a5e2720f7c77c`), { secret }),
    {
      ok: true,
      message: {
        kind: 'reversal',
        transactionId: 'sr123456',
        creditTransactionId: 's123456',
        memberRef: 'user-42',
        amountPoints: 250n,
        reason: '',
      },
    },
  );
});

test('refuses published formulas that are not the company’s', () => {
  const query = 'uid=123456789&tx=s1&val=250';
  const url = `https://h/p?${query}`;
  const wrong = {
    'uid and amount': hmac('123456789:250'),
    'the sorted query': hmac('tx=s1&uid=123456789&val=250'),
    'the query alone': hmac(query),
    'the path and query': hmac(`/p?${query}`),
    'with the hash’s name': hmac(`${url}&hash=`),
    'md5 of a template': createHash('md5').update(`123456789250${secret}`).digest('hex'),
    'sha1 without key': createHash('sha1').update(url).digest('hex'),
    sha256: createHmac('sha256', secret).update(url).digest('hex'),
    base64: createHmac('sha1', secret).update(url).digest('base64'),
  };
  for (const [name, hash] of Object.entries(wrong))
    assert.equal(codeOfUrl(`${url}&hash=${hash}`), 'invalid-signature', name);
  assert.equal(codeOfUrl(`${url}&hash=${hmac(url)}`), 'credit');
  assert.equal(codeOfUrl(`${url}&hash=${hmac(url, '')}`, ''), 'invalid-signature');
});

test('checks scheme, host, port, path and every byte of the query', () => {
  const url = 'https://rewards.example/cb?uid=123456789&tx=s1&val=250&offer=a%2Fb%20c';
  const hash = hmac(url);
  for (const other of [
    url.replace('https:', 'http:'),
    url.replace('rewards.example', 'rewards.example:443'),
    url.replace('rewards.example', 'Rewards.example'),
    url.replace('/cb?', '/cb/?'),
    url.replace('%2F', '%2f'),
    url.replace('%2F', '/'),
    url.replace('%20', '+'),
    `${url}&`,
    url.replace('tx=s1&val=250', 'val=250&tx=s1'),
  ])
    assert.equal(codeOfUrl(`${other}&hash=${hash}`), 'invalid-signature', other);
});

test('reads the signature from the last hash parameter, which must end the URL', () => {
  const url = 'https://h/p?hash=ours&uid=123456789&tx=s1&val=250';
  assert.equal(codeOfUrl(`${url}&hash=${hmac(url)}`), 'credit');
  const inside = 'https://h/p?uid=123456789&hash=ours&tx=s1&val=250';
  assert.equal(codeOfUrl(`${inside}&hash=${hmac(inside)}`), 'credit');
  assert.equal(codeOfUrl(`${url}&hash=${hmac(url)}&x=1`), 'invalid-signature');
  assert.equal(codeOfUrl(`${url}&hash=${hmac(url)}&hash=${hmac(url)}`), 'invalid-signature');
  assert.equal(codeOfUrl(url), 'invalid-signature');
  const first = 'https://h/p';
  assert.equal(codeOfUrl(`${first}?hash=${hmac(first)}`), 'invalid-signature');
});

test('checks bytes above ASCII as received, and refuses characters of more than a byte', () => {
  const url = 'https://h/p?uid=123456789&tx=s1&val=250&offer=\xed\x95\x9c';
  const hash = createHmac('sha1', secret).update(Buffer.from(url, 'latin1')).digest('hex');
  const verdict = bitlabs.verify(received(`${url}&hash=${hash}`), { secret });
  assert.equal(verdict.ok && verdict.message.kind === 'credit' && verdict.message.offerName, '한');
  assert.equal(codeOfUrl(`${url.replace('\xed', '\u01ed')}&hash=${hash}`), 'invalid-signature');
});

test('reads the four types of survey calls', () => {
  assert.equal(messageOf({ type: 'COMPLETE' }).kind, 'credit');
  const out = messageOf({ type: 'SCREENOUT', val: '3' });
  assert.equal(out.kind === 'credit' && out.isScreenOut, true);
  const bonus = messageOf({ type: 'START_BONUS', val: '30' });
  assert.equal(bonus.kind === 'nothing' && bonus.why, 'start-bonus');
  assert.equal(messageOf({ type: 'START_BONUS', val: '-30' }).kind, 'nothing');
  const taken = messageOf({ type: 'RECONCILIATION', tx: 's9', ref: 's1', val: '-250.9' });
  assert.deepEqual(
    taken.kind === 'reversal' && [taken.transactionId, taken.creditTransactionId, taken.amountPoints],
    ['s9', 's1', 250n],
  );
  const same = messageOf({ type: 'RECONCILIATION', ref: '' });
  assert.equal(same.kind === 'reversal' && same.creditTransactionId, 's123456');
});

test('reverses an offer without states by its own transaction', () => {
  const credit = messageOf({ tx: 'o77', state: 'NONE', type: 'COMPLETE' });
  assert.equal(credit.kind, 'credit');
  assert.equal(messageOf({ tx: 'o77', ref: 'o76', state: 'NONE' }).kind, 'credit');
  assert.equal(messageOf({ tx: 'orange', ref: '', state: 'NONE' }).kind, 'credit');
  for (const changes of [
    { tx: 'or77', ref: 'o77', val: '-250', type: 'RECONCILIATION' },
    { tx: 'or77', ref: 'o77', val: '-250', type: 'COMPLETE' },
    { tx: 'or77', ref: 'o77', val: '250', type: 'COMPLETE' },
    { tx: 'or77', ref: '', val: '-250', type: '' },
    { tx: 'or77', ref: undefined, val: '-250', type: 'SOMETHING_NEW' },
  ]) {
    const message = messageOf({ state: 'NONE', ...changes });
    assert.deepEqual(
      message.kind === 'reversal' && [
        message.transactionId,
        message.creditTransactionId,
        message.amountPoints,
      ],
      ['or77', 'o77', 250n],
      JSON.stringify(changes),
    );
  }
});

test('reads an offer with states only by its state', () => {
  for (const type of ['COMPLETE', 'RECONCILIATION', 'START_BONUS', '', 'X']) {
    const base = { tx: 'o77', type, val: '250' };
    const pending = messageOf({ ...base, state: 'PENDING' });
    assert.equal(pending.kind === 'nothing' && pending.why, 'pending');
    assert.equal(messageOf({ ...base, state: 'COMPLETED', ref: 'o77' }).kind, 'credit');
    const taken = messageOf({ ...base, state: 'RECONCILED' });
    assert.deepEqual(
      taken.kind === 'reversal' && [taken.transactionId, taken.creditTransactionId, taken.amountPoints],
      ['o77', 'o77', 250n],
    );
  }
  const negative = messageOf({ tx: 'o77', state: 'COMPLETED', val: '-250' });
  assert.equal(negative.kind === 'reversal' && negative.creditTransactionId, 'o77');
  const own = messageOf({ tx: 'orange', state: 'RECONCILED' });
  assert.equal(own.kind === 'reversal' && own.creditTransactionId, 'orange');
  assert.equal(messageOf({ tx: 'orange', ref: 'orange', state: 'COMPLETED' }).kind, 'credit');
});

test('ignores receipts under review or rejected, unknown statuses and zero amounts', () => {
  const why = (changes: Record<string, string | undefined>) => {
    const message = messageOf(changes);
    return message.kind === 'nothing' ? message.why : message.kind;
  };
  assert.equal(why({ state: 'REVIEWING' }), 'pending');
  assert.equal(why({ state: 'REJECTED' }), 'rejected');
  assert.equal(why({ state: 'completed' }), 'unknown-status');
  assert.equal(why({ state: 'constructor' }), 'unknown-status');
  assert.equal(why({ state: 'LOST', val: '-5' }), 'unknown-status');
  assert.equal(why({ type: 'INSTALL' }), 'unknown-status');
  assert.equal(why({ type: '__proto__' }), 'unknown-status');
  for (const val of ['0', '0.0', '0.99']) assert.equal(why({ val }), 'zero-amount');
});

test('refuses missing, repeated or malformed parameters of a signed call', () => {
  for (const changes of [
    { uid: undefined },
    { uid: '' },
    { uid: 'a\u0000b' },
    { tx: undefined },
    { tx: 'a b' },
    { val: undefined },
    { val: '' },
    { val: '1e3' },
    { val: ' 5' },
    { val: '1000000000000001' },
    { ref: 'a b' },
  ] as Record<string, string | undefined>[]) {
    const verdict = judged(changes);
    assert.equal(!verdict.ok && verdict.code, 'invalid-postback', JSON.stringify(changes));
  }
  for (const query of [
    'uid=123456789&tx=s1&val=250&val=250',
    'uid=123456789&tx=s1&val=250&%76al=9',
    'uid=123456789&tx=s1&val=250&ref=%ff',
  ]) {
    const url = `https://h/p?${query}`;
    assert.equal(codeOfUrl(`${url}&hash=${hmac(url)}`), 'invalid-postback', query);
  }
});
