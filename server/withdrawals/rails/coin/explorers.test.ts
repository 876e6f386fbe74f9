import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readConfig } from '#platform/config.ts';
import { rails } from '../registry.ts';

test('a public page of a payment is safe to open, and a chain of one’s own has none', () => {
  const config = readConfig({});
  const pages = (network: 'main' | 'test' | 'regtest') =>
    rails.flatMap(
      ({ explorer }) => explorer({ ...config, litecoinNetwork: network, dashNetwork: network }) ?? [],
    );
  for (const network of ['main', 'test'] as const) {
    assert.equal(new Set(pages(network)).size, 2, network);
    for (const page of pages(network)) {
      assert.match(page, /^https:\/\/[^{}]+\{reference\}$/);
      assert.doesNotThrow(() => new URL(page));
    }
  }
  assert.deepEqual(pages('regtest'), []);
});
