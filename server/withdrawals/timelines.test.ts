import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { markerFileOf, nodeFolderOf } from '#platform/data-folders.ts';
import { sql } from '#platform/database.ts';
import { randomRegtestAddress } from '../../test/litecoind.ts';
import { storeUnsent } from '../../test/stored-payment.ts';
import { ask, startWorld, sweepNow } from '../../test/withdrawals-world.ts';
import { approveWithdrawal } from './decisions.ts';
import { changePaymentMethod } from './payment-methods.ts';
import { failPayout } from './payout-acts.ts';
import { readRestoreState } from './payout-list.ts';
import { vectors } from './rails/litecoin/vectors.ts';
import { reportRestore } from './reconciliation.ts';
import { askForReconciliation, beginTimeline } from './reconciliation-queries.ts';
import { verifyTimeline } from './timelines.ts';

/** The marker outside the database, of one node and of several. */
const world = await startWorld({ after }, ['litecoin']);
const { owner, parts } = world;
const party = await vectors.start?.({ after });
assert(party);
await changePaymentMethod(parts, 'litecoin', { credentials: party.credentials });

const folder = () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'marker-'));
  after(() => rmSync(dataDir, { recursive: true, force: true }));
  mkdirSync(nodeFolderOf(dataDir));
  return dataDir;
};
type Marker = { stamp: string; paymentCount: string; digest: string; storedAt: string | null };
const wholeMarkerIn = (dataDir: string) => JSON.parse(readFileSync(markerFileOf(dataDir), 'utf8')) as Marker;
const markerIn = (dataDir: string) => {
  const { stamp, paymentCount } = wholeMarkerIn(dataDir);
  return { stamp, paymentCount };
};
const NO_PAYMENT = { digest: '', storedAt: null };
/** The marker of a node that was away since the first payment. */
let firstMarker: Marker;
const at = (dataDir: string) => ({ ...parts, config: { ...parts.config, dataDir } });
const verifyAt = (dataDir: string) => verifyTimeline(at(dataDir));
const current = () =>
  owner.one<{ stamp: string; count: string }>(sql`
    select stamp::text, payment_count::text as count from withdrawals.timelines order by number desc limit 1`);
const pay = async () => {
  const { id } = await ask(world, await world.member(1_000n), 1_000n, randomRegtestAddress());
  await approveWithdrawal(parts, world.operator, id);
  await sweepNow(world);
  return id;
};

test('makes a marker for an empty database, and raises it before each payment is sent', async () => {
  const { dataDir } = parts.config;
  assert.deepEqual(markerIn(dataDir), { stamp: (await current()).stamp, paymentCount: '0' });
  await pay();
  assert.deepEqual(readdirSync(dataDir), ['node'], 'a restore of the folder site touches none of it');
  firstMarker = wholeMarkerIn(dataDir);
  await pay();
  assert.deepEqual(markerIn(dataDir), { stamp: (await current()).stamp, paymentCount: '2' });
});

test('knows its database with a marker that is behind, because another node paid', async () => {
  const other = folder();
  assert.equal(firstMarker.paymentCount, '1');
  writeFileSync(markerFileOf(other), JSON.stringify(firstMarker));
  assert.equal(await verifyAt(other), undefined);
  assert.equal(markerIn(other).paymentCount, (await current()).count);
});

test('takes a database with payouts for another one without a marker, or with one that can’t be read', async () => {
  for (const text of [undefined, '', '{"stamp":1}', '{"stamp":"x","paymentCount":"-1"}']) {
    const other = folder();
    if (text !== undefined) writeFileSync(markerFileOf(other), text);
    const before = await current();
    assert.match((await verifyAt(other)) ?? '', /^This node has no marker/);
    assert.notEqual((await current()).stamp, before.stamp);
    assert.deepEqual(markerIn(other), { stamp: (await current()).stamp, paymentCount: '0' });
    assert.equal(await verifyAt(other), undefined, 'once');
  }
});

test('lets each node of one database follow a new timeline without beginning another', async () => {
  const nodes = [parts.config.dataDir, folder(), folder()] as const;
  for (const node of nodes) await verifyAt(node);
  await sweepNow(world);
  await pay();
  for (const node of nodes) assert.equal(await verifyAt(node), undefined);
  const { stamp, count } = await current();
  for (const node of nodes) assert.deepEqual(markerIn(node), { stamp, paymentCount: count });
});

test('lets two nodes begin timelines at once, and asks for the comparison of each', async () => {
  const begin = { insteadOf: null, hasEndedSessions: false, hasParkedApproved: false, newestSessionAt: null };
  const started = await parts.database.transaction(async (tx) => {
    const { number } = await beginTimeline(tx, begin);
    const later = await parts.database.transaction(async (other) => {
      const next = await beginTimeline(other, begin);
      await askForReconciliation(other, next.number, 'The later one', undefined);
      return next.number;
    });
    await askForReconciliation(tx, number, 'The earlier one', undefined);
    return [number, later];
  });
  assert.deepEqual(
    await owner.rows(sql`
      select timeline from withdrawals.comparison_starts where timeline = any (${started}) order by timeline`),
    started.map((timeline) => ({ timeline })),
  );
  await verifyAt(parts.config.dataDir);
  await sweepNow(world);
});

test('finds that the database is behind the marker of any node', async () => {
  const [one, other] = [folder(), folder()];
  const { stamp, count } = await current();
  for (const [node, ahead] of [
    [one, 1n],
    [other, 2n],
  ] as const)
    writeFileSync(
      markerFileOf(node),
      JSON.stringify({ stamp, paymentCount: String(BigInt(count) + ahead), ...NO_PAYMENT }),
    );
  assert.match((await verifyAt(one)) ?? '', /an older copy was restored\.$/);
  assert.match((await verifyAt(other)) ?? '', /an older copy was restored\.$/, 'it may know of more');
  assert.equal(await verifyAt(one), undefined);
  assert.equal(await verifyAt(parts.config.dataDir), undefined);
  await sweepNow(world);
});

test('finds a database that does not know the marker’s stamp', async () => {
  const other = folder();
  writeFileSync(
    markerFileOf(other),
    JSON.stringify({ stamp: crypto.randomUUID(), paymentCount: '0', ...NO_PAYMENT }),
  );
  assert.match((await verifyAt(other)) ?? '', /^The database is another one/);
  await sweepNow(world);
});

/** A DATA_DIR that can be neither read nor written, like one of a full or broken disk. */
function unwritable() {
  const file = join(folder(), 'no-folder');
  writeFileSync(file, '');
  return file;
}
const WAITS = 'The marker of payments in DATA_DIR can’t be read or written: ENOTDIR.';
const troubleOf = (part: string) => parts.health.troubles().find(({ name }) => name === part)?.trouble;
const stateOf = (id: string) =>
  owner.one(sql`select state, trouble from withdrawals.payouts where withdrawal_id = ${id}`);
const approved = async () => {
  const { id } = await ask(world, await world.member(1_000n), 1_000n, randomRegtestAddress());
  await approveWithdrawal(parts, world.operator, id);
  return id;
};

test('signs nothing while the marker can’t be written, and says so on the payout and in health', async () => {
  const [paid, givenUp] = [await approved(), await approved()];
  const other = at(unwritable());
  await sweepNow({ ...world, parts: other });
  for (const id of [paid, givenUp]) assert.deepEqual(await stateOf(id), { state: 'queued', trouble: WAITS });
  assert.equal(troubleOf('payments-marker'), WAITS);
  await verifyTimeline(other);
  assert.equal(troubleOf('payments-marker'), WAITS, 'still, with nothing to write');
  const act = { platform: parts, operatorId: world.operator, reason: 'The disk is full' };
  assert.equal((await failPayout({ ...act, id: givenUp })).state, 'failed');
  await sweepNow(world);
  assert.equal(troubleOf('payments-marker'), undefined);
  assert.deepEqual(await stateOf(paid), { state: 'broadcast', trouble: null });
});

test('sends no stored payment while the marker can’t be written', async () => {
  const id = await approved();
  await storeUnsent(world.parts, id);
  await sweepNow({ ...world, parts: at(unwritable()) });
  assert.deepEqual(await stateOf(id), { state: 'signed', trouble: WAITS });
  await sweepNow(world);
  assert.deepEqual(await stateOf(id), { state: 'broadcast', trouble: null });
});

test('begins no timeline and compares nothing while its marker can’t be written', async () => {
  const other = folder();
  // A folder in the place of the draft refuses the write and no read.
  mkdirSync(`${markerFileOf(other)}.${process.pid}`);
  const before = await current();
  for (const _turn of ['at the start', 'at the first sweep'])
    assert.match((await verifyAt(other)) ?? '', /can’t be read or written: EISDIR\.$/);
  assert.equal((await current()).stamp, before.stamp);
  rmSync(`${markerFileOf(other)}.${process.pid}`, { recursive: true });
  assert.match((await verifyAt(other)) ?? '', /^This node has no marker/);
  assert.equal(markerIn(other).stamp, (await current()).stamp);
  await sweepNow(world);
});

test('says in health and on the screen all that is left to do after a restore', async () => {
  const { id } = await ask(world, await world.member(1_000n), 1_000n, randomRegtestAddress());
  await owner.rows(sql`
    insert into withdrawals.request_checks (withdrawal_id, possible_references, reason, found_at)
    values (${id}, '{listed}', 'It may be paid already.', platform.business_now())`);
  await owner.rows(
    sql`update withdrawals.reconciliations set done_at = platform.business_now(), reason = 'Restored.'`,
  );
  const counts = async () => {
    await reportRestore(parts);
    const { pending, unaccounted, unaccountedCount, checkedCount } = await readRestoreState(parts.database);
    return [pending.length, unaccounted.length, unaccountedCount, checkedCount];
  };
  const checked =
    '1 pending request may be paid already; in the queue, say which payment paid it, or that none did.';
  assert.deepEqual(await counts(), [0, 0, 0, 1]);
  assert.equal(troubleOf('restore'), `Restored. ${checked}`, 'that it was restored stays said');

  await owner.rows(sql`
    insert into withdrawals.unaccounted_payments (method, reference, destination, amount_units, paid_at, found_at)
    select 'litecoin', 'unknown ' || n, 'somebody', 1, now(), now() from generate_series(1, 101) n`);
  const unaccounted = 'No payout accounts for 101 payments; run `npm run admin -- reconcile`.';
  assert.deepEqual(await counts(), [0, 100, 101, 1]);
  assert.equal(troubleOf('restore'), `Restored. ${unaccounted} ${checked}`);

  await owner.rows(sql`
    update withdrawals.reconciliations set done_at = null where method = 'litecoin'`);
  assert.deepEqual(await counts(), [1, 100, 101, 1]);
  const waiting = 'Restored. Requests and payouts of all methods wait for a comparison of these: litecoin.';
  assert.equal(troubleOf('restore'), `${waiting} ${unaccounted} ${checked}`);
});
