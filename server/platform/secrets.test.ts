import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { createSecrets, sameText } from './secrets.ts';

const secrets = createSecrets(randomBytes(32));

describe('a sealed secret', () => {
  it('opens only in its own place', () => {
    const sealed = secrets.seal('s3cret ✓', 'providers/cpx');
    assert.ok(!sealed.includes('s3cret'));
    assert.equal(secrets.open(sealed, 'providers/cpx'), 's3cret ✓');
    assert.throws(() => secrets.open(sealed, 'providers/bitlabs'));
  });
  it('differs each time', () => {
    const made = new Set(Array.from({ length: 1_000 }, () => secrets.seal('x', 'a')));
    assert.equal(made.size, 1_000);
  });
  it('does not open after a changed bit or with another key', () => {
    const sealed = secrets.seal('x', 'a');
    const parts = sealed.split('.');
    const body = Buffer.from(parts[4] as string, 'base64url');
    body[0] = (body[0] as number) ^ 1;
    assert.throws(() => secrets.open([...parts.slice(0, 4), body.toString('base64url')].join('.'), 'a'));
    assert.throws(() => createSecrets(randomBytes(32)).open(sealed, 'a'), /another APP_SECRET/);
    assert.throws(() => secrets.open('v1.a.b', 'a'), /malformed/);
  });
});

describe('a change of the secret', () => {
  const [old, next] = [randomBytes(32), randomBytes(32)];
  const [before, after] = [createSecrets(old, next), createSecrets(next, old)];

  it('lets nodes with either secret as the current one read what the other sealed and signed', () => {
    for (const [one, other] of [
      [before, after],
      [after, before],
    ] as const) {
      assert.equal(other.open(one.seal('x', 'a'), 'a'), 'x');
      assert.ok(other.isSigned('x', one.sign('x', 'gate'), 'gate'));
    }
    assert.ok(!createSecrets(next).isSigned('x', before.sign('x', 'gate'), 'gate'));
  });
  it('seals anew only what another secret sealed', () => {
    const sealed = before.seal('x', 'a');
    const anew = after.reseal(sealed, 'a') ?? '';
    assert.equal(createSecrets(next).open(anew, 'a'), 'x');
    assert.equal(after.reseal(anew, 'a'), null);
    assert.throws(() => createSecrets(old).open(anew, 'a'), /another APP_SECRET/);
    assert.throws(
      () => after.reseal(createSecrets(randomBytes(32)).seal('x', 'a'), 'a'),
      /another APP_SECRET/,
    );
  });
});

describe('a signature', () => {
  it('is valid only for its text and purpose', () => {
    const signature = secrets.sign('1700000000', 'gate');
    assert.ok(secrets.isSigned('1700000000', signature, 'gate'));
    assert.ok(!secrets.isSigned('1700000001', signature, 'gate'));
    assert.ok(!secrets.isSigned('1700000000', signature, 'other'));
    assert.ok(!secrets.isSigned('1700000000', '', 'gate'));
  });
});

it('compares texts of any length', () => {
  assert.ok(sameText('abc', 'abc'));
  assert.ok(!sameText('abc', 'abcd'));
  assert.ok(!sameText('', 'a'));
});
