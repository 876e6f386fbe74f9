import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { FlipGame } from '#contract/coinflip.ts';
import { sql } from '#platform/database.ts';
import { assertVerifies, startFlipWorld } from '../../test/coinflip-world.ts';
import { auditBooks } from '../ledger/ledger.ts';
import { readGames, rotateFairness } from './coinflip.ts';

/**
 * Plays many games: heads and wins are within four standard deviations of one half, and every game is verified with its
 * revealed seeds. `npm run campaign -- flips` plays more games.
 */
const world = await startFlipWorld({ after });
const { platform, owner, flip } = world;

const GAMES = Number(process.env.CAMPAIGN_RUNS ?? 400);
/** The length of the history, so that each game can be read and verified. */
const GAMES_PER_SEED = 50;
const AT_ONCE = 64;

/** Asserts that `count` is within four standard deviations of half of `games`. */
function assertHalf(count: number, games: number, what: string): void {
  const distance = Math.abs(count - games / 2) / (Math.sqrt(games) / 2);
  assert.ok(distance <= 4, `${count} of ${games} ${what}: ${distance.toFixed(2)} sigma from one half`);
}

/** Plays one member's games with new seeds, then reveals the seeds. */
async function playAndReveal(member: number, games: number): Promise<FlipGame[]> {
  for (let game = 0; game < games; game += 1)
    await flip(member, 1 + (game % 500), game % 3 === 0 ? 'tails' : 'heads');
  await rotateFairness(platform, member, `${member}`);
  return (await readGames(platform, member)).slice(0, games);
}

test(`plays ${GAMES} even games, each of which can be verified`, async () => {
  await world.setMaxGamesPerDay(1_000_000);
  const turns = Math.ceil(GAMES / GAMES_PER_SEED);
  const members = await world.addMembers(Math.min(AT_ONCE, turns), 1_000_000_000n);
  let turn = 0;
  let played = 0;
  let heads = 0;
  let wins = 0;
  await Promise.all(
    members.map(async (member) => {
      while (turn < turns) {
        turn += 1;
        for (const game of await playAndReveal(member, Math.min(GAMES_PER_SEED, GAMES))) {
          assertVerifies(game);
          played += 1;
          if (game.result === 'heads') heads += 1;
          if (game.isWin) wins += 1;
        }
      }
    }),
  );
  assert.ok(played >= GAMES);
  assertHalf(heads, played, 'are heads');
  assertHalf(wins, played, 'are won');
  assert.deepEqual(await auditBooks(owner), []);
  const { stored } = await owner.one<{ stored: bigint }>(sql`select count(*) as stored from coinflip.games`);
  assert.equal(stored, BigInt(played));
});
