import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { readConfig } from '#platform/config.ts';
import { dataHeaders } from '#platform/http/security-headers.ts';
import { deviceTextOf } from './device.ts';
import { type Site, testSite } from './site.ts';

/** Cookies and headers on a site with https and on one without. */
const publicUrl = 'https://rewards.example';
const [secure, plain] = [await testSite({ after }, { PUBLIC_URL: publicUrl }), await testSite({ after })];

let count = 0;
async function register(site: Site) {
  count += 1;
  const email = `cookie${count}@example.com`;
  const password = 'a quiet river 7';
  const answer = await site.call('POST', '/api/auth/register', {
    body: {
      email,
      password,
      firstName: 'Mina',
      deviceFingerprint: deviceTextOf(),
      hcaptchaToken: '10000000-aaaa-bbbb-cccc-000000000001',
    },
  });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return { email, password, headers: answer.headers };
}

/** The name and attributes of each cookie that an answer sets, without its value. */
function cookiesOf(headers: Headers): Map<string, { value: string; attributes: string[] }> {
  return new Map(
    headers.getSetCookie().map((line) => {
      const [pair = '', ...attributes] = line.split('; ');
      const [name = '', value = ''] = pair.split('=');
      const lasting = attributes.filter((attribute) => !/^(Max-Age|Expires)=/.test(attribute));
      return [name, { value, attributes: lasting.sort() }];
    }),
  );
}

describe('by https', () => {
  it('binds the session’s cookie to this host and to https, hidden from scripts', async () => {
    const { email, password, headers } = await register(secure);
    const signIn = await secure.call('POST', '/api/auth/login', { body: { email, password } });
    assert.equal(signIn.status, 200);
    for (const cookies of [cookiesOf(headers), cookiesOf(signIn.headers)]) {
      assert.deepEqual([...cookies.keys()], ['__Host-sid', 'signedin', 'known-device']);
      assert.deepEqual(cookies.get('known-device')?.attributes, [
        'HttpOnly',
        'Path=/api/auth',
        'SameSite=Lax',
        'Secure',
      ]);
      assert.match(cookies.get('__Host-sid')?.value ?? '', /^[\w-]{43}$/);
      assert.deepEqual(cookies.get('__Host-sid')?.attributes, [
        'HttpOnly',
        'Path=/',
        'SameSite=Lax',
        'Secure',
      ]);
      assert.deepEqual(cookies.get('signedin'), {
        value: '1',
        attributes: ['Path=/', 'SameSite=Lax', 'Secure'],
      });
    }
  });
  it('accepts only that cookie, not one with the plain name that a neighbouring host could set', async () => {
    const token = cookiesOf((await register(secure)).headers).get('__Host-sid')?.value;
    const userBy = (cookie: string) => secure.call('GET', '/api/user', { headers: { cookie } });
    assert.equal((await userBy(`__Host-sid=${token}`)).status, 200);
    assert.equal((await userBy(`sid=${token}`)).status, 401);
  });
  it('removes both cookies at sign-out with the attributes that they were set with', async () => {
    const token = cookiesOf((await register(secure)).headers).get('__Host-sid')?.value;
    const { status, headers } = await secure.call('POST', '/api/auth/logout', {
      headers: { cookie: `__Host-sid=${token}` },
    });
    assert.equal(status, 204);
    const cookies = cookiesOf(headers);
    assert.deepEqual(cookies.get('__Host-sid')?.attributes, ['HttpOnly', 'Path=/', 'SameSite=Lax', 'Secure']);
    assert.deepEqual(cookies.get('__Host-sid')?.value, '');
    assert.ok(headers.getSetCookie().every((line) => /Max-Age=0|Expires=Thu, 01 Jan 1970/.test(line)));
  });
  it('sends Strict-Transport-Security with pages, calls, refusals and 404s', async () => {
    for (const path of ['/', '/api/config', '/api/user', '/api/nothing', '/nothing', '/healthz']) {
      const { headers } = await secure.call('GET', path);
      const told = headers.get('strict-transport-security');
      assert.equal(told, 'max-age=63072000', path);
    }
  });
  it('extends it beyond the host only if the operator says so', async () => {
    for (const [HSTS_SCOPE, wanted] of [
      ['subdomains', 'max-age=63072000; includeSubDomains'],
      ['preload', 'max-age=63072000; includeSubDomains; preload'],
    ] as const) {
      const config = readConfig({ PUBLIC_URL: publicUrl, HSTS_SCOPE, APP_SECRET: 'A'.repeat(44) });
      assert.equal(dataHeaders(config)['strict-transport-security'], wanted);
    }
  });
});

describe('by http', () => {
  it('names the cookie `sid` and omits Secure, because a browser would drop it otherwise', async () => {
    const cookies = cookiesOf((await register(plain)).headers);
    assert.deepEqual([...cookies.keys()], ['sid', 'signedin', 'known-device']);
    assert.deepEqual(cookies.get('sid')?.attributes, ['HttpOnly', 'Path=/', 'SameSite=Lax']);
    assert.deepEqual(cookies.get('signedin')?.attributes, ['Path=/', 'SameSite=Lax']);
  });
  it('sends no Strict-Transport-Security', async () => {
    for (const path of ['/', '/api/config'])
      assert.equal((await plain.call('GET', path)).headers.get('strict-transport-security'), null, path);
  });
});
