import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, it } from 'node:test';
import { ConfigFault } from '#platform/config.ts';
import { sql } from '#platform/database.ts';
import { createHealth } from '#platform/health.ts';
import { requireKnownSecret } from '#platform/secret-rotation.ts';
import { createSecrets } from '#platform/secrets.ts';
import { createApp } from '../server/app.ts';
import { genuinePostback } from '../server/earning/providers/vectors.ts';
import { runAdmin, runAdminProcess } from './admin-command.ts';
import { nameOf } from './postback-site.ts';
import { silentLog, testSite } from './site.ts';

/** Changing APP_SECRET while a node runs with both secrets: `npm run admin -- rotate-secret`. */
const [old, next] = [randomBytes(32), randomBytes(32)];
const base64 = (secret: Buffer) => secret.toString('base64');
const site = await testSite({ after }, { APP_SECRET: base64(old), APP_SECRET_FORMER: base64(next) });
const dataDir = mkdtempSync(join(tmpdir(), 'earnest-rotate-'));
after(() => rmSync(dataDir, { recursive: true, force: true }));

const environmentOf = (current: Buffer, former?: Buffer) => ({
  DATA_DIR: dataDir,
  DATABASE_URL: site.urls.appUrl,
  DATABASE_OWNER_URL: site.urls.ownerUrl,
  APP_SECRET: base64(current),
  ...(former === undefined ? {} : { APP_SECRET_FORMER: base64(former) }),
});
const rotate = (current: Buffer, former?: Buffer) =>
  runAdmin(environmentOf(current, former), 'rotate-secret');
const stored = () =>
  site.owner.one<{ secret: string; former: string; credentials: string; check: string; paypal: string }>(sql`
    select sealed_secret as secret, former_sealed_secret as former,
      (select sealed_credentials from withdrawals.methods where method = 'litecoin') as credentials,
      (select sealed from platform.secret_check) as check,
      (select sealed_credentials from wallets.accounts where company = 'paypal') as paypal
    from earning.providers where id = 'cpx'`);

it('seals all stored secrets anew while a node goes on to read them', async () => {
  await requireKnownSecret(site.database, createSecrets(old));
  const operator = await site.member({ role: 'admin' });
  const put = async (path: string, body: object) =>
    assert.equal((await site.call('PUT', path, { as: operator, body })).status, 200);
  for (const secret of ['the first secret', 'the second secret'])
    await put('/api/admin/providers/cpx', { secret, apiKey: '1', isEnabled: true });
  const credentials = { rpcUser: 'user', rpcPassword: 'word', rpcHost: '127.0.0.1', rpcPort: 9 };
  await put('/api/admin/payment-methods/litecoin', { credentials });
  const paypal = {
    clientId: 'client',
    clientSecret: 'the secret of PayPal',
    businessEmail: 'pay@example.com',
    environment: 'sandbox',
  };
  const saved = await site.call('POST', '/api/admin/wallet/paypal', { as: operator, body: paypal });
  assert.equal(saved.status, 200);

  const wrong = await rotate(next);
  assert.equal(wrong.code, 1);
  assert.match(wrong.said, /Neither secret opens earning\.providers\/cpx\/secret/);
  assert.match(wrong.said, /Neither secret is the one that this database is used with\. Give that one\./);
  assert.doesNotMatch(wrong.said, /secret_check/);

  await site.owner.rows(
    sql`alter table platform.acts add constraint no_rotation check (act <> 'secret.rotate') not valid`,
  );
  const unchanged = await stored();
  assert.equal((await rotate(next, old)).code, 1);
  await site.owner.rows(sql`alter table platform.acts drop constraint no_rotation`);
  assert.deepEqual(await stored(), unchanged, 'nothing is sealed anew without its act');

  const first = await rotate(next, old);
  assert.equal(first.code, 0, first.said);
  assert.match(first.said, /5 secrets were sealed anew\. 5 of 5 .*\nRun this again/);
  const after = createSecrets(next);
  const rows = await stored();
  const context = 'earning.providers/cpx/secret';
  assert.deepEqual(
    [after.open(rows.secret, context), after.open(rows.former, context)],
    ['the second secret', 'the first secret'],
  );
  assert.match(after.open(rows.credentials, 'withdrawals.methods litecoin credentials'), /"word"/);
  assert.match(after.open(rows.paypal, 'wallets.accounts paypal credentials'), /of PayPal"/);
  // The running node, whose current secret is the old one, still changes and reads what was sealed anew.
  await put('/api/admin/providers/cpx', { secret: 'the second secret', name: 'CPX' });
  await put('/api/admin/providers/cpx', { secret: 'the third secret' });

  assert.match((await rotate(next, old)).said, /^1 secrets were sealed anew/);
  assert.match(
    (await rotate(next)).said,
    /^0 secrets were sealed anew\. 5 of 5 .*\n.*APP_SECRET_FORMER can go/,
  );
  assert.equal(after.open((await stored()).secret, context), 'the third secret');
  const acts = await site.owner.rows<{ resealed: number }>(sql`
    select (after->>'resealedCount')::integer as resealed from platform.acts where act = 'secret.rotate' order by id`);
  assert.deepEqual(
    acts.map(({ resealed }) => resealed),
    [5, 1],
  );
});

it('is done on one node after the other, while both answer', async () => {
  const operator = await site.member({ role: 'admin' });
  const person = await site.member();
  /** A second node on the same database, with secrets of its own. */
  const startNode = async (appSecret: Buffer, appSecretFormer: Buffer | null) => {
    const log = silentLog();
    const config = { ...site.config, appSecret, appSecretFormer };
    const { app } = await createApp({ config, database: site.database, log, health: createHealth(log) });
    after(() => app.close());
    return new URL(await app.listen({ host: '127.0.0.1', port: 0 })).origin;
  };
  const callOf = (address: string) => async (method: 'GET' | 'PUT', path: string, body?: object) => {
    const headers = { origin: site.origin, cookie: operator.cookie, 'content-type': 'application/json' };
    return fetch(`${address}${path}`, { method, headers, body: body ? JSON.stringify(body) : null });
  };
  let count = 0;
  const credits = async (address: string, secret: string) => {
    count += 1;
    const values = { [nameOf('cpx', 'member')]: String(person.id) };
    const transaction = { [nameOf('cpx', 'transaction')]: `81000000${count}` };
    const to = `${site.origin}/api/webhooks/postback/cpx`;
    const { url } = genuinePostback('cpx', { ...values, ...transaction }, to, secret);
    return (await fetch(url.replace(site.origin, address))).status === 200;
  };
  const setSecret = async (address: string, secret: string) => {
    const body = { secret, apiKey: '1', isEnabled: true };
    assert.equal((await callOf(address)('PUT', '/api/admin/providers/cpx', body)).status, 200);
  };
  const rpcPortAt = async (address: string) => {
    const answer = await callOf(address)('GET', '/api/admin/payment-methods');
    const methods = (await answer.json()) as { method: string; credentials: { rpcPort?: number } }[];
    return methods.find(({ method }) => method === 'litecoin')?.credentials.rpcPort;
  };

  const [oldNode, newNode] = [await startNode(old, next), await startNode(next, old)];
  for (const [at, other, rpcPort] of [
    [oldNode, newNode, 10],
    [newNode, oldNode, 11],
  ] as const) {
    await setSecret(at, `sealed for ${rpcPort}`);
    const credentials = { rpcUser: 'user', rpcPassword: 'word', rpcHost: '127.0.0.1', rpcPort };
    const path = '/api/admin/payment-methods/litecoin';
    assert.equal((await callOf(at)('PUT', path, { credentials })).status, 200);
    for (const node of [at, other]) {
      assert.ok(await credits(node, `sealed for ${rpcPort}`));
      assert.equal(await rpcPortAt(node), rpcPort);
    }
  }
  await setSecret(oldNode, 'sealed at last');
  // As operators run it: in a process of its own.
  assert.equal((await runAdminProcess(environmentOf(next, old), 'rotate-secret')).code, 0);
  const last = await startNode(next, null);
  for (const node of [oldNode, newNode, last]) {
    assert.ok(await credits(node, 'sealed at last'));
    assert.equal(await rpcPortAt(node), 11);
  }
});

it('refuses a start with a secret that the database is not used with', async () => {
  await requireKnownSecret(site.database, createSecrets(next));
  await requireKnownSecret(site.database, createSecrets(old, next));
  await assert.rejects(requireKnownSecret(site.database, createSecrets(old)), (error) => {
    assert.ok(error instanceof ConfigFault);
    assert.match(error.message, /^APP_SECRET: is not the one/);
    return true;
  });
});
