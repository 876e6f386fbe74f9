import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { testSite } from '../../../test/site.ts';
import { sql } from '../database.ts';

const site = await testSite({ after });
const { health } = site.platform;

it('answers readiness with the names of what is degraded', async () => {
  assert.deepEqual((await site.call('GET', '/readyz')).body, { status: 'ready', degraded: [], stops: [] });
  health.report('lease-only-node', 'The lease could not be asked for.');
  health.report('rail-of-a-coin', 'The node is not reachable.');
  const { status, body } = await site.call('GET', '/readyz');
  assert.equal(status, 200);
  assert.deepEqual(body, { status: 'ready', degraded: ['lease-only-node', 'rail-of-a-coin'], stops: [] });
  for (const { name } of health.troubles()) health.report(name, undefined);
  assert.deepEqual((await site.call('GET', '/readyz')).body.degraded, []);
});

it('fails readiness while migrations are missing', async () => {
  const last = await site.owner.one<{ name: string; sha256: string }>(sql`
    delete from platform.migrations where name = (select max(name) from platform.migrations)
    returning name, sha256`);
  const { status, problem } = await site.call('GET', '/readyz');
  assert.deepEqual([status, problem.code, problem.detail], [503, 'overloaded', 'Migrations are missing.']);
  await site.owner.rows(
    sql`insert into platform.migrations (name, sha256) values (${last.name}, ${last.sha256})`,
  );
  assert.equal((await site.call('GET', '/readyz')).status, 200);
  await site.owner.rows(sql`alter table platform.migrations rename to elsewhere`);
  assert.equal((await site.call('GET', '/readyz')).status, 503);
  await site.owner.rows(sql`alter table platform.elsewhere rename to migrations`);
  assert.equal((await site.call('GET', '/readyz')).status, 200);
});

it('answers readiness within 2 s while every connection of the node is busy', async () => {
  const release = Promise.withResolvers<void>();
  const busy = Array.from({ length: 20 }, () => site.database.transaction(() => release.promise));
  const askedAtMs = performance.now();
  assert.equal((await site.call('GET', '/readyz')).status, 200);
  assert.ok(performance.now() - askedAtMs < 2_000);
  release.resolve();
  await Promise.all(busy);
});

it('shows operators what is not well and since when, and nobody else', async () => {
  const [operator, member] = [await site.member({ role: 'admin' }), await site.member()];
  health.report('redis', 'Redis does not answer.');
  const { body } = await site.call('GET', '/api/admin/health', { as: operator });
  const [trouble] = body.troubles;
  assert.deepEqual(
    [body.troubles.length, trouble.name, trouble.trouble],
    [1, 'redis', 'Redis does not answer.'],
  );
  assert.ok(Date.now() - Date.parse(trouble.since) < 60_000);
  assert.equal((await site.call('GET', '/api/admin/health', { as: member })).status, 403);
  health.report('redis', undefined);
  assert.deepEqual((await site.call('GET', '/api/admin/health', { as: operator })).body.troubles, []);
});

it('shows what an operator stopped apart from what is not well, in health and readiness', async () => {
  const operator = await site.member({ role: 'admin' });
  health.report('payouts-paused', 'Payouts are paused by an operator.', { isByChoice: true });
  const { body } = await site.call('GET', '/api/admin/health', { as: operator });
  assert.deepEqual(body.troubles, []);
  assert.deepEqual(
    body.stops.map(({ name, trouble }: { name: string; trouble: string }) => [name, trouble]),
    [['payouts-paused', 'Payouts are paused by an operator.']],
  );
  const ready = { status: 'ready', degraded: [], stops: ['payouts-paused'] };
  assert.deepEqual((await site.call('GET', '/readyz')).body, ready);
  health.report('payouts-paused', undefined);
  assert.deepEqual((await site.call('GET', '/api/admin/health', { as: operator })).body.stops, []);
  assert.deepEqual((await site.call('GET', '/readyz')).body.stops, []);
});
