import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openDatabase, sql } from '#platform/database.ts';
import { startFlipWorld } from '../../test/coinflip-world.ts';
import { tablesReadBeyond } from '../../test/rows-read.ts';
import { playGames } from './queries.ts';

const world = await startFlipWorld({ after });

test('reads only the member’s rows for a game, with a plan made while the tables were empty', async () => {
  const [stranger, player, ...others] = await world.addMembers(300, 1_000n);
  assert(stranger !== undefined && player !== undefined);
  await world.owner.rows(sql`vacuum analyze coinflip.players`);
  await world.owner.rows(sql`vacuum analyze coinflip.games`);
  const connection = openDatabase({ url: world.ownerUrl, connectionsMax: 1 });
  const gameOf = (memberId: number) => [{ memberId, bet: 10, choice: 'heads' as const, requestKey: 'first' }];
  try {
    const [early] = await playGames(connection, gameOf(stranger));
    assert.equal(early?.status, 'unseeded');
    await Promise.all([player, ...others].map((member) => world.flip(member, 10, 'heads', 'before')));
    const read = await connection.transaction(async (tx) => {
      const [game] = await playGames(tx, gameOf(player));
      assert.equal(game?.status, 'played');
      return tablesReadBeyond(tx, 10);
    });
    assert.deepEqual(read, []);
  } finally {
    await connection.close();
  }
});
