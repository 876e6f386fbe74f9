import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sql } from '#platform/database.ts';
import { litecoindMissing } from '../../test/litecoind.ts';
import { approve, nodeOn, pay, request, startNode, startSite } from '../../test/restored-site.ts';
import { backUp, balanceOf } from '../../test/withdrawals-world.ts';
import { revokeByCommand } from '../points-command.ts';
import { noteNeverMade, noteNotOwed } from './notes-command.ts';
import { reconcilePayouts } from './reconcile-command.ts';
import { recordSentPayment } from './sent-payments.ts';

/** That the lines which `reconcile` prints of one payment, followed in their order, take its points once. */
const skip = litecoindMissing();

test('points that were revoked by a line without a key are not taken again once a node names the payment', {
  skip,
}, async (t) => {
  const { world } = await startSite();
  const memberId = await world.member(6_000n);
  const backup = await backUp(t, world);
  const { id, reference } = await pay(world, memberId);
  const copy = await backup.restore();
  const first = nodeOn(t, copy, 'the markers');
  const second = nodeOn(t, copy, 'the record');
  await startNode(first);
  const lineOf = async (node: typeof first) =>
    (await reconcilePayouts(node.parts)).lines.find((line) => line.includes(`for ${reference}`)) ?? '';
  const [, key] =
    /; no request holds its points: revoke them: revoke --key (\S+) MEMBER POINTS$/.exec(
      await lineOf(first),
    ) ?? [];
  assert(key);
  await revokeByCommand(first.parts, [String(memberId), '2000', 'Found by the address'], key);
  assert.equal(await balanceOf(first, memberId), 4_000n);

  await startNode(second);
  assert.match(
    await lineOf(second),
    new RegExp(
      `; printed on \\d{4}-\\S+ before its member was known\\. If its points were revoked already: ` +
        `reconcile --not-owed ${reference} REASON; else revoke --key paid-${id} ${memberId} 2000$`,
    ),
  );
  const again = await revokeByCommand(second.parts, [String(memberId), '2000', 'As printed'], `paid-${id}`);
  assert.equal(again.code, 1);
  assert.match(again.line, new RegExp(`revoked under the key ${key}: .*reconcile --not-owed ${reference}`));
  assert.equal(await balanceOf(second, memberId), 4_000n);
  assert.equal((await noteNotOwed(second.parts, [reference], 'Revoked by hand')).isDone, true);
  assert.equal(await lineOf(second), '');
  await request(second, memberId);
});

test('points are not taken back for a line of the record whose payment was never sent', {
  skip,
}, async (t) => {
  const { world, node: coins } = await startSite();
  const memberId = await world.member(2_000n);
  const backup = await backUp(t, world);
  await pay(world, await world.member(2_000n));
  const id = await request(world, memberId);
  const row = await world.owner.one<{ destination: string }>(sql`
    select destination from withdrawals.withdrawals where id = ${id}`);
  const reference = 'ab'.repeat(32);
  // As a machine leaves it that lost its power between the line and the sending, and its database with it.
  await recordSentPayment(world.parts, { withdrawalId: id, method: 'litecoin', ...row }, reference);
  const copy = await backup.restore();
  const node = nodeOn(t, copy, 'the record');
  await startNode(node);
  const { lines } = await reconcilePayouts(node.parts);
  const [neverMade, revocation] = [
    `reconcile --never-made ${reference}`,
    `revoke --key paid-${id} ${memberId} 2000`,
  ];
  assert(
    lines.some((line) =>
      line.endsWith(
        `look it up. If it was made: ${revocation} REASON. If it was certainly never made: ${neverMade} REASON`,
      ),
    ),
  );
  const asPrinted = [String(memberId), '2000', 'As printed'];
  const refused = await revokeByCommand(node.parts, asPrinted, `paid-${id}`);
  assert.match(refused.line, /nothing was revoked\. The account that pays has not made this payment/);
  assert.equal(await balanceOf(node, memberId), 2_000n);
  const next = await request(node, memberId);
  await assert.rejects(approve(node, next), { code: 'points-in-check' });

  const again = nodeOn(t, await (await backUp(t, node)).restore(), 'nothing');
  assert.equal((await noteNeverMade(node.parts, reference, 'The site ended first')).isDone, true);
  await approve(node, next);

  await coins.call('unloadwallet', { wallet_name: 'payouts' });
  await coins.call('createwallet', { wallet_name: 'other' });
  await reconcilePayouts(again.parts, { method: 'litecoin', isLost: true, reason: 'Lost' });
  assert.equal(
    (await revokeByCommand(again.parts, asPrinted, `paid-${id}`)).code,
    0,
    'another wallet can’t tell',
  );
});
