import assert from 'node:assert/strict';
import { createHash, createHmac } from 'node:crypto';
import type { FlipGame, Side } from '#contract/coinflip.ts';
import { createBus } from '#platform/bus.ts';
import { sql } from '#platform/database.ts';
import { createLog } from '#platform/log.ts';
import { createSecrets } from '#platform/secrets.ts';
import { createPlay, flipCoin } from '../server/coinflip/coinflip.ts';
import { testDatabase } from './database.ts';

/** A database with members who have points, enough for the coin flip. */
type Lifetime = { after: (work: () => Promise<void>) => void };

export type FlipWorld = Awaited<ReturnType<typeof startFlipWorld>>;

const MEMBER_FIRST = 200_000_000;

export async function startFlipWorld(lifetime: Lifetime) {
  const { database, owner, ownerUrl } = await testDatabase(lifetime);
  const secrets = createSecrets(Buffer.from('a secret of tests, long enough to be taken'));
  const platform = { database, secrets, bus: await createBus(null, createLog('silent')) };
  const play = createPlay(database);
  let members = 0;
  /** Makes members with a balance. Their ids are consecutive. */
  const addMembers = async (count: number, balancePoints: bigint): Promise<number[]> => {
    const first = MEMBER_FIRST + members;
    members += count;
    await owner.rows(sql`
      insert into members.members (id, email, email_canonical, first_name, referral_code, terms_version, created_at)
      select id, id || '@example.com', id || '@example.com', 'Test', 'code' || id, '1', platform.business_now()
      from generate_series(${first}::integer, ${first + count - 1}::integer) id`);
    await owner.rows(sql`
      select ledger.open_wallet(id) from generate_series(${first}::integer, ${first + count - 1}::integer) id`);
    if (balancePoints > 0n)
      await owner.rows(sql`
        select ledger.post_one(id, 'test:' || id, 'grant', ${balancePoints}, 'grants', 'Test', null, null, false)
        from generate_series(${first}::integer, ${first + count - 1}::integer) id`);
    return Array.from({ length: count }, (_, index) => first + index);
  };
  return {
    database,
    owner,
    ownerUrl,
    platform,
    addMembers,
    addMember: async (balancePoints: bigint): Promise<number> =>
      (await addMembers(1, balancePoints))[0] as number,
    flip: async (memberId: number, betAmount = 10, playerChoice: Side = 'heads', key: string | null = null) =>
      (await flipCoin(platform, play, memberId, { betAmount, playerChoice }, key)).reply,
    setMaxGamesPerDay: (max: number) => owner.rows(sql`update coinflip.rules set max_games_per_day = ${max}`),
    balanceOf: async (memberId: number): Promise<bigint> =>
      (
        await owner.one<{ balance: bigint }>(
          sql`select balance from ledger.wallets where member_id = ${memberId}`,
        )
      ).balance,
  };
}

/** The draw as the contract describes it, implemented separately from the site's. */
export function drawnSide(serverSeed: string, clientSeed: string, nonce: number): Side {
  const digest = createHmac('sha256', serverSeed).update(`${clientSeed}:${nonce}`).digest();
  return (digest[0] as number) % 2 === 0 ? 'heads' : 'tails';
}

/** Fails unless a game with a revealed seed has the result that follows from its seeds. */
export function assertVerifies(game: FlipGame): void {
  const { serverSeed, serverSeedHash, clientSeed, nonce } = game.fairness;
  assert.ok(serverSeed !== null, `the seed of ${game.id} is not revealed`);
  assert.match(serverSeed, /^[0-9a-f]{64}$/);
  assert.equal(createHash('sha256').update(serverSeed).digest('hex'), serverSeedHash, game.id);
  assert.equal(drawnSide(serverSeed, clientSeed, nonce), game.result, game.id);
  assert.equal(game.isWin, game.result === game.playerChoice);
  assert.equal(game.winAmount, game.isWin ? 2 * game.betAmount : 0);
}
