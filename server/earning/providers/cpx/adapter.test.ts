import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { genuineOf, genuinePostback, received, visit } from '../vectors.ts';
import { adapter as cpx, wallHash } from './adapter.ts';

const secret = 'cpx_test_secret';
const judged = (changes: Record<string, string | undefined> = {}) =>
  cpx.verify(genuinePostback('cpx', changes), { secret });
const codeOf = (changes: Record<string, string | undefined>) => {
  const verdict = judged(changes);
  return verdict.ok ? verdict.message.kind : verdict.code;
};
const digest = (algorithm: string, text: string) => createHash(algorithm).update(text).digest('hex');
const withHash = (secureHash: string) =>
  received(genuinePostback('cpx').url.replace(/secure_hash=.*/, `secure_hash=${secureHash}`));

test('signs the wall URL by the known formula, without name or e-mail', () => {
  assert.equal(wallHash('user-42', secret), 'adae68f5c354cc4103577796e39f07ab');
  const secureHash = digest('md5', `123456789-${secret}`);
  assert.equal(
    cpx.wallUrl({ url: cpx.defaultWallUrl, apiKey: '7', secret, memberRef: '123456789', ...visit }),
    `https://offers.cpx-research.com/index.php?app_id=7&ext_user_id=123456789&secure_hash=${secureHash}`,
  );
});

test('signs a wall for member ids only, and only with keys', () => {
  const input = { url: cpx.defaultWallUrl, apiKey: '7', secret, memberRef: '123456789', ...visit };
  for (const memberRef of ['user-42', '', '012345678', '1001228131380', '123456789\n'])
    assert.throws(() => cpx.wallUrl({ ...input, memberRef }));
  assert.throws(() => cpx.wallUrl({ ...input, apiKey: '' }));
  assert.throws(() => cpx.wallUrl({ ...input, secret: '' }));
});

test('verifies the known vector as a credit of whole points', () => {
  const verdict = cpx.verify(withHash('3d3282d73a4b23d65a11c4d026bcf239'), { secret });
  assert.deepEqual(verdict, {
    ok: true,
    message: {
      kind: 'credit',
      transactionId: '1001228131380',
      memberRef: '123456789',
      amountPoints: 662n,
      payoutMicroUsd: 660_000n,
      offerName: '',
      offerId: '99',
      isScreenOut: false,
    },
  });
  assert.deepEqual(cpx.verify(withHash('3D3282D73A4B23D65A11C4D026BCF239'), { secret }), verdict);
});

test('refuses published formulas that are not the company’s', () => {
  const { trans_id, user_id } = genuineOf('cpx').values;
  const query = genuinePostback('cpx').url.replace(/^.*\?|&secure_hash=.*$/g, '');
  const sorted = query.split('&').sort().join('&');
  const wrong = {
    'without hyphen': digest('md5', `${trans_id}${secret}`),
    'the wall’s formula': digest('md5', `${user_id}-${secret}`),
    'app, secret and user': digest('md5', `7-${secret}-${user_id}`),
    'the sorted query': digest('sha256', sorted + secret),
    'secret first': digest('md5', `${secret}-${trans_id}`),
    sha1: digest('sha1', `${trans_id}-${secret}`),
    'cut short': digest('md5', `${trans_id}-${secret}`).slice(0, 31),
    'with a tail': `${digest('md5', `${trans_id}-${secret}`)}0`,
    encoded: `%33${'d3282d73a4b23d65a11c4d026bcf239'}`,
    empty: '',
  };
  for (const [name, secureHash] of Object.entries(wrong)) {
    const verdict = cpx.verify(withHash(secureHash), { secret });
    assert.equal(!verdict.ok && verdict.code, 'invalid-signature', name);
  }
});

test('declares that a wall’s hash verifies a postback about its member’s id', () => {
  const wall = new URL(
    cpx.wallUrl({ url: cpx.defaultWallUrl, apiKey: '7', secret, memberRef: '123456789', ...visit }),
  );
  const forged = genuinePostback('cpx', { trans_id: '123456789', amount_local: '9999' }).url;
  assert.ok(
    forged.endsWith(`secure_hash=${wall.searchParams.get('secure_hash')}`),
    'the two hashes are the same',
  );
  assert.equal(cpx.signsWallsLikePostbacks, true);
});

test('refuses every call without a secret, also one signed with an empty secret', () => {
  const raw = withHash(digest('md5', '1001228131380-'));
  const verdict = cpx.verify(raw, { secret: '' });
  assert.equal(!verdict.ok && verdict.code, 'invalid-signature');
});

test('reads 2, -2, a cancelled type and a negative amount as reversals', () => {
  const reversal = {
    kind: 'reversal',
    transactionId: '1001228131380',
    creditTransactionId: '1001228131380',
    memberRef: '123456789',
    amountPoints: 662n,
    reason: '',
  };
  for (const changes of [
    { status: '2' },
    { status: '-2' },
    { status: '2', amount_local: '-662.6500' },
    { status: '1', type: 'canceled' },
    { status: '1', amount_local: '-662.6500' },
  ])
    assert.deepEqual(judged(changes), { ok: true, message: reversal }, JSON.stringify(changes));
});

test('reverses the whole credit without an amount or for 0, and nothing below a point', () => {
  for (const amount_local of [undefined, '', '0', '0.0000', '-0']) {
    const verdict = judged({ status: '2', amount_local });
    assert.equal(verdict.ok && verdict.message.kind === 'reversal' && verdict.message.amountPoints, null);
  }
  assert.equal(codeOf({ status: '2', amount_local: '0.4' }), 'nothing');
});

test('pays screen-outs and bonuses without counting tasks', () => {
  for (const [type, isScreenOut] of [
    ['complete', false],
    ['', false],
    [undefined, false],
    ['out', true],
    ['return_out', true],
    ['bonus', true],
  ] as const) {
    const verdict = judged({ type, amount_local: '5' });
    assert.equal(
      verdict.ok && verdict.message.kind === 'credit' && verdict.message.isScreenOut,
      isScreenOut,
      type,
    );
  }
});

test('acknowledges zero amounts and unknown statuses without effect', () => {
  const subject = { kind: 'nothing', transactionId: '1001228131380', memberRef: '123456789' };
  for (const amount_local of ['0', '0.00', '0.9999', '-0'])
    assert.deepEqual(judged({ type: 'out', amount_local }), {
      ok: true,
      message: { ...subject, why: 'zero-amount' },
    });
  for (const status of ['0', '3', '-1', '01', '1 ', '22', 'constructor'])
    for (const type of ['complete', 'canceled'])
      assert.deepEqual(
        judged({ status, type }),
        { ok: true, message: { ...subject, why: 'unknown-status' } },
        `${status} ${type}`,
      );
});

test('refuses missing or malformed parameters of a signed call', () => {
  const invalid: Record<string, string | undefined>[] = [
    { status: undefined },
    { status: '' },
    { user_id: undefined },
    { user_id: '' },
    { user_id: 'a b' },
    { user_id: 'a\u0000' },
    { user_id: '한' },
    { user_id: 'x'.repeat(201) },
    { amount_local: undefined },
    { amount_local: '' },
    { amount_local: '1e3' },
    { amount_local: 'NaN' },
    { amount_local: ' 5' },
    { amount_local: '+5' },
    { amount_local: '1000000000000001' },
    { amount_local: '9'.repeat(300) },
    { trans_id: '' },
    { trans_id: undefined },
    { trans_id: 'x'.repeat(201) },
  ];
  for (const changes of invalid) assert.equal(codeOf(changes), 'invalid-postback', JSON.stringify(changes));
  assert.equal(codeOf({ amount_usd: undefined }), 'credit');
  assert.equal(codeOf({ amount_usd: '1000000000' }), 'credit');
});

test('checks the signature before the parameters', () => {
  const url = genuinePostback('cpx', { amount_local: 'NaN' }).url;
  const verdict = cpx.verify(received(url.replace('1001228131380', '1001228131381')), { secret });
  assert.equal(!verdict.ok && verdict.code, 'invalid-signature');
});

test('refuses a transaction that was signed in its encoded form', () => {
  const query = 'status=1&trans_id=a%41&user_id=123456789&amount_local=5';
  const url = `https://h/p?${query}&secure_hash=${digest('md5', `a%41-${secret}`)}`;
  const verdict = cpx.verify(received(url), { secret });
  assert.equal(!verdict.ok && verdict.code, 'invalid-postback');
});

test('§1-9 pitch of the surveys: states 5 to 15 minutes and up to 200 points', () => {
  const { minutesMin, minutesMax, rewardPointsMax } = cpx.pays;
  assert.deepEqual([minutesMin, minutesMax, rewardPointsMax], [5, 15, 200]);
});
