/**
 * The coin flip: even odds, a win pays twice the stake, a limited number of games per site day, provably fair. A game
 * is drawn from a server seed, whose SHA-256 the member sees before, the member's client seed and the number of the
 * game under these seeds (the nonce). It is heads if the first byte of HMAC-SHA256(server seed, `clientSeed:nonce`) is
 * even. Replacing the server seed reveals the former one, so that anybody can verify the draws.
 *
 * Invariants: a game, its stake and its prize are written together or not at all; a member plays at most
 * `max_games_per_day` games per site day; a nonce is used once; no game is drawn from a revealed seed; the
 * application's role can't read the seed in use.
 *
 * The ledger keeps the points and members the suspensions.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type * as contract from '#contract/coinflip.ts';
import type { BodyOf, ReplyOf } from '#contract/endpoint.ts';
import { BATCHES, coalesce } from '#platform/coalesce.ts';
import type { Database } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { Refusal, refuse } from '#platform/refusal.ts';
import { announceBalance } from '../ledger/ledger.ts';
import {
  type Flip,
  findSeeds,
  type GameRow,
  openPlayer,
  type Played,
  playGames,
  readDayCount,
  readGame,
  readNewestGames,
  rotateSeeds,
} from './queries.ts';
import { firstSeedsOf, hashOf } from './seeds.ts';

const HISTORY_GAMES = 50;

/** `again`: the batch has an earlier game of this member, and a statement plays one game per member. */
type Outcome = Played | { status: 'again' };
export type Play = (flip: Flip) => Promise<Outcome>;

/** Makes a function that plays games. Under load, games of several members share a statement. */
export function createPlay(database: Database): Play {
  return coalesce<Flip, Outcome>({
    ...BATCHES,
    run: async (flips) => {
      const firstOf = new Map<number, number>();
      for (const [index, { memberId }] of flips.entries())
        if (!firstOf.has(memberId)) firstOf.set(memberId, index);
      const turns = flips.map((flip, index) => firstOf.get(flip.memberId) === index);
      const played = await playGames(
        database,
        flips.filter((_, index) => turns[index]),
      );
      let answered = 0;
      return turns.map((isTurn) => (isTurn ? (played[answered++] as Played) : { status: 'again' }));
    },
  });
}

const idOf = (memberId: number, number: bigint): string => `${memberId}-${number}`;

type Request = BodyOf<typeof contract.playCoinFlip>;

/**
 * Plays one game and announces the new balance. A repeated key returns the first game. `balance` is the new balance, or
 * null for a repeated request.
 * @throws Refusal in the order of the contract
 */
export async function flipCoin(
  platform: Pick<Platform, 'database' | 'secrets' | 'bus'>,
  play: Play,
  memberId: number,
  { betAmount, playerChoice }: Request,
  requestKey: string | null,
): Promise<{ reply: ReplyOf<typeof contract.playCoinFlip>; balance: bigint | null }> {
  const flip = { memberId, bet: betAmount, choice: playerChoice, requestKey };
  let played = await play(flip);
  while (played.status === 'again' || played.status === 'unseeded') {
    if (played.status === 'unseeded')
      await openPlayer(platform.database, memberId, firstSeedsOf(platform.secrets, memberId));
    played = await play(flip);
  }
  if (played.status === 'exists') {
    assert(played.memberNumber !== null, 'a known game has a number');
    const {
      playerChoice: _,
      createdAt: __,
      ...reply
    } = await readOne(platform, memberId, played.memberNumber);
    return { reply, balance: null };
  }
  refuseUnplayed(played);
  const { memberNumber, result, serverSeedHash, clientSeed, nonce, balance } = played;
  assert(memberNumber !== null && result !== null && nonce !== null && balance !== null);
  assert(serverSeedHash !== null && clientSeed !== null);
  const isWin = result === playerChoice;
  announceBalance(platform, memberId, balance);
  return {
    reply: {
      id: idOf(memberId, memberNumber),
      result,
      isWin,
      winAmount: isWin ? 2 * betAmount : 0,
      betAmount,
      fairness: { serverSeedHash, clientSeed, nonce, serverSeed: null },
    },
    balance,
  };
}

function refuseUnplayed({ status, waitS }: Played): void {
  if (status === 'exists_different') throw refuse('idempotency-mismatch');
  if (status === 'account-suspended' || status === 'earnings-suspended') throw refuse(status);
  if (status === 'limit_reached') throw new Refusal('daily-limit-reached', undefined, {}, waitS);
  if (status === 'insufficient' || status === 'closed')
    throw refuse('insufficient-balance', 'Insufficient balance');
  assert(status === 'played', `A flip ended as ${status}`);
}

/** Reads the state of the daily limit. It does not consider the balance. */
export async function readStatus(
  { database }: Pick<Platform, 'database'>,
  memberId: number,
): Promise<ReplyOf<typeof contract.readFlipStatus>> {
  const { played, max } = await readDayCount(database, memberId);
  return {
    canPlay: played < max,
    gamesPlayedToday: played,
    maxGamesPerDay: max,
    remainingGames: Math.max(0, max - played),
  };
}

function gameOf(memberId: number, row: GameRow): contract.FlipGame {
  const isWin = row.result === row.choice;
  return {
    id: idOf(memberId, row.memberNumber),
    playerChoice: row.choice,
    result: row.result,
    isWin,
    winAmount: isWin ? 2 * row.betPoints : 0,
    betAmount: row.betPoints,
    createdAt: row.createdAt.toISOString(),
    fairness: {
      serverSeedHash: row.serverSeedHash,
      clientSeed: row.clientSeed,
      nonce: row.nonce,
      serverSeed: row.serverSeed,
    },
  };
}

const readOne = async ({ database }: Pick<Platform, 'database'>, memberId: number, number: bigint) =>
  gameOf(memberId, await readGame(database, memberId, number));

/** Reads the newest games, newest first. */
export async function readGames(
  { database }: Pick<Platform, 'database'>,
  memberId: number,
): Promise<contract.FlipGame[]> {
  const rows = await readNewestGames(database, memberId, HISTORY_GAMES);
  return rows.map((row) => gameOf(memberId, row));
}

/** Reads the seeds of the next game. It writes nothing, because a member's first seeds are derived, not stored. */
export async function readNextFairness(
  { database, secrets }: Pick<Platform, 'database' | 'secrets'>,
  memberId: number,
): Promise<contract.NextFairness> {
  const row = await findSeeds(database, memberId);
  if (row !== undefined)
    return { serverSeedHash: row.serverSeedHash, clientSeed: row.clientSeed, nonce: row.nonce };
  const { serverSeed, clientSeed } = firstSeedsOf(secrets, memberId);
  return { serverSeedHash: hashOf(serverSeed), clientSeed, nonce: 0 };
}

/** Replaces the server seed and reveals the former one. Without a client seed, the current one is kept. */
export async function rotateFairness(
  { database, secrets }: Pick<Platform, 'database' | 'secrets'>,
  memberId: number,
  clientSeed: string | null,
): Promise<ReplyOf<typeof contract.rotateFairness>> {
  const next = { serverSeed: randomBytes(32).toString('hex'), clientSeed };
  const row = await rotateSeeds(database, memberId, firstSeedsOf(secrets, memberId), next);
  return {
    serverSeedHash: row.serverSeedHash,
    clientSeed: row.clientSeed,
    nonce: 0,
    revealed: { serverSeed: row.revealedSeed, serverSeedHash: row.revealedHash },
  };
}
