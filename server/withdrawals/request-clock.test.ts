import assert from 'node:assert/strict';
import { cpSync, rmSync } from 'node:fs';
import { after, test } from 'node:test';
import { sql } from '#platform/database.ts';
import { litecoindMissing, startLitecoind } from '../../test/litecoind.ts';
import {
  ask,
  backUp,
  connectLitecoin,
  startWorld,
  sweepNow,
  type World,
} from '../../test/withdrawals-world.ts';
import { approveWithdrawal } from './decisions.ts';
import { verifyTimeline } from './timelines.ts';
import { cancelWithdrawal } from './withdrawals.ts';

/** The time of a request, by which the payments that may be its own are found. */
test('requests of a wrong clock, on a Litecoin chain', { skip: litecoindMissing() }, async (t) => {
  let world = await startWorld({ after }, ['litecoin']);
  const node = await startLitecoind({ after });
  await connectLitecoin(world, node.access);
  const IN_CHECK = { code: 'withdrawal-in-check' };
  const requested = async (at: World) => {
    const address = node.foreignAddress();
    const member = await at.member(2_000n);
    return { ...(await ask(at, member, 2_000n, address)), address, member };
  };
  const approve = (at: World, id: string) => approveWithdrawal(at.parts, at.operator, id);
  const pay = async (at: World) => {
    await sweepNow(at);
    await node.mine(1);
    await sweepNow(at);
  };

  await t.test('are compared with payments from before that time', async () => {
    const [queued, pending] = [await requested(world), await requested(world)];
    await approve(world, queued.id);
    for (const { id } of [queued, pending])
      await world.owner.rows(sql`
        update withdrawals.withdrawals set created_at = created_at + interval '3 days' where id = ${id}`);
    const marker = `${world.parts.config.dataDir}-of-backup`;
    cpSync(world.parts.config.dataDir, marker, { recursive: true });
    const backup = await backUp(t, world);
    await approve(world, pending.id);
    await pay(world);

    world = await backup.restore();
    await verifyTimeline(world.parts);
    await pay(world);
    await assert.rejects(cancelWithdrawal(world.parts, pending.member, pending.id), IN_CHECK);

    // This node's marker is of the backup, so nothing asks for a comparison of all.
    const again = await backup.restore();
    world = { ...again, parts: { ...again.parts, config: { ...again.parts.config, dataDir: marker } } };
    await pay(world);
    for (const { address } of [queued, pending])
      assert.equal((await node.outputsTo(address)).length, 1, 'paid once');
    rmSync(marker, { recursive: true });
  });

  await t.test('have a second time, of no clock that has jumped ahead', async () => {
    await world.owner.rows(
      sql`update platform.believed_clock set believed_until = now() - interval '5 days'`,
    );
    const { id } = await requested(world);
    const { days } = await world.owner.one<{ days: number }>(sql`
      select extract(epoch from created_at - real_since)::float / 86400 as days
      from withdrawals.withdrawals where id = ${id}`);
    assert.equal(Math.round(days), 4, 'a day after the last believed time');
  });
});
