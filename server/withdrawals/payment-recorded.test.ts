import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sentence } from '#contract/operator-sentences.ts';
import { sql } from '#platform/database.ts';
import { randomRegtestAddress } from '../../test/litecoind.ts';
import {
  ask,
  backUp,
  balanceOf,
  faultsOfBooks,
  startWorld,
  sweepNow,
  takeUp,
  type World,
} from '../../test/withdrawals-world.ts';
import { readUnaccounted, storeOwners } from './accounted-queries.ts';
import { approveWithdrawal } from './decisions.ts';
import { changePaymentMethod } from './payment-methods.ts';
import { failPayout, retryPayout } from './payout-acts.ts';
import { readPayout } from './payout-list.ts';
import { findPayout } from './queries.ts';
import { vectors } from './rails/litecoin/vectors.ts';
import { reconcilePayouts } from './reconcile-command.ts';
import { findSentPayments } from './sent-payments.ts';
import { verifyTimeline } from './timelines.ts';

/** What a node’s record of sent payments says of a payment, beside operators who judge it in a restored copy. */
const world = await startWorld({ after }, ['litecoin']);
const party = await vectors.start?.({ after });
assert(party);
const { credentials } = party;
await changePaymentMethod(world.parts, 'litecoin', { credentials });
// A node without a marker compares a database that has withdrawals.
await ask(world, await world.member(2_000n), 2_000n, randomRegtestAddress());

async function approved(member: number): Promise<string> {
  const { id } = await ask(world, member, 2_000n, randomRegtestAddress());
  await approveWithdrawal(world.parts, world.operator, id);
  return id;
}

/** Pays an approved withdrawal after a backup and restores that. */
async function paidSince(t: TestContext, begin: 'approved before' | 'asked since') {
  await takeUp(world);
  const member = await world.member(2_000n);
  const early = begin === 'approved before' ? await approved(member) : undefined;
  const backup = await backUp(t, world);
  const id = early ?? (await approved(member));
  await sweepNow(world);
  const reference = (await findPayout(world.owner, id))?.reference;
  assert.ok(reference);
  return { id, member, reference, restored: await backup.restore() };
}

test('a payment that a node names while it is noted stays open', async (t) => {
  const { member, reference, restored } = await paidSince(t, 'asked since');
  const dataDir = mkdtempSync(join(tmpdir(), 'other-node-'));
  t.after(() => rmSync(dataDir, { recursive: true, force: true }));
  const other = { ...restored, parts: { ...restored.parts, config: { ...restored.parts.config, dataDir } } };
  await verifyTimeline(other.parts);
  await sweepNow(other);
  const found = async () =>
    (await readUnaccounted(other.database, 100)).find((p) => p.reference === reference);
  const unnamed = await found();
  assert.ok(unnamed && unnamed.memberId === null);
  const sent = [...(await findSentPayments(world.parts.config.dataDir, [unnamed])).values()];
  const begun: ReturnType<typeof reconcilePayouts>[] = [];
  await restored.owner.transaction(async (tx) => {
    await storeOwners(tx, sent);
    begun.push(reconcilePayouts(other.parts, null, 'Found by the address'));
    for (let tries = 0; !(await hasWaiter(restored)); tries += 1) {
      assert.ok(tries < 500, 'the note waits for the name');
      await sleep(10);
    }
  });
  const [noted] = await Promise.all(begun);
  const lines: readonly string[] = noted?.lines ?? [];
  assert.ok(lines.includes('Took note of 0 payments.'), lines.join('\n'));
  assert.equal((await found())?.memberId, member);
});

const hasWaiter = ({ owner }: World) =>
  owner.row(sql`
    select from pg_stat_activity
    where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0 limit 1`);

test('a payout keeps its points when its own payment by the record is called another’s', async (t) => {
  const { id, member, reference, restored } = await paidSince(t, 'approved before');
  await verifyTimeline(restored.parts);
  await sweepNow(restored);
  assert.equal((await readPayout(restored.database, id)).state, 'parked');
  const act = { platform: restored.parts, operatorId: restored.operator, id, reason: 'Another’s' };
  const refused = { code: 'payout-unclear', message: sentence('payment-recorded-here', { reference }) };
  await assert.rejects(retryPayout({ ...act, shown: [reference] }), refused);
  await assert.rejects(failPayout({ ...act, shown: [reference] }), refused);

  // Queued again, as by an older release: the halt asks as well, also while the outside party is away.
  await restored.owner.rows(sql`
    update withdrawals.payouts set state = 'queued', possible_references = '{}', possible_payments = '[]'
    where withdrawal_id = ${id}`);
  await assert.rejects(failPayout({ ...act, shown: [reference] }), refused);
  await changePaymentMethod(restored.parts, 'litecoin', { credentials: { ...credentials, rpcPort: 1 } });
  await assert.rejects(failPayout({ ...act, shown: [reference] }), { code: 'payout-unavailable' });
  assert.deepEqual((await findPayout(restored.database, id))?.clearedReferences, []);
  assert.equal(await balanceOf(restored, member), 0n);
  assert.deepEqual(await faultsOfBooks(restored), []);
});
