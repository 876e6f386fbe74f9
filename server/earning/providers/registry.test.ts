import assert from 'node:assert/strict';
import { test } from 'node:test';
import ipaddr from 'ipaddr.js';
import { providerId } from '#contract/earning.ts';
import { provider as providerShape } from '#contract/earning-providers.ts';
import { findProvider, providers } from './registry.ts';
import { adapterOf, documentedOf, genuineOf, genuinePostback, received, visit } from './vectors.ts';

const entries = [...providers];

test('finds each adapter by its own id only', () => {
  for (const [id, adapter] of entries) {
    assert.equal(adapter.id, id);
    assert.equal(findProvider(id), adapter);
    assert.ok(providerId.safeParse(id).success);
    assert.ok(providerShape.shape.type.safeParse(adapter.kind).success);
  }
  for (const id of ['', 'CPX', 'cpx ', 'constructor', '__proto__', 'toString', 'generic'])
    assert.equal(findProvider(id), undefined, id);
});

test('lists valid source addresses, and ranges that start at their network address', () => {
  for (const [id, { publishedSourceAddresses }] of entries) {
    assert.equal(publishedSourceAddresses.length > 0, documentedOf(id).publishesAddresses, id);
    for (const address of publishedSourceAddresses)
      if (address.includes('/')) {
        const [network] = ipaddr.parseCIDR(address);
        assert.equal(ipaddr.IPv4.networkAddressFromCIDR(address).toString(), network.toString());
      } else assert.ok(ipaddr.isValid(address), address);
  }
});

test('§1-7 walls and surveys: builds wall URLs with https, and with another base that an operator sets', () => {
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

test('holds calls from unlisted addresses in live mode if member, amount or transaction is not signed', () => {
  for (const [id, adapter] of entries) {
    const { member, amount, transaction } = adapter.signatureCovers;
    const isCovered = [member, amount, transaction].every((coverage) => coverage === 'signed');
    assert.equal(adapter.liveSourcePolicy, isCovered ? 'record' : 'hold', id);
  }
});

test('recognises a reversal in each template', () => {
  for (const id of providers.keys()) {
    const raw = genuinePostback(id, documentedOf(id).reversal);
    const verdict = adapterOf(id).verify(raw, { secret: genuineOf(id).secret });
    assert.ok(verdict.ok && verdict.message.kind === 'reversal', id);
  }
});

test('agrees with the documentation of each company', () => {
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

test('orders the ends of each range of points and minutes', () => {
  for (const [id, { pays }] of entries) {
    const { rewardPointsMin, rewardPointsMax, minutesMin, minutesMax } = pays;
    assert.ok((rewardPointsMin ?? 0) <= (rewardPointsMax ?? Number.POSITIVE_INFINITY), id);
    assert.ok((minutesMin ?? 0) <= (minutesMax ?? Number.POSITIVE_INFINITY), id);
  }
});

test('never throws for a malformed call', () => {
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
