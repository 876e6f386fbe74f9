import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { genuinePostback, received, visit } from '../vectors.ts';
import { adapter as theoremreach } from './adapter.ts';

const secret = 'theorem_test_secret';
const address = 'https://rewards.example/cb/theoremreach';
const verify = (url: string, key = secret) => theoremreach.verify(received(url), { secret: key });
const judged = (changes: Record<string, string | undefined>) =>
  theoremreach.verify(genuinePostback('theoremreach', changes), { secret });
const messageOf = (changes: Record<string, string | undefined>) => {
  const verdict = judged(changes);
  assert.ok(verdict.ok, JSON.stringify(changes));
  return verdict.message;
};
const codeOf = (changes: Record<string, string | undefined>) => {
  const verdict = judged(changes);
  return verdict.ok ? verdict.message.kind : verdict.code;
};

test('puts only the member’s id into the wall URL', () => {
  const input = {
    url: theoremreach.defaultWallUrl,
    apiKey: 'a&b',
    secret,
    memberRef: '123456789',
    ...visit,
  };
  assert.equal(
    theoremreach.wallUrl(input),
    'https://theoremreach.com/respondent_entry/direct?api_key=a%26b&user_id=123456789',
  );
  assert.throws(() => theoremreach.wallUrl({ ...input, apiKey: '' }));
  assert.throws(() => theoremreach.wallUrl({ ...input, memberRef: 'user-42' }));
});

test('verifies the known credit and its reversal', () => {
  const credit = `${address}?user_id=user-42&reward=50&currency=0.5&tx_id=abc123`;
  assert.deepEqual(verify(`${credit}&hash=2SQ7NfAUl1hzEXxbhW1QlfA4zBM`), {
    ok: true,
    message: {
      kind: 'credit',
      transactionId: 'abc123',
      memberRef: 'user-42',
      amountPoints: 50n,
      payoutMicroUsd: 500_000n,
      offerName: '',
      isScreenOut: false,
    },
  });
  assert.deepEqual(verify(`${credit}&reversal=true&hash=ECxAQfKGiDOMonC4ibs3FiaVPto`), {
    ok: true,
    message: {
      kind: 'reversal',
      transactionId: 'abc123',
      creditTransactionId: 'abc123',
      memberRef: 'user-42',
      amountPoints: 50n,
      reason: '',
    },
  });
});

test('accepts only URL-safe base64 without padding', () => {
  const credit = `${address}?user_id=user-42&reward=50&currency=0.5&tx_id=t11`;
  assert.ok(verify(`${credit}&hash=v_3usfIVoy27sf1Pn1uXZppp-IE`).ok);
  const hex = createHmac('sha1', secret).update(credit).digest('hex');
  // The last one encodes the same bytes differently.
  const wrong = [
    'v/3usfIVoy27sf1Pn1uXZppp+IE=',
    'v/3usfIVoy27sf1Pn1uXZppp+IE',
    'v_3usfIVoy27sf1Pn1uXZppp-IE=',
    hex,
    'v_3usfIVoy27sf1Pn1uXZppp-IF',
  ];
  for (const hash of wrong) assert.equal(verify(`${credit}&hash=${hash}`).ok, false, hash);
});

test('finds the hash in any place, and checks every other byte', () => {
  const hash = '2SQ7NfAUl1hzEXxbhW1QlfA4zBM';
  for (const query of [
    `hash=${hash}&user_id=user-42&reward=50&currency=0.5&tx_id=abc123`,
    `user_id=user-42&reward=50&hash=${hash}&currency=0.5&tx_id=abc123`,
  ])
    assert.ok(verify(`${address}?${query}`).ok, query);
  for (const query of [
    `user_id=user-42&currency=0.5&reward=50&tx_id=abc123&hash=${hash}`,
    `user_id=user%2D42&reward=50&currency=0.5&tx_id=abc123&hash=${hash}`,
    `user_id=user-42&reward=50&currency=0.5&tx_id=abc123&&hash=${hash}`,
    `user_id=user-42&reward=50&currency=0.5&tx_id=abc123&reversal=true&hash=${hash}`,
  ])
    assert.equal(verify(`${address}?${query}`).ok, false, query);
  assert.equal(verify(`http://rewards.example/cb/theoremreach?user_id=user-42&hash=${hash}`).ok, false);
  const twice = verify(
    `${address}?user_id=user-42&reward=50&currency=0.5&tx_id=abc123&hash=${hash}&hash=${hash}`,
  );
  assert.equal(!twice.ok && twice.code, 'invalid-postback');
});

test('never credits a call in debug mode', () => {
  for (const debug of ['true', 'TRUE', '1', 'yes', 'on'])
    for (const changes of [
      {},
      { reversal: 'true' },
      { screenout: '1' },
      { reward: 'x' },
      { tx_id: undefined },
    ]) {
      const message = messageOf({ debug, ...changes });
      assert.equal(
        message.kind === 'nothing' && message.why,
        'test-call',
        `${debug} ${JSON.stringify(changes)}`,
      );
    }
  for (const debug of ['false', '0', '', undefined]) assert.equal(codeOf({ debug }), 'credit');
});

test('reads the reversal flag and a negative reward as reversals, and ignores other values', () => {
  for (const changes of [{ reversal: 'true' }, { reversal: '1' }, { reward: '-50' }])
    assert.equal(codeOf(changes), 'reversal', JSON.stringify(changes));
  for (const reward of ['0', '', undefined]) {
    const message = messageOf({ reversal: 'true', reward });
    assert.equal(message.kind === 'reversal' && message.amountPoints, null);
  }
  const message = messageOf({ reversal: 'maybe' });
  assert.equal(message.kind === 'nothing' && message.why, 'unknown-status');
});

test('pays screen-outs and profile answers without counting tasks', () => {
  for (const changes of [{ screenout: '1' }, { screenout: 'true' }, { profiler: '1' }]) {
    const message = messageOf(changes);
    assert.ok(message.kind === 'credit' && message.isScreenOut, JSON.stringify(changes));
  }
  for (const reward of ['0', '0.9', '-0']) {
    const message = messageOf({ screenout: '1', reward });
    assert.equal(message.kind === 'nothing' && message.why, 'zero-amount');
  }
});

test('refuses missing or malformed parameters of a signed call', () => {
  for (const changes of [
    { user_id: undefined },
    { tx_id: '' },
    { tx_id: 'a b' },
    { reward: undefined },
    { reward: '1e3' },
    { reward: '9'.repeat(40) },
  ] as Record<string, string | undefined>[])
    assert.equal(codeOf(changes), 'invalid-postback', JSON.stringify(changes));
  assert.equal(codeOf({ currency: undefined, offer_name: undefined }), 'credit');
});
