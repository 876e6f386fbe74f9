import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { testSite } from '../../test/site.ts';
import { findDefinition } from '../withdrawals/rails/registry.ts';
import { prepareProviders } from './providers.ts';

/** The site's `/sandbox` routes. */
const site = await testSite({ after });
const destination = findDefinition('litecoin')?.destination;

describe('/sandbox', () => {
  it('needs no session, and has a strict content policy', async () => {
    await prepareProviders(site.platform, site.sandbox.wallOrigin);
    const { status, body, headers } = await site.call('GET', '/sandbox');
    assert.equal(status, 200);
    assert.match(body, /<h1>Sandbox<\/h1>/);
    const [, address = ''] = /Litecoin <code>(\w+)</.exec(body) ?? [];
    const { kind } = destination?.canonical({ address }, site.config) ?? {};
    assert.equal(kind, 'canonical', 'a visitor can ask for a withdrawal to it');
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(policy, /^default-src 'none'; style-src 'nonce-[\w+/=]+'; script-src 'nonce-/);
    const nonces = [...String(body).matchAll(/nonce="([^"]+)"/g)].map(([, nonce]) => nonce);
    assert.equal(new Set(nonces).size, 1);
    assert.ok(policy.includes(`'nonce-${nonces[0]}'`));
  });

  it('shows the code of a text message on the page and in the outbox', async () => {
    const member = await site.member();
    const phoneNumber = '+13075550121';
    await site.call('POST', '/api/auth/send-phone-verification', { as: member, body: { phoneNumber } });
    const message = (await site.call('GET', '/sandbox/outbox')).body.at(-1);
    assert.deepEqual([message.kind, message.to], ['sms', phoneNumber]);
    assert.ok((await site.call('GET', '/sandbox')).body.includes(message.code));
    const verified = await site.call('POST', '/api/auth/verify-phone-code', {
      as: member,
      body: { phoneNumber, code: message.code },
    });
    assert.deepEqual([verified.status, verified.body.phoneVerified], [200, true]);
  });

  it('voids a code by sending another, which has five new attempts', async () => {
    const member = await site.member();
    const phoneNumber = '+13075550122';
    const send = async () => {
      await site.call('POST', '/api/auth/send-phone-verification', { as: member, body: { phoneNumber } });
      return (await site.call('GET', '/sandbox/outbox')).body.at(-1).code as string;
    };
    const verify = (code: string) =>
      site.call('POST', '/api/auth/verify-phone-code', { as: member, body: { phoneNumber, code } });
    let [first, second] = [await send(), await send()];
    while (first === second) [first, second] = [second, await send()];
    for (let time = 0; time < 4; time += 1) assert.equal((await verify(first)).problem.code, 'wrong-code');
    assert.equal((await verify(second)).status, 200);
  });

  it('answers chain and rates as JSON', async () => {
    assert.deepEqual((await site.call('GET', '/sandbox/chain')).body, []);
    const rates = (await site.call('GET', '/sandbox/rates')).body;
    assert.deepEqual(Object.keys(rates), ['litecoin', 'dash']);
    assert.ok(rates.litecoin.usd > 0);
    assert.equal((await site.call('GET', '/sandbox/elsewhere')).status, 404);
  });
});

describe('POST /sandbox/clock', () => {
  const advance = (advanceSeconds: unknown, headers: Record<string, string> = {}) =>
    site.call('POST', '/sandbox/clock', { body: { advanceSeconds }, headers });

  it('moves business time forward by the given seconds', async () => {
    const before = Date.parse((await advance(1)).body.now);
    const { status, body } = await advance(86_400);
    assert.equal(status, 200);
    const moved = Date.parse(body.now) - before;
    assert.ok(moved >= 86_400_000 && moved < 86_410_000, `${moved} ms`);
  });

  it('accepts only a positive whole number', async () => {
    for (const wrong of [0, -1, 1.5, '60', null, 1e12, undefined]) {
      const { status, problem } = await advance(wrong);
      assert.deepEqual([status, problem.code], [400, 'invalid-request'], String(wrong));
    }
    const unknown = await site.call('POST', '/sandbox/clock', { body: { advanceSeconds: 1, now: 0 } });
    assert.equal(unknown.status, 400);
    assert.equal((await site.call('GET', '/sandbox/clock')).status, 404);
  });

  it('refuses calls from another site', async () => {
    const foreign = await advance(1, { origin: 'https://evil.example' });
    assert.deepEqual([foreign.status, foreign.problem.code], [403, 'cross-site']);
    const wall = await advance(1, { origin: `http://localhost:${site.config.sandboxPort}` });
    assert.equal(wall.status, 403);
  });
});
