import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { encoded, encodingOf } from './content-encoding.ts';

test('prefers brotli to gzip, and never uses a refused encoding', () => {
  for (const [accepted, encoding] of [
    ['gzip, deflate, br, zstd', 'br'],
    ['GZIP', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0.0,gzip;q=0', 'identity'],
    ['*', 'br'],
    ['*, br;q=0', 'gzip'],
    ['identity', 'identity'],
    ['', 'identity'],
    [undefined, 'identity'],
  ] as const)
    assert.equal(encodingOf(accepted), encoding, accepted);
});

test('decodes to the same text from every encoding', () => {
  const text = 'Points are money. 포인트도 돈입니다. '.repeat(50);
  for (const kept of [true, false]) {
    assert.equal(brotliDecompressSync(encoded(text, 'br', kept)).toString(), text);
    assert.equal(gunzipSync(encoded(text, 'gzip', kept)).toString(), text);
    assert.equal(encoded(text, 'identity', kept).toString(), text);
    assert.ok(encoded(text, 'br', kept).length < text.length / 10);
  }
});
