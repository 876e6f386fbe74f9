import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { readAnswer } from '../bench/answer-bytes.ts';
import { testSite } from './site.ts';

/** The headers and the size of answers, read over HTTP. */
const publicUrl = 'https://rewards.example';
const [plain, secure] = [await testSite({ after }), await testSite({ after }, { PUBLIC_URL: publicUrl })];
const member = await plain.member();

const ofData = [
  'cache-control',
  'content-length',
  'content-security-policy',
  'content-type',
  'date',
  'x-content-type-options',
];
/** Removes the connection headers, which Node adds when it refuses an invalid URL. */
const namesOf = (headers: Headers) =>
  [...headers.keys()].filter((name) => name !== 'connection' && name !== 'keep-alive').sort();

describe('an answer with data', () => {
  it('carries only the headers that data needs', async () => {
    for (const path of [
      '/api/user',
      '/api/config',
      '/api/nothing',
      '/api/openapi.json',
      '/healthz',
      '/api/%E0%A4%A',
    ]) {
      const { headers } = await plain.call('GET', path);
      assert.deepEqual(namesOf(headers), ofData, path);
      assert.equal(headers.get('cache-control'), 'no-store');
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.equal(
        headers.get('content-security-policy'),
        "default-src 'none'; frame-ancestors 'none'; sandbox",
      );
    }
  });
  it('carries them whatever the text of its URL', async () => {
    const cookie = { cookie: member.cookie };
    const { port } = plain.config;
    for (const [path, status] of [
      ['/%61pi/user', 200],
      [`http://127.0.0.1:${port}/api/user`, 200],
      ['/healthz?x', 200],
      ['/api/docs/xx', 404],
      ['/ws', 403],
    ] as const) {
      const { head } = await readAnswer(port, path, cookie);
      assert.match(head, new RegExp(`^HTTP/1\\.1 ${status} `), path);
      for (const line of ["default-src 'none'; frame-ancestors 'none'; sandbox", 'no-store', 'nosniff'])
        assert.ok(head.includes(line), `${path} lacks ${line}:\n${head}`);
    }
  });
  it('also carries Strict-Transport-Security on an https site', async () => {
    for (const path of ['/api/user', '/api/nothing', '/api/%E0%A4%A']) {
      const { headers } = await secure.call('GET', path);
      assert.deepEqual(namesOf(headers), [...ofData, 'strict-transport-security'].sort(), path);
    }
  });
  it('keeps the connection open, and closes it if the client asks for that', async () => {
    const { head } = await readAnswer(plain.config.port, '/api/config');
    assert.doesNotMatch(head, /^connection:/im);
    const last = await readAnswer(plain.config.port, '/api/config', { connection: 'close' });
    assert.match(last.head, /^connection: close$/im);
  });
  it('weighs at most 600 bytes for GET /api/user, headers and body', async () => {
    const { bytes, head, body } = await readAnswer(plain.config.port, '/api/user', { cookie: member.cookie });
    assert.match(head, /^HTTP\/1\.1 200 /);
    assert.equal(JSON.parse(body).email, member.email);
    assert.ok(bytes <= 600, `${bytes} bytes:\n${head}\n\n${body}`);
  });
});

describe('a document', () => {
  it('carries every header that limits what a page may do', async () => {
    for (const path of ['/', '/auth', '/api/docs']) {
      const { headers } = await plain.call('GET', path);
      assert.equal(headers.get('x-frame-options'), 'DENY', path);
      assert.equal(headers.get('cross-origin-opener-policy'), 'same-origin', path);
      assert.equal(headers.get('cross-origin-resource-policy'), 'same-origin', path);
      assert.equal(headers.get('referrer-policy'), 'strict-origin-when-cross-origin', path);
      assert.match(headers.get('permissions-policy') ?? '', /camera=\(\)/, path);
      assert.match(headers.get('content-security-policy') ?? '', /base-uri 'none'/, path);
      assert.equal(headers.get('cache-control'), 'no-store', path);
    }
  });
});
