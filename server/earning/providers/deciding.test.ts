import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CreditMessage } from './message.ts';
import { decidingNames, type RawPostback } from './provider.ts';
import { adapterOf, forms, genuineOf, genuinePostback, publicOrigin, received } from './vectors.ts';

/**
 * For every provider: a parameter that its facts do not list among those that decide never refuses a genuine call,
 * however it is spelled, and is shown as it came. Each call is signed anew over what its company signs.
 */
const secret = (form: string) => genuineOf(form).secret;

/** What is sent, and how an offer's name that came so is shown. */
const spellings: readonly (readonly [sent: string, shown: string])[] = [
  ['%', '%'],
  ['Example%App%3A%20Sports%20%26%20Casino', 'Example%App: Sports & Casino'],
  ['%zz%4', '%zz%4'],
  ['Big%20Farm%E', 'Big Farm%E'],
  ['%ED%95%9C%ED%95', '한%ED%95'],
  ['%C7%D1%B1%DB', '%C7%D1%B1%DB'],
  ['\xc7\xd1', '%C7%D1'],
  ['a%00b%1b%5B31m', 'a b [31m'],
  ['', ''],
  ['8.0E-4', '8.0E-4'],
  ['-1e999', '-1e999'],
  ['9'.repeat(400), '9'.repeat(200)],
];

/** The genuine credit with another query, signed. */
function signedQuery(form: string, change: (pieces: string[]) => string[]): RawPostback {
  const { provider, digest, isInHeader, digestOf, values } = genuineOf(form);
  const address = `${publicOrigin}/api/webhooks/postback/${provider}`;
  const pieces = Object.entries(values).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  const query = change(pieces).join('&');
  const made = digestOf(address, query, secret(form));
  if (isInHeader) return received(`${address}?${query}`, { [digest]: made });
  return received(`${address}?${query}&${digest}=${made}`);
}

/** The genuine credit with one parameter as it is given here; a new one stands in front. */
const withSpelling = (form: string, name: string, sent: string): RawPostback =>
  signedQuery(form, (pieces) => [
    ...(name in genuineOf(form).values ? [] : [`${name}=${sent}`]),
    ...pieces.map((piece) => (piece.startsWith(`${name}=`) ? `${name}=${sent}` : piece)),
  ]);

function creditOf(form: string, raw: RawPostback, what: string): CreditMessage {
  const verdict = adapterOf(form).verify(raw, { secret: secret(form) });
  assert.ok(verdict.ok, `${what}: ${verdict.ok ? '' : verdict.why}`);
  assert.ok(verdict.message.kind === 'credit', what);
  return verdict.message;
}

/** What a credit books. */
const booked = ({ memberRef, transactionId, amountPoints, isScreenOut }: CreditMessage) => ({
  memberRef,
  transactionId,
  amountPoints,
  isScreenOut,
});

for (const form of forms) {
  const { values } = genuineOf(form);
  const deciding = decidingNames(adapterOf(form));
  const genuine = creditOf(form, genuinePostback(form), 'genuine');
  const others = [...Object.keys(values), 'x', 'offer_name'].filter((name) => !deciding.has(name));
  const [labelName] = Object.entries(values).find(([, value]) => value === genuine.offerName) ?? [];

  test(`${form}: credits with any spelling of what does not decide, and shows the name as it came`, () => {
    for (const name of new Set(others))
      for (const [sent, shown] of spellings) {
        const credit = creditOf(form, withSpelling(form, name, sent), `${name}=${sent}`);
        assert.deepEqual(booked(credit), booked(genuine), `${name}=${sent}`);
        if (name === labelName) assert.equal(credit.offerName, shown, `${name}=${sent}`);
      }
  });

  test(`${form}: credits with labels that are repeated, cut off or unreadable by name`, () => {
    for (const [what, change] of Object.entries({
      'a repeated label': (pieces: string[]) => [...pieces, ...others.map((name) => `${name}=1`)],
      'a broken name': (pieces: string[]) => ['%=1', '%ff=1', 'x%4=1', '\xff', ...pieces],
      'names without values': (pieces: string[]) =>
        pieces.map((piece) =>
          deciding.has(piece.split('=')[0] ?? '') ? piece : (piece.split('=')[0] ?? ''),
        ),
    }))
      assert.deepEqual(booked(creditOf(form, signedQuery(form, change), what)), booked(genuine), what);
  });

  test(`${form}: refuses a broken or repeated parameter that decides`, () => {
    for (const name of [...deciding].filter((each) => each in values)) {
      const verify = (raw: RawPostback) => adapterOf(form).verify(raw, { secret: secret(form) });
      for (const sent of ['%', '%ED%95', '\xc7'])
        assert.equal(verify(withSpelling(form, name, sent)).ok, false, `${name}=${sent}`);
      const encodedName = `%${name.charCodeAt(0).toString(16)}${name.slice(1)}`;
      for (const again of [name, encodedName])
        assert.equal(
          verify(signedQuery(form, (pieces) => [...pieces, `${again}=1`])).ok,
          false,
          `${again} twice`,
        );
    }
  });

  test(`${form}: lists the parameters of member, transaction, amount and kind, and never the payout`, () => {
    const { fields, digest, isInHeader } = genuineOf(form);
    const { decidedBy } = adapterOf(form);
    for (const field of ['member', 'transaction', 'amount', 'kind'] as const)
      for (const name of Object.keys(fields[field]))
        assert.ok(decidedBy[field].includes(name), `${field}: ${name}`);
    for (const name of Object.keys(fields.payout)) assert.ok(!deciding.has(name), name);
    assert.equal(decidedBy.signature.includes(digest), isInHeader !== true);
  });
}

test('shows a payout with an exponent, and none that is no amount', () => {
  const payoutOf = (payout: string) =>
    creditOf('adgem', withSpelling('adgem', 'payout', payout), payout).payoutMicroUsd;
  for (const [payout, micros] of [
    ['8.0E-4', 800n],
    ['2.5e%2B1', 25_000_000n],
    ['%2B1.50', 1_500_000n],
    ['007', 7_000_000n],
    ['1.', 1_000_000n],
    ['1E-9', 0n],
    ['-2e-1', -200_000n],
    ['1000000000', 1_000_000_000_000_000n],
    ['1000000001', null],
    ['1e99', null],
    ['', null],
    ['much', null],
    ['0,5', null],
    ['NaN', null],
  ] as const)
    assert.equal(payoutOf(payout), micros, payout);
});
