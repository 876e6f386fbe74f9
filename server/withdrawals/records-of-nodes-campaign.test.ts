import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { sql } from '#platform/database.ts';
import { startLitecoind } from '../../test/litecoind.ts';
import {
  approve,
  nodeOn,
  pay,
  referenceOf,
  request,
  startNode,
  startSite,
  stateOf,
  takeNote,
} from '../../test/restored-site.ts';
import {
  auditOfDecisions,
  backUp,
  balanceOf,
  connectLitecoin,
  faultsOfBooks,
  payoutOf,
  sweepNow,
  type World,
} from '../../test/withdrawals-world.ts';
import { auditSite } from '../ledger/books.ts';
import { revokeByCommand } from '../points-command.ts';
import { rejectWithdrawal } from './decisions.ts';
import { noteNeverMade, noteNotOwed } from './notes-command.ts';
import { settle } from './payout-acts.ts';
import { railChecksOf } from './rail-audit.ts';
import { giveUpComparison, reconcilePayouts } from './reconcile-command.ts';
import { nameUnaccounted } from './reconciliation.ts';
import { readReconciliationStart } from './reconciliation-queries.ts';
import { clearRequest } from './request-checks.ts';
import { verifyTimeline } from './timelines.ts';

/** What the records of several nodes hold after a restore, and how it ends where no list shows the payments. */
const site = await startSite();
const { world, connect, disconnect } = site;
const [pointsInCheck, inCheck] = [{ code: 'points-in-check' }, { code: 'withdrawal-in-check' }];

/** A payment that was asked for after the backup, or before it. */
async function paidAfterBackup(t: TestContext, isAskedBefore = false) {
  await connect(world);
  await startNode(world);
  const memberId = await world.member(4_000n);
  if (!isAskedBefore) {
    const backup = await backUp(t, world);
    return { memberId, ...(await pay(world, memberId)), copy: await backup.restore() };
  }
  const asked = await request(world, memberId);
  const backup = await backUp(t, world);
  await approve(world, asked);
  await sweepNow(world);
  const reference = await referenceOf(world, asked);
  return { memberId, id: asked, reference, copy: await backup.restore() };
}

/** The act that settled a withdrawal as final, which had this before and has this after. */
async function settledActOf(at: World, id: string, before: object, after: object) {
  const [act, ...others] = await at.owner.rows<{ before: object; after: { payoutAmount?: string } }>(sql`
    select before, after from platform.acts where act = 'payout.settle' and target = ${id}`);
  assert(act && others.length === 0);
  const { payoutAmount, ...left } = act.after;
  assert.deepEqual([act.before, left], [before, { ...after, state: 'confirmed' }]);
  return { payoutAmount };
}

test('a comparison that is given up on one node leaves what another node has sent held', async (t) => {
  const { memberId, id, copy } = await paidAfterBackup(t);
  const sender = nodeOn(t, copy, 'the record');
  const other = nodeOn(t, copy, 'nothing');
  await disconnect(sender);
  await startNode(other);
  await startNode(sender);
  const late = await request(other, memberId);
  const { isDone, lines } = await giveUpComparison(other.parts, 'litecoin', 'The node is lost');
  assert.equal(isDone, false);
  assert.match(lines.join('\n'), new RegExp(`revoke --key paid-${id} ${memberId} 2000`));
  assert.equal((await giveUpComparison(other.parts, 'litecoin', 'The node is lost', true)).isDone, true);
  await assert.rejects(approve(other, late), pointsInCheck);
  const fresh = await startLitecoind(t);
  await connectLitecoin(other, fresh.access);
  await reconcilePayouts(other.parts, { method: 'litecoin', isLost: true, reason: 'Another wallet' });
  await assert.rejects(approve(other, late), pointsInCheck);
  await revokeByCommand(other.parts, [String(memberId), '2000', 'Paid before'], `paid-${id}`);
  await approve(other, late);
  await sweepNow(other);
  assert.equal(await stateOf(other, late), 'broadcast');
});

test('a node that starts after a comparison was given up holds what it has sent', async (t) => {
  const { memberId, copy } = await paidAfterBackup(t);
  const first = nodeOn(t, copy, 'nothing');
  await disconnect(first);
  await startNode(first);
  assert.equal((await giveUpComparison(first.parts, 'litecoin', 'The node is lost')).isDone, true);
  const late = await request(first, memberId);
  const sender = nodeOn(t, copy, 'the record');
  await sweepNow(sender);
  await giveUpComparison(first.parts, 'litecoin', 'The node is lost', true);
  await assert.rejects(approve(first, late), pointsInCheck);
});

test('the start of a comparison is never forgotten for a later one', async (t) => {
  const { copy } = await paidAfterBackup(t);
  const first = nodeOn(t, copy, 'nothing');
  await startNode(first);
  const early = new Date(Date.now() - 20 * 86_400_000);
  await copy.owner.rows(sql`update withdrawals.comparison_starts set since = ${early}`);
  const startOf = async () => (await readReconciliationStart(copy.database, 'litecoin')).since.getTime();
  const since = await startOf();
  assert(since < early.getTime());
  await takeNote(first, 'Looked at');
  await pay(first, await first.member(2_000n));
  await verifyTimeline(nodeOn(t, copy, 'nothing').parts);
  assert.equal(await startOf(), since, 'while it is due');
  await sweepNow(first);
  assert.equal(await startOf(), since, 'after it');
  await copy.owner.rows(sql`
    update withdrawals.comparison_starts set ended_at = ended_at - interval '36 days'
    where timeline = (select min(timeline) from withdrawals.comparison_starts)`);
  assert((await startOf()) > since, 'five weeks after its end, without the later one');
});

test('a note leaves out what became known since it was printed', async (t) => {
  const { memberId, reference, copy } = await paidAfterBackup(t);
  const first = nodeOn(t, copy, 'nothing');
  await startNode(first);
  const unread = await reconcilePayouts(first.parts, null, 'Nobody has read it');
  const isUnread = (line: string) =>
    line.startsWith('Not noted, because this run is the first to print it so:') && line.includes(reference);
  assert(unread.lines.some(isUnread));
  await takeNote(first, 'Nobody knows whose it is');
  const late = await request(first, memberId);
  const second = nodeOn(t, copy, 'the record');
  await nameUnaccounted(second.parts);
  const unreadNote = await noteNotOwed(second.parts, [reference], 'What was found today');
  assert.match(unreadNote.lines.join(), /not noted\. Read first/);
  await assert.rejects(approve(first, late), pointsInCheck);
  await reconcilePayouts(second.parts, null, 'What was found today');
  await assert.rejects(approve(first, late), pointsInCheck, 'its points may not be revoked');
  await takeNote(second, 'Revoked by hand, see before', true);
  await approve(first, late);
});

test('a request that was cleared of a payment is in check again once the record names it', async (t) => {
  const { id, reference, copy } = await paidAfterBackup(t, true);
  const first = nodeOn(t, copy, 'the markers');
  await startNode(first);
  const by = { platform: first.parts, operatorId: first.operator, id, reason: 'An exchange address' };
  await clearRequest({ ...by, shown: [reference] });
  await assert.rejects(approve(first, id), pointsInCheck);
  const second = nodeOn(t, copy, 'the record');
  await sweepNow(second);
  const { lines } = await reconcilePayouts(second.parts);
  assert(lines.some((line) => line.startsWith(`litecoin: request ${id} waits for a decision.`)));
  await assert.rejects(approve(first, id), inCheck);
  await assert.rejects(clearRequest({ ...by, shown: [reference] }), { code: 'payout-unclear' });
  await settle({ ...by, reference });
  await sweepNow(first);
  assert.equal(await stateOf(first, id), 'broadcast');
});

test('a request of a lost wallet is settled by the record, or its payment was never made', async (t) => {
  const { id, reference, memberId, copy } = await paidAfterBackup(t, true);
  const node = nodeOn(t, copy, 'the record');
  await disconnect(node);
  await startNode(node);
  const next = await request(node, memberId);
  assert.equal((await giveUpComparison(node.parts, 'litecoin', 'The node is lost')).isDone, false);
  await giveUpComparison(node.parts, 'litecoin', 'The node is lost', true);
  const by = { platform: node.parts, operatorId: node.operator, id, reason: 'Looked up on the chain' };
  await assert.rejects(clearRequest({ ...by, shown: [reference] }), { code: 'payout-unclear' });
  await assert.rejects(approve(node, id), inCheck);
  await assert.rejects(approve(node, next), pointsInCheck);
  const noted = await takeNote(node, 'Not owed', true);
  assert(noted.some((line) => line.includes(`--never-made REFERENCE REASON`)));
  await assert.rejects(approve(node, next), pointsInCheck, 'a note frees no payment that a request holds');

  const again = await backUp(t, node);
  const other = nodeOn(t, await again.restore(), 'nothing');
  assert.equal((await noteNeverMade(other.parts, reference, 'The site ended first')).isDone, true);
  await clearRequest({ ...by, platform: other.parts, shown: [reference] });
  await rejectWithdrawal(other.parts, other.operator, id, 'Not wanted');
  assert.equal(await balanceOf(other, memberId), 2_000n);

  const fresh = await startLitecoind(t);
  await connectLitecoin(node, fresh.access);
  await reconcilePayouts(node.parts, { method: 'litecoin', isLost: true, reason: 'Another wallet' });
  await settle({ ...by, reference });
  assert.equal(await stateOf(node, id), 'confirmed');
  const { payoutAmount } = await settledActOf(
    node,
    id,
    { status: 'pending' },
    { status: 'approved', reference },
  );
  assert.match(payoutAmount ?? '', /^0\.\d{8}$/);
  await approve(node, next);
  await sweepNow(node);
  assert.equal(await stateOf(node, next), 'broadcast');
  assert.deepEqual(await faultsOfBooks(node), []);
});

test('an approved payout of a lost wallet is settled by the record, and audited by the operator’s act', async (t) => {
  await connect(world);
  await startNode(world);
  const memberId = await world.member(2_000n);
  const id = await request(world, memberId);
  await approve(world, id);
  const backup = await backUp(t, world);
  await sweepNow(world);
  const reference = await referenceOf(world, id);
  const node = nodeOn(t, await backup.restore(), 'the record');
  await disconnect(node);
  await startNode(node);
  await giveUpComparison(node.parts, 'litecoin', 'The node is lost', true);
  const { lines } = await reconcilePayouts(node.parts);
  assert(lines.some((line) => line.endsWith(`its points are held by request ${id}: nothing to revoke`)));
  const fresh = await startLitecoind(t);
  await connectLitecoin(node, fresh.access);
  await reconcilePayouts(node.parts, { method: 'litecoin', isLost: true, reason: 'Another wallet' });
  await sweepNow(node);
  await sweepNow(node);
  assert.notEqual(await stateOf(node, id), 'broadcast');
  const by = { platform: node.parts, operatorId: node.operator, id, reason: 'Looked up on the chain' };
  const before = await payoutOf(node, id);
  await settle({ ...by, reference });
  assert.equal(await stateOf(node, id), 'confirmed');
  await settledActOf(node, id, before, { reference });
  assert.deepEqual(await faultsOfBooks(node), []);
  assert.deepEqual(await auditOfDecisions(node), []);

  const audit = async () => {
    const { checks, differences } = await auditSite(node.parts, railChecksOf(node.parts));
    return { litecoin: checks.find(({ name }) => name === 'rail-litecoin'), differences };
  };
  const { litecoin, differences } = await audit();
  assert.deepEqual([differences, litecoin?.notChecked], [[], null]);
  assert.deepEqual(litecoin?.compared, {
    method: 'litecoin',
    currency: 'LTC',
    books: '0.00000000',
    listed: '0.00000000',
    difference: '0.00000000',
    days: 35,
  });
  await node.owner.rows(sql`
    update withdrawals.payouts set reference = ${'ab'.repeat(32)} where withdrawal_id = ${id}`);
  const [found] = (await audit()).differences;
  assert.deepEqual(
    [found?.check, found?.subject, found?.actual],
    ['rail-payouts', id, 'no operator settled it by the record'],
  );
});
