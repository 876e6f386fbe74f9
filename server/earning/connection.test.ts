import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, test } from 'node:test';
import { sql } from '#platform/database.ts';
import { findWebFault } from '#platform/public-web.ts';
import { freePort } from '../../test/free-port.ts';
import { newTransaction, values } from '../../test/postback-site.ts';
import { testSite } from '../../test/site.ts';
import { testProvider } from './connection.ts';
import { genuinePostback } from './providers/vectors.ts';

/** The test of a provider names what is wrong in one sentence. */
const site = await testSite({ after });
const operator = await site.member({ role: 'admin' });
const member = await site.member();

/** A wall, which answers 404 without a member, and a site that can be reached. */
const askedOfWall: string[] = [];
const wall = createServer((request, response) => {
  askedOfWall.push(`${request.url} ${JSON.stringify(request.headers)}`);
  response.writeHead(request.url === '/broken' ? 502 : 404).end();
});
wall.listen(0, '127.0.0.1');
await once(wall, 'listening');
after(() => {
  wall.closeAllConnections();
  wall.close();
});
const wallUrl = `http://127.0.0.1:${(wall.address() as AddressInfo).port}`;
const parts = { ...site.platform, config: { ...site.platform.config, publicUrl: wallUrl } };

const stepsOf = async (body: { url?: string; apiKey?: string; secret?: string } = {}, id = 'kiwiwall') =>
  (await testProvider(parts, { id, body, operatorId: operator.id })).steps;
/** The steps that failed, with their sentences. */
const faultsOf = async (...given: Parameters<typeof stepsOf>) =>
  (await stepsOf(...given)).filter(({ ok }) => !ok).map(({ name, text }) => [name, text]);
const change = async (body: object) => {
  const answer = await site.call('PUT', '/api/admin/providers/kiwiwall', { as: operator, body });
  return { status: answer.status, body: answer.body };
};
/** The status of a credit that is signed with this secret. */
async function statusWith(secret: string): Promise<number> {
  const address = `${site.origin}/api/webhooks/postback/kiwiwall`;
  const credit = values('kiwiwall', member.id, newTransaction());
  const { url } = genuinePostback('kiwiwall', credit, address, secret);
  return (await site.call('GET', url.slice(site.origin.length))).status;
}
const account = { apiKey: 'wall', secret: 'the right secret', url: wallUrl };

test('names the part of the account that is not set', async () => {
  assert.deepEqual(await faultsOf({ apiKey: '' }), [['account', 'The wall id is not set.']]);
  assert.deepEqual(await faultsOf({ apiKey: 'wall' }), [
    ['account', 'The secret is not set, or the stored one can’t be read.'],
  ]);
});

test('finds a wall and an own address that do not answer, and says what does', async () => {
  const steps = await stepsOf(account);
  assert.deepEqual(
    steps.map(({ name, ok }) => [name, ok]),
    ['account', 'wall', 'address', 'calls'].map((name) => [name, true]),
  );
  assert.equal(steps.at(-1)?.text, 'The provider has not called lately.');
  const port = await freePort();
  assert.deepEqual(await faultsOf({ ...account, url: `http://127.0.0.1:${port}` }), [
    ['wall', '127.0.0.1 can’t be reached (ECONNREFUSED).'],
  ]);
  assert.deepEqual(await faultsOf({ ...account, url: `${wallUrl}/broken` }), [
    ['wall', '127.0.0.1 answers with an error (502).'],
  ]);
});

test('holds the newest calls against the secret that is stored or typed in', async () => {
  await change({ ...account, isEnabled: true });
  assert.equal(await statusWith('another secret'), 403);
  const [[step, text] = []] = await faultsOf();
  assert.equal(step, 'calls');
  assert.match(text ?? '', /^The newest call was refused for its signature\. If the provider made it/);
  const typed = await stepsOf({ secret: 'another secret' });
  assert.equal(typed.at(-1)?.text, '1 of the newest 1 refused calls fit this secret.');
  assert.equal(await statusWith('the right secret'), 200);
  assert.match((await stepsOf()).at(-1)?.text ?? '', /^The newest call, of \S+Z, was rightly signed\.$/);
});

test('§2-7 providers: stores nothing, leaves an act without the secret, and knows no other provider', async () => {
  const read = async () =>
    (await site.call('GET', '/api/admin/providers?id=kiwiwall', { as: operator })).body;
  const before = await read();
  const body = { secret: 'a canary secret', apiKey: 'other' };
  const path = '/api/admin/providers/kiwiwall/test';
  assert.equal((await site.call('POST', path, { as: operator, body })).status, 200);
  assert.deepEqual(await read(), before);
  const act = await site.owner.one(sql`select * from platform.acts order by id desc limit 1`);
  const text = JSON.stringify(act, (_, value) => (typeof value === 'bigint' ? String(value) : value));
  assert.match(text, /"act":"provider\.test".*"apiKey":"other"/);
  assert.doesNotMatch(text, /canary/);
  await assert.rejects(stepsOf({}, 'nobody'), { code: 'unknown-provider' });
});

test('calls no address of a private network where only public ones are allowed', async () => {
  const publicOnly = { publicOnly: true };
  const port = new URL(wallUrl).port;
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]'])
    assert.match(
      (await findWebFault(`http://${host}:${port}`, publicOnly)) ?? '',
      /is an address of a private network\.$/,
      host,
    );
  assert.equal(
    await findWebFault('http://169.254.169.254/', publicOnly),
    '169.254.169.254 is an address of a private network.',
  );
  assert.equal(await findWebFault(`http://127.0.0.1:${port}`, { publicOnly: false }), undefined);
});

test('shows what the adapter knows, and until when the former secret verifies', async () => {
  const [row] = (await site.call('GET', '/api/admin/providers?id=kiwiwall', { as: operator })).body;
  assert.equal(row.about.signatureCovers.member, 'signed');
  assert.equal(row.about.signatureCovers.kind, 'unsigned');
  assert.equal(row.formerSecretUntil, null);
  const { body } = await change({ secret: 'the next secret' });
  const hours = (Date.parse(body.formerSecretUntil) - Date.now()) / 3_600_000;
  assert.ok(hours > 23.9 && hours < 24.1, body.formerSecretUntil);
  assert.equal((await change({ settings: { formerSecretHours: 0 } })).body.formerSecretUntil, null);
});

test('refuses a change by an operator who saw other settings', async () => {
  const { body } = await change({ name: 'KiwiWall of today' });
  assert.equal((await change({ url: '', version: body.version })).status, 200);
  const late = await change({ name: 'Mine', version: body.version });
  assert.deepEqual([late.status, late.body.code], [409, 'settings-changed']);
});

test('sends neither the secret nor the public id to the wall, whatever its address', async () => {
  assert.equal((await change({ apiKey: 'canary-id', secret: 'canary-secret' })).status, 200);
  askedOfWall.length = 0;
  await stepsOf({ url: `${wallUrl}/elsewhere` });
  assert.ok(askedOfWall.some((asked) => asked.startsWith('/elsewhere ')));
  assert.doesNotMatch(askedOfWall.join(), /canary/);
});
