import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { sql } from '#platform/database.ts';
import { startSandboxCoinNode } from '../../test/sandbox-coin-node.ts';
import { ask, connectLitecoin, startWorld, sweepNow } from '../../test/withdrawals-world.ts';
import { auditSite } from '../ledger/books.ts';
import { readUnaccounted } from './accounted-queries.ts';
import { approveWithdrawal } from './decisions.ts';
import { noteNotOwed } from './notes-command.ts';
import { railChecksOf } from './rail-audit.ts';
import { writeArtifact } from './rails/coin/artifact.ts';
import { reconcilePayouts } from './reconcile-command.ts';

const world = await startWorld({ after });
const node = await startSandboxCoinNode({ after });
await connectLitecoin(world, node.access);
await node.mine(101);
const { owner, parts } = world;

/** Pays a withdrawal to a new address. Returns its id. */
async function pay(): Promise<string> {
  const { id } = await ask(world, await world.member(2_000n), 2_000n, node.foreignAddress());
  await approveWithdrawal(parts, world.operator, id);
  await sweepNow(world);
  await node.mine(6);
  await sweepNow(world);
  const { state } = await owner.one<{ state: string }>(
    sql`select state from withdrawals.payouts where withdrawal_id = ${id}`,
  );
  assert.equal(state, 'confirmed');
  return id;
}

const audit = async () => {
  const { checks, differences } = await auditSite(parts, railChecksOf(parts));
  return { litecoin: checks.find(({ name }) => name === 'rail-litecoin'), differences };
};

const first = await pay();
const second = await pay();

test('finds no difference between the payouts and the list of the rail', async () => {
  const { litecoin, differences } = await audit();
  assert.deepEqual(differences, []);
  assert.equal(litecoin?.notChecked, null);
  assert.ok((litecoin?.pieces ?? 0) > 0);
  const { sum } = await owner.one<{ sum: string }>(sql`
    select round(sum(amount_units) / 100000000.0, 8)::text as sum from withdrawals.payouts`);
  assert.deepEqual(litecoin?.compared, {
    method: 'litecoin',
    currency: 'LTC',
    books: sum,
    listed: sum,
    difference: '0.00000000',
    days: 35,
  });
});

test('finds a payout that counts as paid without a payment, and a payment without its payout', async () => {
  await owner.rows(sql`
    update withdrawals.payouts set reference = ${'ab'.repeat(32)} where withdrawal_id = ${first}`);
  const { differences } = await audit();
  assert.deepEqual(
    differences.map(({ check }) => check),
    ['rail-payments', 'rail-payouts'],
  );
  assert.equal(differences[1]?.subject, first);
});

test('leaves out a payment of which an operator took note', async () => {
  const { lines } = await reconcilePayouts(parts);
  const told = (await readUnaccounted(parts.database, 9)).map(({ reference }) => reference);
  assert.equal((await noteNotOwed(parts, told, 'Looked into')).isDone, true);
  assert.ok(lines.some((line) => line.includes('no payout accounts for')));
  const { differences, litecoin } = await audit();
  assert.deepEqual(
    differences.map(({ check }) => check),
    ['rail-payouts'],
  );
  const { books, listed } = litecoin?.compared ?? { books: '0', listed: '0' };
  assert.ok(Number(listed) < Number(books), `${listed} of ${books}`);
});

test('finds payouts that account for more than the rail lists', async () => {
  const before = (await audit()).differences.length;
  await owner.rows(sql`alter table withdrawals.payouts drop constraint payouts_reference_spelling`);
  await owner.rows(
    sql`update withdrawals.payouts set reference = upper(reference) where withdrawal_id = ${second}`,
  );
  const { differences } = await audit();
  const found = differences.find(({ subject }) => subject === second);
  assert.match(found?.actual ?? '', /^0\.0\d+ by [0-9a-f]{64}$/);
  await owner.rows(sql`
    update withdrawals.payouts set reference = lower(reference), amount_units = amount_units + 1
    where withdrawal_id = ${second}`);
  const more = (await audit()).differences;
  assert.equal(more.length, before + 1);
  assert(more.some(({ subject, check }) => subject === second && check === 'rail-payouts'));
});

test('finds a payout that counts as paid without a payment after the same account was accepted anew', async () => {
  const { bestblockhash } = (await node.call('getblockchaininfo')) as { bestblockhash: string };
  const artifact = writeArtifact({
    bytesHex: '00',
    inputs: [{ transactionId: 'cd'.repeat(32), outputIndex: 0 }],
    networkFee: '0.00000001',
    afterBlock: bestblockhash,
  });
  await owner.rows(sql`update withdrawals.payouts set artifact = ${artifact} where withdrawal_id = ${first}`);
  const before = (await audit()).differences;
  const { lines } = await reconcilePayouts(parts, { method: 'litecoin' });
  assert.ok(lines.includes('litecoin: compared; what is clear goes on'), lines.join('\n'));
  const { litecoin, differences } = await audit();
  assert.deepEqual(differences, before);
  assert(differences.some(({ subject }) => subject === first));
  assert.equal(litecoin?.notChecked, null);
});

test('says that payouts of a former account were not checked after an operator changed it', async () => {
  const other = await startSandboxCoinNode({ after });
  // The wallets of all sandbox nodes have one seed.
  await owner.rows(sql`update withdrawals.payouts set account = 'the former wallet'`);
  await owner.rows(sql`update withdrawals.paying_accounts set account = 'the former wallet'`);
  await connectLitecoin(world, other.access);
  await other.mine(101);
  const { checks } = await auditSite(parts, railChecksOf(parts));
  assert.equal(checks.find(({ name }) => name === 'rail-litecoin')?.notChecked, null, 'nobody said so');
  const { lines } = await reconcilePayouts(parts, { method: 'litecoin' });
  assert.ok(lines.includes('litecoin: compared; what is clear goes on'), lines.join('\n'));
  const { litecoin, differences } = await audit();
  assert.deepEqual(differences, []);
  assert.match(litecoin?.notChecked ?? '', /^A former account paid some payouts of the last 35 days/);
  await connectLitecoin(world, node.access);
});

test('says that nothing was checked while the rail does not answer', async () => {
  await node.kill();
  const { litecoin, differences } = await audit();
  assert.deepEqual(differences, []);
  assert.match(litecoin?.notChecked ?? '', /\w/);
  await node.start();
  assert.ok(second);
});
