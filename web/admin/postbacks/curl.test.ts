import assert from 'node:assert/strict';
import { test } from 'node:test';
import { curlOf } from './curl.ts';

test('a stored request becomes one command, whatever quotation marks it has', () => {
  assert.equal(curlOf('GET https://a.example/x?a=1&b=2'), "curl 'https://a.example/x?a=1&b=2'");
  assert.equal(
    curlOf('POST https://a.example/x\nsignature: 12ab…\n\n{"a":"it\'s"}\n\nb'),
    `curl -X POST -H 'signature: 12ab…' --data-raw '{"a":"it'\\''s"}\n\nb' 'https://a.example/x'`,
  );
});
