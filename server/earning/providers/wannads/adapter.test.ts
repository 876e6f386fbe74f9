import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { MEMBER_ID } from '#contract/fields.ts';
import { genuinePostback, received, visit } from '../vectors.ts';
import { adapter as wannads } from './adapter.ts';

const secret = 'wannads_test_secret';
const md5 = (text: string) => createHash('md5').update(text).digest('hex');
type Generation = 'wannads' | 'wannadsOld';
const generations: readonly Generation[] = ['wannads', 'wannadsOld'];
const judged = (form: Generation, changes: Record<string, string | undefined>) =>
  wannads.verify(genuinePostback(form, changes), { secret });
const messageOf = (form: Generation, changes: Record<string, string | undefined>) => {
  const verdict = judged(form, changes);
  assert.ok(verdict.ok, JSON.stringify(changes));
  return verdict.message;
};
const codeOf = (form: Generation, changes: Record<string, string | undefined>) => {
  const verdict = judged(form, changes);
  return verdict.ok ? verdict.message.kind : verdict.code;
};
const verify = (query: string, key = secret) =>
  wannads.verify(received(`https://h/p?${query}`), { secret: key });

test('puts member, brand and day into the wall URL, without name or e-mail', () => {
  const input = { url: wannads.defaultWallUrl, apiKey: 'k1', secret, memberRef: '123456789', ...visit };
  assert.equal(
    wannads.wallUrl({ ...input, brand: 'A & B' }),
    'https://earn.wannads.com/wall?apiKey=k1&userId=123456789&sub1=A+%26+B&sub2=2026-01-02',
  );
  assert.throws(() => wannads.wallUrl({ ...input, apiKey: '' }));
  assert.throws(() => wannads.wallUrl({ ...input, memberRef: '42' }));
});

test('verifies the known vectors of both generations, each with its text of the reward', () => {
  const vectors = [
    ['W-98765', '120.5', '4f5160b2e59127c59dc93ecd102911fc', 'credit'],
    ['W-98765', '120.50', '61886729169510b30d1a8fbbb9e42b41', 'credit'],
    ['W-98766', '-120.5', '7feb33aa024b74b6a6c199cbeaed2634', 'reversal'],
  ] as const;
  for (const [transaction, reward, signature, kind] of vectors)
    for (const query of [
      `user_id=user-42&transaction_id=${transaction}&status=${kind === 'credit' ? 'credited' : 'rejected'}`,
      `subId=user-42&transId=${transaction}&status=${kind === 'credit' ? '1' : '2'}`,
    ]) {
      const verdict = verify(`${query}&reward=${reward}&signature=${signature}`);
      assert.ok(verdict.ok && verdict.message.kind === kind, query);
      assert.deepEqual(
        [verdict.message.transactionId, verdict.message.memberRef, verdict.message.amountPoints],
        [transaction, 'user-42', 120n],
      );
      assert.ok(verify(`${query}&reward=${reward}&signature=${signature.toUpperCase()}`).ok);
    }
  assert.equal(
    verify(
      'user_id=user-42&transaction_id=W-98765&reward=120.50&status=credited&signature=4f5160b2e59127c59dc93ecd102911fc',
    ).ok,
    false,
  );
});

test('refuses other formulas and an empty secret', () => {
  const query = 'user_id=123456789&transaction_id=W-1&reward=5&status=credited';
  for (const text of [
    `123456789-W-1-5-${secret}`,
    `W-11234567895${secret}`,
    '123456789W-15',
    `1234567895${secret}`,
  ])
    assert.equal(verify(`${query}&signature=${md5(text)}`).ok, false, text);
  assert.equal(verify(`${query}&signature=${md5('123456789W-15')}`, '').ok, false);
});

test('reads the statuses of both generations, and a negative reward as a reversal', () => {
  for (const form of generations) {
    for (const status of ['1', 'credited']) assert.equal(codeOf(form, { status }), 'credit');
    for (const status of ['2', 'rejected']) {
      assert.equal(codeOf(form, { status }), 'reversal');
      assert.equal(codeOf(form, { status, reward: '-120.5' }), 'reversal');
      for (const reward of ['0', '']) {
        const message = messageOf(form, { status, reward });
        assert.equal(message.kind === 'reversal' && message.amountPoints, null);
      }
    }
    for (const status of ['1', 'credited', '7']) {
      const message = messageOf(form, { status, reward: '-120.5' });
      assert.equal(message.kind === 'reversal' && message.amountPoints, 120n);
    }
    for (const status of ['0', '3', 'pending', 'Credited']) {
      const message = messageOf(form, { status });
      assert.equal(message.kind === 'nothing' && message.why, 'unknown-status');
    }
    for (const reward of ['0', '0.99', '-0']) {
      const message = messageOf(form, { reward });
      assert.equal(message.kind === 'nothing' && message.why, 'zero-amount');
    }
  }
});

test('links the old generation by uuid, the new one by offer, goal and reward', () => {
  const linkOf = (form: Generation, changes: Record<string, string | undefined>) => {
    const message = messageOf(form, changes);
    return message.kind === 'nothing' ? null : message.link;
  };
  const rejection = { transId: 'W-98766', status: '2' };
  assert.equal(linkOf('wannadsOld', {}), 'uuid:6f1c2a3e-0b4d-4d1c-9d55-8f6a1e2b3c4d');
  assert.equal(linkOf('wannadsOld', rejection), linkOf('wannadsOld', {}));
  assert.equal(linkOf('wannadsOld', { uuid: undefined }), undefined);
  const newRejection = { transaction_id: 'W-98766', status: 'rejected', reward: '-120.5' };
  assert.equal(linkOf('wannads', {}), 'offer:123456789:71:2:120');
  assert.equal(linkOf('wannads', newRejection), linkOf('wannads', {}));
  assert.notEqual(linkOf('wannads', { ...newRejection, offer_id: '72' }), linkOf('wannads', {}));
  assert.equal(linkOf('wannads', { goal_id: undefined }), 'offer:123456789:71::120');
  assert.equal(linkOf('wannads', { offer_id: undefined }), undefined);
});

test('refuses missing or malformed parameters of a signed call', () => {
  for (const form of generations) {
    const [user, transaction] = form === 'wannads' ? ['user_id', 'transaction_id'] : ['subId', 'transId'];
    for (const changes of [
      { status: undefined },
      { [user]: '' },
      { [transaction]: '' },
      { [transaction]: undefined },
      { reward: undefined },
      { reward: '1e3' },
      { reward: '1000000000000001' },
    ] as Record<string, string | undefined>[])
      assert.equal(codeOf(form, changes), 'invalid-postback', `${form} ${JSON.stringify(changes)}`);
    assert.equal(codeOf(form, { payout: undefined }), 'credit');
  }
});

test('refuses values that were signed in their encoded form', () => {
  for (const [user, transaction, reward] of [
    ['%31', 'a', '5'],
    ['1', '%61', '5'],
    ['1', 'a', '%35'],
  ]) {
    const signature = md5(`${user}${transaction}${reward}${secret}`);
    const verdict = verify(
      `user_id=${user}&transaction_id=${transaction}&reward=${reward}&status=1&signature=${signature}`,
    );
    assert.equal(!verdict.ok && verdict.code, 'invalid-postback');
  }
});

test('verifies digits moved between joined neighbours, as the facts say', () => {
  const shifted = (form: Generation, values: Record<string, string>) => {
    let { url } = genuinePostback(form, { [form === 'wannads' ? 'transaction_id' : 'transId']: '98765' });
    for (const [name, value] of Object.entries(values))
      url = url.replace(new RegExp(`([?&]${name}=)[^&]*`), `$1${value}`);
    const verdict = wannads.verify(received(url), { secret });
    assert.ok(verdict.ok);
    return verdict.message;
  };
  for (const [form, user, transaction] of [
    ['wannads', 'user_id', 'transaction_id'],
    ['wannadsOld', 'subId', 'transId'],
  ] as const) {
    const larger = shifted(form, { [transaction]: '9876', reward: '5120.5' });
    assert.ok(larger.kind === 'credit');
    assert.deepEqual([larger.transactionId, larger.amountPoints], ['9876', 5120n]);
    const nobody = shifted(form, { [user]: '1234567899', [transaction]: '8765' });
    assert.equal(nobody.memberRef, '1234567899');
    assert.ok(!MEMBER_ID.test(nobody.memberRef ?? ''));
  }
});
