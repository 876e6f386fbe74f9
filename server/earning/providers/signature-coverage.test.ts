import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { MEMBER_ID } from '#contract/fields.ts';
import type { PostbackMessage } from './message.ts';
import type { RawPostback, SignatureField, Verdict } from './provider.ts';
import { adapterOf, forms, genuineOf, genuinePostback, templateNames } from './vectors.ts';

/**
 * Tests the declared coverage of each signature: changes, empties, drops, repeats and re-encodes each parameter of a
 * genuine postback alone. A change of a signed part must not verify. A change of an unsigned part must verify, so that
 * the declaration stays true. A change of a joined part alone must not verify, but a shift to its neighbour must.
 */
const RUNS = Number(process.env.CAMPAIGN_RUNS ?? 400);
const verify = (form: string, raw: RawPostback) =>
  adapterOf(form).verify(raw, { secret: genuineOf(form).secret });
/** The same call with another URL and the same headers. */
const moved = (raw: RawPostback, url: string): RawPostback => ({ ...raw, url });

function messageOf(verdict: Verdict): PostbackMessage {
  assert.ok(verdict.ok, JSON.stringify(verdict, bigIntAsText));
  return verdict.message;
}

/** The part of a message for a field; `undefined` if the message has none. */
function partOf(message: PostbackMessage, field: SignatureField): unknown {
  switch (field) {
    case 'transaction':
      return message.kind === 'reversal' ? message.creditTransactionId : message.transactionId;
    case 'member':
      return message.memberRef;
    case 'amount':
      return message.kind === 'nothing' ? undefined : message.amountPoints;
    case 'kind':
      return message.kind === 'credit'
        ? `credit${message.isScreenOut ? ' for a screen-out' : ''}`
        : message.kind;
    case 'payout':
      return message.kind === 'credit' ? message.payoutMicroUsd : undefined;
  }
}

const allFields: readonly SignatureField[] = ['transaction', 'member', 'amount', 'kind', 'payout'];
const isSigned = (form: string, field: SignatureField) => adapterOf(form).signatureCovers[field] === 'signed';
/** Whether a change of this field alone breaks the signature. */
const breaksAlone = (form: string, field: SignatureField) => {
  const coverage = adapterOf(form).signatureCovers[field];
  return coverage === 'signed' || 'joined' in coverage;
};

/** Replaces the piece of one parameter in the query. */
function replacePiece(url: string, name: string, replace: (piece: string) => string[]): string {
  const [address = '', query = ''] = url.split('?');
  const pieces = query
    .split('&')
    .flatMap((piece) => (piece.startsWith(`${name}=`) ? replace(piece) : [piece]));
  return `${address}?${pieces.join('&')}`;
}

const percent = (character: string) => `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
const respelled = (name: string) => (piece: string) => {
  const value = piece.slice(name.length + 1);
  return [`${name}=${value === '' ? '%' : percent(value)}${value.slice(1)}`];
};

/** Ways to tamper with a parameter without giving it another valid value. */
const tamperings: Record<string, (name: string) => (piece: string) => string[]> = {
  emptied: (name) => () => [`${name}=`],
  dropped: () => () => [],
  repeated: () => (piece) => [piece, piece],
  'repeated with another value': (name) => (piece) => [piece, `${name}=1`],
  'preceded by another value': (name) => (piece) => [`${name}=1`, piece],
  'repeated under an encoded name': (name) => (piece) => [piece, `${percent(name)}${name.slice(1)}=1`],
  respelled,
  'named in percent signs': (name) => (piece) => [`${percent(name)}${piece.slice(1)}`],
  'padded with a space': () => (piece) => [`${piece}+`],
  'padded with NUL': () => (piece) => [`${piece}%00`],
};

for (const form of forms) {
  const { provider, fields, digest, indifferent, isInHeader, values, writtenIn } = genuineOf(form);
  const original = genuinePostback(form);
  const parameters = isInHeader ? Object.keys(values) : [...Object.keys(values), digest];

  test(`${form}: covers every parameter, and its template has no other`, () => {
    const accounted = [...allFields.flatMap((field) => Object.keys(fields[field])), ...indifferent];
    assert.deepEqual(accounted.sort(), Object.keys(values).sort());
    if (form === provider)
      for (const name of templateNames(provider)) assert.ok(parameters.includes(name), name);
    assert.equal(messageOf(verify(form, original)).kind, 'credit');
  });

  for (const field of allFields) {
    const covered = breaksAlone(form, field);
    for (const [name, other] of Object.entries(fields[field])) {
      test(`${form}: ${covered ? 'refuses' : 'verifies'} a change of ${name} alone`, () => {
        assert.notEqual(values[name], other);
        const changed = replacePiece(original.url, name, () => [`${name}=${encodeURIComponent(other)}`]);
        const verdict = verify(form, moved(original, changed));
        if (covered) {
          assert.equal(!verdict.ok && verdict.code, 'invalid-signature');
          return;
        }
        const [before, after] = [messageOf(verify(form, original)), messageOf(verdict)];
        assert.notEqual(partOf(after, field), partOf(before, field));
        for (const otherField of allFields.filter((each) => breaksAlone(form, each)))
          assert.equal(partOf(after, otherField), partOf(before, otherField), otherField);
      });
    }
  }

  test(`${form}: refuses tampering, except with unsigned parts`, () => {
    const before = messageOf(verify(form, original));
    for (const name of parameters) {
      const owner = allFields.find((field) => name in fields[field]);
      for (const [manner, tamper] of Object.entries(tamperings)) {
        const url = replacePiece(original.url, name, tamper(name));
        const verdict = verify(form, moved(original, url));
        if (url === original.url || !verdict.ok) continue;
        assert.notEqual(name, digest, manner);
        // If values are signed instead of bytes, another encoding of the same values is the same call.
        if (owner !== undefined && breaksAlone(form, owner))
          assert.deepEqual(verdict.message, before, `${name} ${manner} verified`);
        if (verdict.message.kind === 'nothing') continue;
        for (const field of allFields.filter((each) => each !== owner))
          assert.equal(partOf(verdict.message, field), partOf(before, field), `${name} ${manner}: ${field}`);
      }
    }
  });

  const cases = writtenIn === 'hex' ? 'in either case' : 'and in its case';
  test(`${form}: checks every character of the digest, ${cases}`, () => {
    const value = digestIn(form, original);
    const withDigest = (text: string) => verify(form, withOtherDigest(form, original, text));
    for (let at = 0; at < value.length; at += 1) {
      const wrong = value[at] === '0' ? '1' : '0';
      const verdict = withDigest(value.slice(0, at) + wrong + value.slice(at + 1));
      assert.equal(!verdict.ok && verdict.code, 'invalid-signature', `character ${at}`);
    }
    const upper = withDigest(value.toUpperCase());
    if (writtenIn === 'hex') assert.deepEqual(upper, verify(form, original));
    else assert.equal(upper.ok, false);
    for (const wrong of ['', value.slice(1), `${value}0`, `${value}%00`])
      assert.equal(withDigest(wrong).ok, false);
    const other = adapterOf(form).verify(original, { secret: 'another secret' });
    assert.equal(!other.ok && other.code, 'invalid-signature');
    const none = adapterOf(form).verify(genuinePostback(form, {}, undefined, ''), { secret: '' });
    assert.equal(!none.ok && none.code, 'invalid-signature');
  });

  test(`${form}: verifies no mutation that changes a signed part`, () => {
    fc.assert(
      fc.property(postbackOf(form), fc.array(mutation, { minLength: 1, maxLength: 4 }), (raw, mutations) => {
        const mutated = moved(
          raw,
          mutations.reduce((url, mutate) => mutate(url), raw.url),
        );
        const verdict = verify(form, mutated);
        assert.ok(!JSON.stringify(verdict, bigIntAsText).includes(genuineOf(form).secret));
        if (!verdict.ok) return;
        const before = messageOf(verify(form, raw));
        if (allFields.every((field) => isSigned(form, field))) assert.deepEqual(verdict.message, before);
        if (before.kind === 'nothing') return;
        for (const field of allFields.filter((each) => isSigned(form, each))) {
          const part = partOf(verdict.message, field);
          if (part !== undefined)
            assert.equal(part, partOf(before, field), `${field} in ${mutated.url} from ${raw.url}`);
        }
        // A joined member reference may lose or gain characters, but never becomes another valid member id.
        const { memberRef } = verdict.message;
        if (breaksAlone(form, 'member') && MEMBER_ID.test(memberRef ?? ''))
          assert.equal(memberRef, before.memberRef);
      }),
      { numRuns: RUNS },
    );
  });
}

function digestIn(form: string, raw: RawPostback): string {
  const { digest, isInHeader } = genuineOf(form);
  return isInHeader ? String(raw.headers[digest]) : (new URL(raw.url).searchParams.get(digest) ?? '');
}

function withOtherDigest(form: string, raw: RawPostback, text: string): RawPostback {
  const { digest, isInHeader } = genuineOf(form);
  if (isInHeader) return { ...raw, headers: { ...raw.headers, [digest]: text } };
  return moved(
    raw,
    replacePiece(raw.url, digest, () => [`${digest}=${text}`]),
  );
}

const bigIntAsText = (_key: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value);

/** Random genuine calls: any member, transaction and amount, credits and reversals, unusual offer names. */
function postbackOf(form: string): fc.Arbitrary<RawPostback> {
  const { fields } = genuineOf(form);
  const amounts = fc.oneof(
    fc.nat(12_000).map(String),
    fc.integer({ min: -900, max: 900 }).map((n) => `${n}.50`),
  );
  const name = fc.string({ unit: 'grapheme', maxLength: 20 });
  const [member = '', transaction = '', amount = ''] = (['member', 'transaction', 'amount'] as const).map(
    (field) => Object.keys(fields[field])[0],
  );
  const [kindName = '', otherKind = ''] = Object.entries(fields.kind)[0] ?? [];
  return fc
    .record({
      member: fc.integer({ min: 100_000_000, max: 999_999_999 }).map(String),
      transaction: fc.stringMatching(/^[a-zA-Z0-9._~-]{10,30}$/),
      amount: amounts,
      kind: fc.boolean(),
      label: name,
    })
    .map((made) =>
      genuinePostback(form, {
        [member]: made.member,
        [transaction]: made.transaction,
        [amount]: made.amount,
        ...(made.kind ? { [kindName]: otherKind } : {}),
        offer: made.label,
        offer_name: made.label,
        campaign_name: made.label,
      }),
    );
}

type Mutation = (url: string) => string;
const place = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
const spliced = (removed: number) =>
  fc.tuple(place, fc.string({ unit: 'binary-ascii', maxLength: 3 })).map(([at, text]): Mutation => {
    return (url) => {
      const index = Math.floor(at * url.length);
      return url.slice(0, index) + text + url.slice(index + removed);
    };
  });
const onPieces = (change: (pieces: string[], one: number, other: number) => void) =>
  fc.tuple(place, place).map(([one, other]): Mutation => {
    return (url) => {
      const [address = '', ...rest] = url.split('?');
      const pieces = rest.join('?').split('&');
      change(pieces, Math.floor(one * pieces.length), Math.floor(other * pieces.length));
      return `${address}?${pieces.join('&')}`;
    };
  });

/** Random edits of a URL, such as a forger or a faulty proxy makes. */
const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  spliced(0),
  spliced(1),
  spliced(3),
  onPieces((pieces, one, other) => {
    [pieces[one], pieces[other]] = [pieces[other] ?? '', pieces[one] ?? ''];
  }),
  onPieces((pieces, one, other) => pieces.splice(other, 0, pieces[one] ?? '')),
  onPieces((pieces, one) => pieces.splice(one, 1)),
  onPieces((pieces, one) => {
    const [name = '', value = ''] = (pieces[one] ?? '').split('=');
    pieces[one] = `${name}=${[...value].map(percent).join('')}`;
  }),
  onPieces((pieces, one, other) => {
    const value = (pieces[other] ?? '').split('=')[1] ?? '';
    pieces[one] = `${(pieces[one] ?? '').split('=')[0]}=${value}`;
  }),
  fc
    .tuple(
      place,
      fc.constantFrom('9', '-', '.', '0', '2', '%00', '%2e', '+', '&', '&hash=', '=', '?', '#', ';'),
    )
    .map(
      ([at, text]): Mutation =>
        (url) => {
          const values = [...url.matchAll(/=/g)].map((match) => match.index + 1);
          const index = values[Math.floor(at * values.length)] ?? url.length;
          return url.slice(0, index) + text + url.slice(index);
        },
    ),
  fc.constant<Mutation>((url) => url.toUpperCase()),
  fc.constant<Mutation>((url) => url.replaceAll('%20', '+')),
);
