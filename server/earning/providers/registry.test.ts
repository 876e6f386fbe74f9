import assert from 'node:assert/strict';
import { test } from 'node:test';
import ipaddr from 'ipaddr.js';
import { providerId, provider as providerShape } from '#contract/earning.ts';
import { memberId } from '#contract/fields.ts';
import { memberRefForm } from './provider.ts';
import { findProvider, providers } from './registry.ts';
import { adapterOf, documentedOf, genuineOf, genuinePostback, received, visit } from './vectors.ts';

const entries = [...providers];

test('each adapter is found by its own id, and nothing else is', () => {
  for (const [id, adapter] of entries) {
    assert.equal(adapter.id, id);
    assert.equal(findProvider(id), adapter);
    assert.ok(providerId.safeParse(id).success);
    assert.ok(providerShape.shape.type.safeParse(adapter.kind).success);
  }
  for (const id of ['', 'CPX', 'cpx ', 'constructor', '__proto__', 'toString', 'generic'])
    assert.equal(findProvider(id), undefined, id);
});

test('published addresses are addresses or ranges that begin on their own border', () => {
  for (const [id, { publishedSourceAddresses }] of entries) {
    assert.equal(publishedSourceAddresses.length > 0, documentedOf(id).publishesAddresses, id);
    for (const address of publishedSourceAddresses)
      if (address.includes('/')) {
        const [network] = ipaddr.parseCIDR(address);
        assert.equal(ipaddr.IPv4.networkAddressFromCIDR(address).toString(), network.toString());
      } else assert.ok(ipaddr.isValid(address), address);
  }
});

test('a wall has its default address on https, and another one may take its place', () => {
  for (const [id, adapter] of entries) {
    const input = { apiKey: 'key-1', secret: 'secret-canary', memberRef: '123456789', ...visit };
    const live = new URL(adapter.wallUrl({ ...input, url: adapter.defaultWallUrl }));
    assert.equal(live.protocol, 'https:', id);
    const sandbox = adapter.wallUrl({ ...input, url: `http://localhost:3001/sandbox/wall/${id}?theme=a` });
    assert.ok(sandbox.startsWith(`http://localhost:3001/sandbox/wall/${id}`), sandbox);
    for (const text of ['123456789', 'key-1', 'theme=a']) assert.ok(sandbox.includes(text), sandbox);
    assert.ok(!sandbox.includes('secret-canary'), sandbox);
  }
});

test('live mode holds calls from elsewhere where the signature leaves money uncovered', () => {
  for (const [id, adapter] of entries) {
    const { member, amount, transaction } = adapter.signatureCovers;
    const isCovered = [member, amount, transaction].every((coverage) => coverage === 'signed');
    assert.equal(adapter.liveSourcePolicy, isCovered ? 'record' : 'hold', id);
  }
});

test('every template can tell a reversal', () => {
  for (const id of providers.keys()) {
    const raw = genuinePostback(id, documentedOf(id).reversal);
    const verdict = adapterOf(id).verify(raw, { secret: genuineOf(id).secret });
    assert.ok(verdict.ok && verdict.message.kind === 'reversal', id);
  }
});

test('what is known of a provider is what its company documents', () => {
  for (const [id, adapter] of entries) {
    const { successBody, takesChargebacks, liveSourcePolicy, arrivesWithinHours } = documentedOf(id);
    assert.deepEqual(
      [adapter.successBody, adapter.takesChargebacks, adapter.liveSourcePolicy],
      [successBody, takesChargebacks, liveSourcePolicy],
      id,
    );
    assert.equal(adapter.pays.arrivesWithinHours, arrivesWithinHours, id);
  }
});

test('what a provider pays and takes makes a range', () => {
  for (const [id, { pays }] of entries) {
    const { rewardPointsMin, rewardPointsMax, minutesMin, minutesMax } = pays;
    assert.ok((rewardPointsMin ?? 0) <= (rewardPointsMax ?? Number.POSITIVE_INFINITY), id);
    assert.ok((minutesMin ?? 0) <= (minutesMax ?? Number.POSITIVE_INFINITY), id);
  }
});

test('no call makes an adapter throw', () => {
  for (const [id, adapter] of entries)
    for (const url of [
      '',
      '?',
      'https://h',
      'https://h/p?&&==&',
      `https://h/p?${'a&'.repeat(20_000)}`,
      '\u0000?\u0000',
    ])
      assert.equal(adapter.verify(received(url), { secret: 'x' }).ok, false, `${id} ${url.slice(0, 40)}`);
});

test('the form of a member reference is that of a member id', () => {
  for (const text of ['123456789', '012345678', '12345678', '1234567890', '12345678a', '', '1 3456789'])
    assert.equal(memberRefForm.test(text), memberId.safeParse(text).success, text);
});
