import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { json, openDatabase, type Sql, sql } from '#platform/database.ts';
import { createHealth } from '#platform/health.ts';
import { takeLease } from '#platform/leases.ts';
import { storeUnsent } from '../../test/stored-payment.ts';
import { balanceOf, faultsOfBooks, startWorld, sweepNow } from '../../test/withdrawals-world.ts';
import { approveAllWithdrawals } from './bulk-decisions.ts';
import { approveWithdrawal } from './decisions.ts';
import { changePaymentMethod } from './payment-methods.ts';
import { syncWithdrawal } from './payout-acts.ts';
import { turnNameOf } from './payout-queries.ts';
import { sweepPayouts } from './payouts.ts';
import { vectors as dash } from './rails/dash/vectors.ts';
import { vectors as litecoin } from './rails/litecoin/vectors.ts';
import type { Account, RailDefinition } from './rails/rail.ts';
import { rails } from './rails/registry.ts';
import { readWithdrawal } from './withdrawal-list.ts';
import { requestWithdrawal } from './withdrawals.ts';

/** Faults of one rail or one payout: they stop nothing else, and say on the payout what is wrong. */
const world = await startWorld({ after });
const { parts, owner, operator } = world;
const METHODS = ['dash', 'litecoin'] as const;
type MethodId = (typeof METHODS)[number];
const startParty = async (method: MethodId, { start }: typeof dash) => {
  assert(start);
  const party = await start({ after });
  await changePaymentMethod(parts, method, { credentials: party.credentials });
  return party;
};
const parties = { dash: await startParty('dash', dash), litecoin: await startParty('litecoin', litecoin) };

const requested = async (method: MethodId) => {
  const memberId = await world.member(2_000n);
  const request = { amountPoints: '2000', method, recipientInfo: parties[method].recipient() };
  const { id } = (await requestWithdrawal(parts, memberId, request, null)).reply;
  return { id, memberId };
};
const approved = async (method: MethodId) => {
  const { id } = await requested(method);
  await approveWithdrawal(parts, operator, id);
  return id;
};
const payoutOf = (id: string) =>
  owner.one<{ state: string; trouble: string | null; artifact: string | null }>(
    sql`select state, trouble, artifact from withdrawals.payouts where withdrawal_id = ${id}`,
  );
const settle = async () => {
  for (const method of METHODS) await parties[method].settle();
  await sweepNow(world);
};

const sealed = (method: MethodId, text: string) => {
  const place = `withdrawals.methods ${method} credentials`;
  return sql`sealed_credentials = ${parts.secrets.seal(text, place)}`;
};
const unusable: { name: string; trouble: RegExp; change: (method: MethodId) => Sql }[] = [
  {
    name: 'settings that are not allowed',
    trouble: /^The settings of this method are not valid: confirmations: /,
    change: () => sql`settings = ${json({ confirmations: 0 })}::jsonb`,
  },
  {
    name: 'sealed credentials that do not open',
    trouble: /^The credentials of this method can’t be read\./,
    change: () => sql`sealed_credentials = 'v1.damaged'`,
  },
  {
    name: 'sealed credentials that are not JSON',
    trouble: /^The credentials of this method can’t be read\./,
    change: (method) => sealed(method, 'canary'),
  },
  {
    name: 'credentials of another shape',
    trouble: /^The credentials of this method can’t be read\./,
    change: (method) => sealed(method, '{"rpcUser":"a","rpcPassword":"canary","rpcPort":"canary"}'),
  },
];

type Connectable = { connect: NonNullable<RailDefinition['connect']> };

for (const [index, { name, trouble, change }] of unusable.entries())
  for (const broken of METHODS.filter((_, place) => place === index % METHODS.length))
    test(`pays by other methods while ${broken} has ${name}, and says so`, async () => {
      const whole = METHODS.find((method) => method !== broken) ?? broken;
      const { settings, sealedCredentials } = await owner.one<{
        settings: unknown;
        sealedCredentials: string;
      }>(sql`
        select settings, sealed_credentials as "sealedCredentials" from withdrawals.methods where method = ${broken}`);
      const [waiting, paid] = [await approved(broken), await approved(whole)];
      const refused = await requested(broken);
      await owner.rows(sql`update withdrawals.methods set ${change(broken)} where method = ${broken}`);

      await sweepNow(world);
      assert.equal((await payoutOf(paid)).state, 'broadcast');
      assert.equal((await payoutOf(waiting)).state, 'queued');
      assert.match((await payoutOf(waiting)).trouble ?? '', trouble);
      assert.doesNotMatch((await payoutOf(waiting)).trouble ?? '', /canary/);

      await assert.rejects(requested(broken), { code: 'method-disabled' });
      const accepted = await requested(whole);
      await assert.rejects(approveWithdrawal(parts, operator, refused.id), { code: 'payout-unavailable' });
      const { processed, failed } = await approveAllWithdrawals(parts, operator);
      assert.equal(processed, 1);
      assert.deepEqual(
        failed.map(({ id, reason }) => [id, trouble.test(reason)]),
        [[refused.id, true]],
      );
      assert.equal((await readWithdrawal(parts.database, accepted.id)).status, 'approved');
      assert.equal((await syncWithdrawal(parts, waiting, operator)).payoutState, 'queued');

      await owner.rows(sql`
        update withdrawals.methods
        set settings = ${json(settings)}::jsonb, sealed_credentials = ${sealedCredentials} where method = ${broken}`);
      await approveAllWithdrawals(parts, operator);
      await sweepNow(world);
      await settle();
      for (const id of [waiting, paid, refused.id, accepted.id])
        assert.equal((await payoutOf(id)).state, 'confirmed');
      assert.equal(await balanceOf(world, refused.memberId), 0n);
      assert.deepEqual(await faultsOfBooks(world), []);
    });

test('refuses approvals of a rail that throws as it connects, and logs the cause without a secret', async (t) => {
  const [waiting, paid] = [await approved('dash'), await approved('litecoin')];
  const refused = await requested('dash');
  const dashRail = rails.find(({ id }) => id === 'dash') as Connectable;
  const { mock } = t.mock.method(dashRail, 'connect', ({ credentials }: Account) => {
    throw new TypeError(`Invalid URL: http://${credentials.rpcUser}:${credentials.rpcPassword}@host`);
  });
  const logged = t.mock.method(parts.log, 'error', () => undefined);

  await assert.rejects(requested('dash'), { code: 'method-disabled' });
  await assert.rejects(approveWithdrawal(parts, operator, refused.id), { code: 'payout-unavailable' });
  assert.equal((await readWithdrawal(parts.database, refused.id)).status, 'pending');
  const [fields] = logged.mock.calls[0]?.arguments as unknown as [{ method: string; name: string }];
  assert.deepEqual([fields.method, fields.name], ['dash', 'TypeError']);
  assert.match(JSON.stringify(fields), /payout-faults\.test\.ts/, 'the place of the fault');

  const accepted = await requested('litecoin');
  const { processed, failed } = await approveAllWithdrawals(parts, operator);
  assert.deepEqual([processed, failed.map(({ id }) => id)], [1, [refused.id]]);
  await sweepNow(world);
  assert.equal((await payoutOf(paid)).state, 'broadcast');
  assert.equal((await payoutOf(waiting)).state, 'queued');
  assert.match((await payoutOf(waiting)).trouble ?? '', /^The payments of this method could not be set up\./);
  assert.equal((await syncWithdrawal(parts, waiting, operator)).payoutState, 'queued');
  const { rpcUser, rpcPassword } = parties.dash.credentials;
  for (const text of [
    ...logged.mock.calls.map((call) => JSON.stringify(call.arguments)),
    ...failed.map(({ reason }) => reason),
    (await payoutOf(waiting)).trouble ?? '',
  ])
    for (const secret of [rpcUser, rpcPassword]) assert(!text.includes(String(secret)), text);

  mock.restore();
  await approveWithdrawal(parts, operator, refused.id);
  await sweepNow(world);
  await settle();
  for (const id of [waiting, paid, refused.id, accepted.id])
    assert.equal((await payoutOf(id)).state, 'confirmed');
  assert.deepEqual(await faultsOfBooks(world), []);
});

for (const broken of METHODS)
  test(`sweeps the other methods while the payouts of ${broken} can’t be written`, async () => {
    const whole = METHODS.find((method) => method !== broken) ?? broken;
    const [waiting, paid] = [await approved(broken), await approved(whole)];
    await owner.rows(sql`
      create function withdrawals.refuse_write() returns trigger language plpgsql as $$
      begin
        if new.state <> old.state or new.trouble is not null then raise exception 'the disk is full'; end if;
        return new;
      end $$`);
    await owner.rows(
      broken === 'dash'
        ? sql`create trigger refuse_write before update on withdrawals.payouts
            for each row when (new.method = 'dash') execute function withdrawals.refuse_write()`
        : sql`create trigger refuse_write before update on withdrawals.payouts
            for each row when (new.method = 'litecoin') execute function withdrawals.refuse_write()`,
    );
    await sweepNow(world);
    assert.equal((await payoutOf(paid)).state, 'broadcast');
    assert.equal((await payoutOf(waiting)).state, 'queued');
    await owner.rows(sql`drop function withdrawals.refuse_write() cascade`);
    await sweepNow(world);
    await settle();
    for (const id of [waiting, paid]) assert.equal((await payoutOf(id)).state, 'confirmed');
    assert.deepEqual(await faultsOfBooks(world), []);
  });

const storeArtifact = (id: string, state: string, artifact: string) =>
  owner.rows(sql`
    update withdrawals.payouts set state = ${state}, artifact = ${artifact} where withdrawal_id = ${id}`);
const unreadable: { name: string; artifact: (written: string) => string }[] = [
  { name: 'another shape', artifact: () => '{"v":2}' },
  { name: 'another version', artifact: (written) => JSON.stringify({ ...JSON.parse(written), version: 2 }) },
  {
    name: 'no version',
    artifact: (written) => JSON.stringify({ ...JSON.parse(written), version: undefined }),
  },
  { name: 'no JSON', artifact: (written) => written.slice(1) },
  { name: 'no coins', artifact: (written) => JSON.stringify({ ...JSON.parse(written), inputs: [] }) },
];

const STATES = ['signed', 'parked'];

for (const [index, { name, artifact }] of unreadable.entries())
  for (const state of STATES.filter((_, place) => place === index % STATES.length))
    test(`prepares nothing beside a ${state} payment with an artifact of ${name}, and names it`, async () => {
      const sent = await approved('litecoin');
      await sweepNow(world);
      assert.equal((await payoutOf(sent)).state, 'broadcast');
      const unsent = await approved('litecoin');
      const kept = await storeUnsent(parts, unsent);
      await storeArtifact(unsent, state, artifact(kept));
      const waiting = [];
      for (let count = 0; count < 4; count += 1) waiting.push(await approved('litecoin'));
      const other = await approved('dash');
      await owner.rows(sql`
        update withdrawals.payouts set queued_at = queued_at + interval '1 hour' where withdrawal_id = ${sent}`);

      await settle();
      assert.equal((await payoutOf(unsent)).state, state);
      assert.match((await payoutOf(unsent)).trouble ?? '', /^The stored payment can’t be read\./);
      for (const id of waiting) {
        const { state: waitingState, trouble } = await payoutOf(id);
        assert.equal(waitingState, 'queued');
        assert.match(trouble ?? '', new RegExp(`^This payout waits for payout ${unsent}\\. .+backup\\.$`));
      }
      assert.equal((await payoutOf(sent)).state, 'confirmed', 'payments that were sent are followed');
      assert.equal((await payoutOf(other)).state, 'broadcast', 'other methods pay');
      assert.equal((await syncWithdrawal(parts, unsent, operator)).payoutState, state);

      await storeArtifact(unsent, state, kept);
      for (let sweep = 0; sweep < 3; sweep += 1) await sweepNow(world);
      await settle();
      for (const id of [unsent, ...waiting, other]) assert.equal((await payoutOf(id)).state, 'confirmed');
      assert.deepEqual(await faultsOfBooks(world), []);
    });

test('follows a payment that was sent and whose artifact can’t be read, and prepares beside it', async () => {
  const sent = await approved('litecoin');
  await sweepNow(world);
  await storeArtifact(sent, 'signed', '{"v":2}');
  const next = await approved('litecoin');
  await sweepNow(world);
  assert.equal((await payoutOf(sent)).state, 'broadcast');
  await sweepNow(world);
  assert.equal((await payoutOf(next)).state, 'broadcast');
  await settle();
  for (const id of [sent, next]) assert.equal((await payoutOf(id)).state, 'confirmed');
  assert.deepEqual(await faultsOfBooks(world), []);
});

test('reports a method as well again although another node has paid meanwhile and nothing is due', async () => {
  const id = await approved('litecoin');
  const url = `${world.appUrl}?options=-c%20lock_timeout=100`;
  const hasty = openDatabase({ url, connectionsMax: 2 });
  const node = { ...parts, database: hasty, health: createHealth(parts.log) };
  const names = () => node.health.troubles().map(({ name }) => name);
  await (await takeLease(parts, turnNameOf('litecoin')))?.release();
  await owner.transaction(async (tx) => {
    await tx.rows(sql`select from platform.leases where name = ${turnNameOf('litecoin')} for update`);
    await sweepPayouts(node);
  });
  assert.deepEqual(names().toSorted(), ['lease-payouts-litecoin', 'payouts-litecoin']);
  await sweepNow(world);
  await settle();
  assert.equal((await payoutOf(id)).state, 'confirmed');
  await sweepPayouts(node);
  assert.deepEqual(names(), []);
  await hasty.close();
});

test('gives up a turn that has no end with its lease, and goes on with the others before its payout', async () => {
  const id = await approved('litecoin');
  const next = await approved('litecoin');
  const { credentials } = parties.litecoin;
  const sockets = new Set<Socket>();
  const silent = createServer((socket) => void sockets.add(socket)).listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const rpcPort = (silent.address() as AddressInfo).port;
  await changePaymentMethod(parts, 'litecoin', { credentials: { ...credentials, rpcPort } });

  const startedAtMs = performance.now();
  await sweepPayouts(parts, undefined, { turnMsMax: 300 });
  assert.ok(performance.now() - startedAtMs < 3_000);
  const names = () => parts.health.troubles().map(({ name }) => name);
  assert.ok(names().includes('payouts-litecoin'), String(names()));
  const before = await payoutOf(id);
  assert.equal(before.trouble, 'This step did not end in its time. It is tried again.');
  assert.equal((await payoutOf(next)).trouble, null);
  await sweepPayouts(parts, undefined, { turnMsMax: 300 });
  assert.equal((await payoutOf(next)).trouble, before.trouble, 'the other payout is tried in the next turn');
  const lease = await takeLease(parts, turnNameOf('litecoin'));
  assert.ok(lease, 'the lease of the turn was given back');
  for (const socket of sockets) socket.destroy();
  silent.close();
  await sleep(200);
  assert.deepEqual(await payoutOf(id), before, 'the late turn changes nothing');
  await lease.release();

  await changePaymentMethod(parts, 'litecoin', { credentials });
  await sweepNow(world);
  for (const one of [id, next]) assert.equal((await payoutOf(one)).state, 'broadcast');
  assert.ok(!names().includes('payouts-litecoin'));
  await settle();
});
