import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import type { RawPostback } from '../provider.ts';
import { phpEncoded } from '../vector-shape.ts';
import { genuinePostback, publicOrigin, received, visit } from '../vectors.ts';
import { adapter as adgem } from './adapter.ts';

const secret = 'adgem_test_key';
const hmac = (text: string | Buffer) => createHmac('sha256', secret).update(text).digest('hex');
const judged = (changes: Record<string, string | undefined>) =>
  adgem.verify(genuinePostback('adgem', changes), { secret });
const messageOf = (changes: Record<string, string | undefined>) => {
  const verdict = judged(changes);
  assert.ok(verdict.ok, JSON.stringify(changes));
  return verdict.message;
};
const codeOf = (changes: Record<string, string | undefined>) => {
  const verdict = judged(changes);
  return verdict.ok ? verdict.message.kind : verdict.code;
};

const posted = (body: string | Buffer, signature: string | undefined = hmac(body)): RawPostback => ({
  method: 'POST',
  url: `${publicOrigin}/api/webhooks/postback/adgem`,
  headers: { signature },
  rawBody: Buffer.from(body),
});
const verifyBody = (body: string | Buffer, signature?: string) =>
  adgem.verify(posted(body, signature), { secret });
/** Makes a body with any text as amount. AdGem sends numbers. */
const bodyOf = (changes: Record<string, string | undefined> = {}) => {
  const data: Record<string, string | undefined> = {
    player_id: '"123456789"',
    payout: '2.5',
    amount: '1000.5',
    transaction_id: '"tx-1"',
    offer_id: '71',
    offer_name: '"Caf\\u00e9 \\/ Farm"',
    conversion_type: '"purchase"',
    country: '"US"',
    goal_id: 'null',
    ...changes,
  };
  const values = Object.entries(data).filter(([, value]) => value !== undefined);
  const text = values.map(([name, value]) => `"${name}":${value}`).join(',');
  return `{"request_id":"0e9b8f6c-2b0d-4a55-9d7e-0c1f8a4e6b21","timestamp":1760000000,"data":{${text}}}`;
};

test('names the member only by app and player id in the wall URL', () => {
  const input = { url: adgem.defaultWallUrl, apiKey: '31', secret, memberRef: '123456789', ...visit };
  assert.equal(adgem.wallUrl(input), 'https://api.adgem.com/v1/wall?appid=31&playerid=123456789');
  assert.throws(() => adgem.wallUrl({ ...input, apiKey: '' }));
  assert.throws(() => adgem.wallUrl({ ...input, memberRef: 'user-42' }));
});

test('verifies the known URL, which is encoded like PHP', () => {
  const name = phpEncoded('Example App: Sports & Casino (iOS)', '%20');
  assert.equal(name, 'Example%20App%3A%20Sports%20%26%20Casino%20%28iOS%29');
  assert.equal(phpEncoded("Tom's (App)* go!~", '%20'), 'Tom%27s%20%28App%29%2A%20go%21~');
  const url =
    `https://rewards.example/cb/adgem?amount=1000&campaign_name=${name}&payout=2.5&player_id=user-42` +
    '&transaction_id=tx-1&request_id=0e9b8f6c-2b0d-4a55-9d7e-0c1f8a4e6b21';
  const verifier = '0515cdefc89f80869aca0a1c9c91b5cbf3b5cb35566ff066d3c8facc7a0f3364';
  assert.deepEqual(adgem.verify(received(`${url}&verifier=${verifier}`), { secret }), {
    ok: true,
    message: {
      kind: 'credit',
      transactionId: 'tx-1',
      memberRef: 'user-42',
      amountPoints: 1000n,
      payoutMicroUsd: 2_500_000n,
      offerName: 'Example App: Sports & Casino (iOS)',
      isScreenOut: false,
    },
  });
  for (const wrong of [
    url.replace('rewards.example', 'other.example'),
    url.replace('%28', '('),
    `${url}&a=1`,
  ])
    assert.equal(adgem.verify(received(`${wrong}&verifier=${verifier}`), { secret }).ok, false, wrong);
});

test('verifies the known body, and refuses it without an amount', () => {
  const body =
    '{"request_id":"0e9b8f6c-2b0d-4a55-9d7e-0c1f8a4e6b21","timestamp":1760000000,' +
    '"data":{"player_id":"user-42","payout":2.5,"transaction_id":"tx-1"}}';
  const signature = 'f78dd6678c0e33550259984083b117e910e6d69c37b592f6f16d54aa75118774';
  assert.deepEqual(verifyBody(body, signature), {
    ok: false,
    code: 'invalid-postback',
    why: 'amount is missing',
  });
  const other = verifyBody(body.replace('tx-1', 'tx-2'), signature);
  assert.equal(!other.ok && other.code, 'invalid-signature');
});

test('gives each goal of a transaction its own id, independent of the delivery', () => {
  assert.equal(messageOf({}).transactionId, 'tx-1:g1');
  assert.equal(messageOf({ goal_id: 'g2' }).transactionId, 'tx-1:g2');
  assert.equal(messageOf({ request_id: 'another' }).transactionId, 'tx-1:g1');
  for (const goal_id of ['', undefined]) assert.equal(messageOf({ goal_id }).transactionId, 'tx-1');
});

test('reads a negative amount as a reversal, zero as no effect, a malformed one as invalid', () => {
  const reversal = messageOf({ amount: '-1000.5' });
  assert.ok(reversal.kind === 'reversal' && reversal.amountPoints === 1000n);
  assert.equal(reversal.creditTransactionId, 'tx-1:g1');
  for (const amount of ['0', '0.9', '-0']) {
    const message = messageOf({ amount });
    assert.equal(message.kind === 'nothing' && message.why, 'zero-amount');
  }
  for (const changes of [
    { amount: undefined },
    { amount: '' },
    { amount: '1e3' },
    { player_id: undefined },
    { transaction_id: 'a b' },
    { goal_id: 'ü' },
  ] as Record<string, string | undefined>[])
    assert.equal(codeOf(changes), 'invalid-postback', JSON.stringify(changes));
});

test('reads a body like a URL with the same parameters, and keeps the text of numbers', () => {
  assert.deepEqual(verifyBody(bodyOf()), {
    ok: true,
    message: {
      kind: 'credit',
      transactionId: 'tx-1',
      memberRef: '123456789',
      amountPoints: 1000n,
      payoutMicroUsd: 2_500_000n,
      offerName: 'Café / Farm',
      offerId: '71',
      isScreenOut: false,
    },
  });
  const meaning = (changes: Record<string, string | undefined>) => {
    const verdict = verifyBody(bodyOf(changes));
    if (!verdict.ok) return verdict.code;
    const { message } = verdict;
    return message.kind === 'nothing' ? message.why : `${message.kind} ${message.amountPoints}`;
  };
  const amounts: [string | undefined, string][] = [
    ['"1000.5"', 'credit 1000'],
    // A float would round it up to 10^15.
    ['999999999999999.99', 'credit 999999999999999'],
    ['-1000', 'reversal 1000'],
    ['0', 'zero-amount'],
    ['1e3', 'invalid-postback'],
    ['1000000000000001', 'invalid-postback'],
    ['null', 'invalid-postback'],
    ['[1000]', 'invalid-postback'],
    ['true', 'invalid-postback'],
    [undefined, 'invalid-postback'],
  ];
  for (const [amount, wanted] of amounts) assert.equal(meaning({ amount }), wanted, amount);
  assert.equal(meaning({ player_id: '123456789' }), 'credit 1000');
  for (const player_id of [undefined, 'null', '{}', '""'])
    assert.equal(meaning({ player_id }), 'invalid-postback');
  const goal = verifyBody(bodyOf({ goal_id: '7' }));
  assert.equal(goal.ok && goal.message.transactionId, 'tx-1:7');
});

test('refuses a body that is not a JSON object or has no data', () => {
  for (const body of [
    '{',
    'x=1',
    '[]',
    'null',
    '1',
    '{"data":[]}',
    '{"data":null}',
    '{}',
    '['.repeat(60_000),
  ]) {
    const verdict = verifyBody(body);
    assert.equal(!verdict.ok && verdict.code, 'invalid-postback', body.slice(0, 20));
  }
  const notText = verifyBody(
    Buffer.concat([Buffer.from(bodyOf().slice(0, -2)), Buffer.from([0xff, 0x7d, 0x7d])]),
  );
  assert.equal(!notText.ok && notText.code, 'invalid-postback');
});

test('shows labels of a body as they came, and refuses deciding values in another encoding', () => {
  const inBody = (changes: Record<string, string>) => {
    const verdict = verifyBody(Buffer.from(bodyOf(changes), 'latin1'));
    if (!verdict.ok) return verdict.code;
    assert.ok(verdict.message.kind === 'credit');
    return [verdict.message.offerName, verdict.message.payoutMicroUsd];
  };
  assert.deepEqual(inBody({ campaign_name: '"\xc7\xd1 App"' }), ['%C7%D1 App', 2_500_000n]);
  // Half an emoji, as a name that was cut has it.
  assert.deepEqual(inBody({ campaign_name: '"App \\ud83d"' }), ['App \ufffd', 2_500_000n]);
  assert.deepEqual(inBody({ campaign_name: '[]', payout: '8.0E-4' }), ['Café / Farm', 800n]);
  assert.deepEqual(inBody({ payout: '""' }), ['Café / Farm', null]);
  for (const name of ['player_id', 'transaction_id', 'goal_id', 'amount'])
    assert.equal(inBody({ [name]: '"\xc7"' }), 'invalid-postback', name);
});

test('reads the URL only without a body', () => {
  const { url } = genuinePostback('adgem');
  const none = adgem.verify({ ...posted(bodyOf()), url, headers: {} }, { secret });
  assert.equal(!none.ok && none.code, 'invalid-signature');
  const both = adgem.verify({ ...posted(bodyOf({ amount: '7' })), url }, { secret });
  assert.ok(both.ok && both.message.kind === 'credit' && both.message.amountPoints === 7n);
  const empty = adgem.verify({ ...posted(''), url, headers: {} }, { secret });
  assert.ok(empty.ok && empty.message.kind === 'credit' && empty.message.amountPoints === 1000n);
});

test('checks every character of a body’s signature, in either case, and refuses two', () => {
  const body = bodyOf();
  const signature = hmac(body);
  assert.ok(verifyBody(body, signature.toUpperCase()).ok);
  for (let at = 0; at < signature.length; at += 1) {
    const wrong = signature.slice(0, at) + (signature[at] === '0' ? '1' : '0') + signature.slice(at + 1);
    assert.equal(verifyBody(body, wrong).ok, false, `character ${at}`);
  }
  for (const wrong of ['', `${signature}, ${signature}`, `sha256=${signature}`])
    assert.equal(verifyBody(body, wrong).ok, false);
  const twice = { ...posted(body), headers: { signature: [signature, signature] } };
  assert.equal(adgem.verify(twice, { secret }).ok, false);
  assert.equal(
    adgem.verify(posted(body, createHmac('sha256', '').update(body).digest('hex')), { secret: '' }).ok,
    false,
  );
});

test('refuses every change to a signed body', () => {
  const body = Buffer.from(bodyOf());
  const signature = hmac(body);
  fc.assert(
    fc.property(fc.nat(body.length), fc.nat(3), fc.uint8Array({ maxLength: 3 }), (at, removed, added) => {
      const changed = Buffer.concat([body.subarray(0, at), added, body.subarray(at + removed)]);
      assert.equal(verifyBody(changed, signature).ok, changed.equals(body));
    }),
    { numRuns: 500 },
  );
});
