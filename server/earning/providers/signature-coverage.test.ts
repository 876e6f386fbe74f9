import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { genuine, genuinePostback, providerNames, received, templateNames } from './genuine-postbacks.ts';
import type { PostbackMessage } from './message.ts';
import type { ProviderName, RawPostback, SignatureField, Verdict } from './provider.ts';
import { providers } from './registry.ts';

/**
 * What each signature covers, proven from the outside: every parameter of a genuine postback is changed, emptied,
 * dropped, repeated and spelled differently, alone. Where `signatureCovers` says signed, nothing else may verify;
 * where it says unsigned, the change must get through, so that the statement can't flatter and can't go stale.
 */
const verify = (provider: ProviderName, raw: RawPostback) =>
  providers[provider].verify(raw, { secret: genuine[provider].secret });

function messageOf(verdict: Verdict): PostbackMessage {
  assert.ok(verdict.ok, JSON.stringify(verdict, bigIntAsText));
  return verdict.message;
}

/** The part of a message that a field stands for; `undefined` where such a message has none. */
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
const isSigned = (provider: ProviderName, field: SignatureField) =>
  providers[provider].signatureCovers[field] === 'signed';

/** Replaces one parameter's piece of the query, and nothing else. */
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

/** Ways to tamper with a parameter that leave no other value standing in its place. */
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

for (const provider of providerNames) {
  const { fields, digest, indifferent, values } = genuine[provider];
  const original = genuinePostback(provider);

  test(`${provider}: every parameter of the template is accounted for`, () => {
    const accounted = [...allFields.flatMap((field) => Object.keys(fields[field])), ...indifferent, digest];
    assert.deepEqual([...new Set([...templateNames(provider), digest])].sort(), accounted.sort());
    assert.equal(messageOf(verify(provider, original)).kind, 'credit');
  });

  for (const field of allFields) {
    const covered = isSigned(provider, field);
    for (const [name, other] of Object.entries(fields[field])) {
      test(`${provider}: ${name} changed alone is ${covered ? 'refused' : 'not noticed by the signature'}`, () => {
        assert.notEqual(values[name], other);
        const changed = received(
          replacePiece(original.url, name, () => [`${name}=${encodeURIComponent(other)}`]),
        );
        const verdict = verify(provider, changed);
        if (covered) {
          assert.equal(!verdict.ok && verdict.code, 'invalid-signature');
          return;
        }
        const [before, after] = [messageOf(verify(provider, original)), messageOf(verdict)];
        assert.notEqual(partOf(after, field), partOf(before, field));
        for (const otherField of allFields.filter((each) => isSigned(provider, each)))
          assert.equal(partOf(after, otherField), partOf(before, otherField), otherField);
      });
    }
  }

  test(`${provider}: tampering with a parameter is refused, or changes only what is said to be unsigned`, () => {
    const before = messageOf(verify(provider, original));
    for (const name of new Set([...templateNames(provider), digest])) {
      const owner = allFields.find((field) => name in fields[field]);
      for (const [manner, tamper] of Object.entries(tamperings)) {
        const url = replacePiece(original.url, name, tamper(name));
        const verdict = verify(provider, received(url));
        if (url === original.url || !verdict.ok) continue;
        assert.notEqual(name, digest, manner);
        assert.ok(owner === undefined || !isSigned(provider, owner), `${name} ${manner} verified`);
        if (verdict.message.kind === 'nothing') continue;
        for (const field of allFields.filter((each) => each !== owner))
          assert.equal(partOf(verdict.message, field), partOf(before, field), `${name} ${manner}: ${field}`);
      }
    }
  });

  test(`${provider}: a repeated parameter never verifies, whichever it is`, () => {
    for (const name of [...templateNames(provider), digest, 'x']) {
      const twice = `${original.url.replace('?', '?x=1&')}`;
      const raw = received(
        name === 'x' ? `${twice}&x=2` : replacePiece(original.url, name, (piece) => [piece, piece]),
      );
      assert.equal(verify(provider, raw).ok, false, name);
    }
  });

  test(`${provider}: the digest counts in every character, in either case`, () => {
    const value = new URL(original.url).searchParams.get(digest) ?? '';
    for (let at = 0; at < value.length; at += 1) {
      const wrong = value[at] === '0' ? '1' : '0';
      const url = original.url.replace(value, value.slice(0, at) + wrong + value.slice(at + 1));
      const verdict = verify(provider, received(url));
      assert.equal(!verdict.ok && verdict.code, 'invalid-signature', `character ${at}`);
    }
    const upper = received(original.url.replace(value, value.toUpperCase()));
    assert.deepEqual(verify(provider, upper), verify(provider, original));
    assert.equal(verify(provider, received(original.url.replace(value, ''))).ok, false);
    const other = providers[provider].verify(original, { secret: 'another secret' });
    assert.equal(!other.ok && other.code, 'invalid-signature');
  });

  test(`${provider}: no mutation of a genuine postback verifies with another signed part`, () => {
    fc.assert(
      fc.property(
        postbackOf(provider),
        fc.array(mutation, { minLength: 1, maxLength: 4 }),
        (raw, mutations) => {
          const mutated = received(mutations.reduce((url, mutate) => mutate(url), raw.url));
          const verdict = verify(provider, mutated);
          assert.ok(!JSON.stringify(verdict, bigIntAsText).includes(genuine[provider].secret));
          if (!verdict.ok) return;
          const before = messageOf(verify(provider, raw));
          if (allFields.every((field) => isSigned(provider, field)))
            assert.deepEqual(verdict.message, before);
          for (const field of allFields.filter((each) => isSigned(provider, each))) {
            const part = partOf(verdict.message, field);
            if (part !== undefined && before.kind !== 'nothing')
              assert.equal(part, partOf(before, field), `${field} in ${mutated.url} from ${raw.url}`);
          }
        },
      ),
      { numRuns: 4000 },
    );
  });
}

const bigIntAsText = (_key: string, value: unknown) => (typeof value === 'bigint' ? `${value}` : value);

/** Genuine calls of all sorts: any member, transaction and amount, credits and reversals, odd offer names. */
function postbackOf(provider: ProviderName): fc.Arbitrary<RawPostback> {
  const { fields } = genuine[provider];
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
      genuinePostback(provider, {
        [member]: made.member,
        [transaction]: made.transaction,
        [amount]: made.amount,
        ...(made.kind ? { [kindName]: otherKind } : {}),
        offer: made.label,
        offer_name: made.label,
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

/** Edits that a forger or a careless proxy would make. */
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
