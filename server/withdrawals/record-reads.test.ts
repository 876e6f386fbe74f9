import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, promises, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { basename, join } from 'node:path';
import { after, test } from 'node:test';
import { recordFolderOf } from '#platform/data-folders.ts';
import { sql } from '#platform/database.ts';
import { changeSettings } from '#platform/settings-change.ts';
import { randomRegtestAddress } from '../../test/litecoind.ts';
import { chain, nodeOn } from '../../test/restored-site.ts';
import { ask, startWorld } from '../../test/withdrawals-world.ts';
import { sweepPayouts } from './payouts.ts';
import { verifyTimeline } from './timelines.ts';

/** How often the files of the record are read on a site that was restored. */
const world = await startWorld({ after }, ['litecoin']);

const nameOf = (daysAgo: number) =>
  `${new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10)}.jsonl`;

test('reads a file of the record again only when it has changed', async (t) => {
  const member = await world.member(2_000n);
  await ask(world, member, 1_000n, randomRegtestAddress());
  const node = nodeOn(t, world, 'nothing');
  const { parts, owner } = node;
  await verifyTimeline(parts);
  const folder = recordFolderOf(parts.config.dataDir);
  mkdirSync(folder, { recursive: true });
  const since = await owner.one<{ at: Date }>(
    sql`select created_at as at from members.profiles where id = ${member}`,
  );
  const lineOf = (reference: string) => {
    const payment = {
      method: 'litecoin',
      reference,
      destination: randomRegtestAddress(),
      withdrawalId: crypto.randomUUID(),
      memberId: String(member),
      memberSince: since.at.toISOString(),
      at: new Date().toISOString(),
      points: '1000',
    };
    return `\n${JSON.stringify(payment)}\n`;
  };
  for (let day = 0; day < 5; day += 1) writeFileSync(join(folder, nameOf(day)), lineOf(`payment-${day}`));
  const reading = t.mock.method(promises, 'readFile');
  syncBuiltinESMExports();
  t.after(() => {
    reading.mock.restore();
    syncBuiltinESMExports();
  });
  /** The files of the record that a sweep reads after an act, whose marker is in the same folder. */
  const readAfterAct = async (): Promise<string[]> => {
    acts += 1;
    await changeSettings(parts.database, 'sandbox', { payoutDelaySeconds: acts }, node.operator);
    await chain(node);
    reading.mock.resetCalls();
    await sweepPayouts(parts);
    return reading.mock.calls
      .map(({ arguments: [path] }) => basename(String(path)))
      .filter((name) => name.endsWith('.jsonl'));
  };
  let acts = 0;
  const countKnown = async () =>
    (await owner.rows(sql`select from withdrawals.unaccounted_payments where member_id = ${member}`)).length;
  assert.notDeepEqual(await readAfterAct(), []);
  assert.equal(await countKnown(), 5);
  assert.deepEqual(await readAfterAct(), [], 'nothing has changed');

  appendFileSync(join(folder, nameOf(3)), lineOf('put back'));
  assert.deepEqual(await readAfterAct(), [nameOf(3)]);
  assert.equal(await countKnown(), 6);
  await owner.rows(sql`
    insert into withdrawals.unaccounted_payments (method, reference, destination, amount_units, paid_at, found_at)
    values ('litecoin', 'unnamed', 'elsewhere', 1, now(), now())`);
  assert.equal((await readAfterAct()).length, 5, 'another payment may be of any day');
  writeFileSync(join(folder, nameOf(2)), lineOf('replaced'));
  assert.deepEqual(new Set(await readAfterAct()), new Set([nameOf(2)]));
  assert.equal(await countKnown(), 7);
  assert.deepEqual(await readAfterAct(), []);
});
