import assert from 'node:assert/strict';
import { createHash, createHmac, randomBytes } from 'node:crypto';
import { after, test } from 'node:test';
import type { RefusalCode } from '#contract/refusals.ts';
import { sql } from '#platform/database.ts';
import { Refusal } from '#platform/refusal.ts';
import { assertVerifies, startFlipWorld } from '../../test/coinflip-world.ts';
import { auditBooks } from '../ledger/ledger.ts';
import { readGames, readNextFairness, readStatus, rotateFairness } from './coinflip.ts';

const world = await startFlipWorld({ after });
const { platform, owner, flip } = world;

async function refusalOf(act: Promise<unknown>): Promise<{ code: RefusalCode; retryAfterS: number | null }> {
  try {
    await act;
  } catch (error) {
    if (error instanceof Refusal) return { code: error.code, retryAfterS: error.retryAfterS };
    throw error;
  }
  assert.fail('nothing was refused');
}

const codeOf = async (act: Promise<unknown>) => (await refusalOf(act)).code;

/** The number of calls that succeeded, and the codes of the others. */
async function outcomesOf(acts: Promise<unknown>[]): Promise<{ done: number; codes: string[] }> {
  const settled = await Promise.allSettled(acts);
  const codes = settled.flatMap((one) => (one.status === 'rejected' ? [String(one.reason.code)] : []));
  return { done: settled.length - codes.length, codes: [...new Set(codes)] };
}

const movementsOf = (member: number) =>
  owner.rows<{ kind: string; amount: bigint; subject: string; transaction_id: string | null }>(sql`
    select kind, amount, subject, transaction_id from ledger.movements
    where member_id = ${member} and account = 'coinflip' order by seq`);

/** The balance computed from a member's games, and the wallet's balance. */
async function assertBalanceOfGames(member: number, start: bigint): Promise<void> {
  const games = await readGames(platform, member);
  const won = games.reduce((sum, game) => sum + BigInt(game.winAmount - game.betAmount), 0n);
  assert.equal(await world.balanceOf(member), start + won);
}

test('computes the same HMAC-SHA256 in SQL as node:crypto', async () => {
  const cases = Array.from({ length: 4_000 }, (_, index) => ({
    key: randomBytes(32).toString('hex'),
    message:
      index % 2 === 0
        ? `${randomBytes(index % 90).toString('base64')}:${index}`
        : `행운 ${index} 🪙:${index}`,
  }));
  // Every digit in every place, zero bytes of the inner pad included.
  for (const digit of '0123456789abcdef') cases.push({ key: digit.repeat(64), message: '' });
  const rows = await owner.rows<{ mac: string }>(sql`
    select encode(coinflip.hmac_sha256(c.key, c.message), 'hex') as mac
    from unnest(${cases.map(({ key }) => key)}::text[], ${cases.map(({ message }) => message)}::text[])
      with ordinality c (key, message, place) order by place`);
  for (const [index, { key, message }] of cases.entries())
    assert.equal(
      rows[index]?.mac,
      createHmac('sha256', key).update(message).digest('hex'),
      `${key} ${message}`,
    );
});

test('books one movement for the stake and, for a win, one of twice the stake', async () => {
  const member = await world.addMember(1_000n);
  await world.setMaxGamesPerDay(40);
  const seen = new Set<boolean>();
  let balance = 1_000n;
  for (let game = 1; seen.size < 2 && game <= 40; game += 1) {
    const before = (await movementsOf(member)).length;
    const played = await flip(member, 25, 'tails');
    seen.add(played.isWin);
    assert.equal(played.id, `${member}-${game}`);
    assert.equal(played.isWin, played.result === 'tails');
    assert.equal(played.winAmount, played.isWin ? 50 : 0);
    assert.equal(played.betAmount, 25);
    const shared = { subject: 'tails', transaction_id: played.id };
    const stake = { kind: 'coinflip-stake', amount: -25n, ...shared };
    const prize = { kind: 'coinflip-prize', amount: 50n, ...shared };
    assert.deepEqual((await movementsOf(member)).slice(before), played.isWin ? [stake, prize] : [stake]);
    balance += played.isWin ? 25n : -25n;
    assert.equal(await world.balanceOf(member), balance);
  }
  assert.equal(seen.size, 2, '40 games came out the same');
  await world.setMaxGamesPerDay(5);
});

test('§1-9 coin flip: plays exactly 5 of 50 parallel flips of one member', async () => {
  for (let round = 0; round < 5; round += 1) {
    const member = await world.addMember(10_000n);
    const acts = Array.from({ length: 50 }, (_, index) => flip(member, 10 + index));
    assert.deepEqual(await outcomesOf(acts), { done: 5, codes: ['daily-limit-reached'] });
    const games = await readGames(platform, member);
    assert.deepEqual(
      games.map(({ fairness }) => fairness.nonce),
      [4, 3, 2, 1, 0],
    );
    await assertBalanceOfGames(member, 10_000n);
    assert.deepEqual(await readStatus(platform, member), {
      canPlay: false,
      gamesPlayedToday: 5,
      maxGamesPerDay: 5,
      remainingGames: 0,
    });
  }
  assert.deepEqual(await auditBooks(owner), []);
});

test('never makes a balance negative by parallel flips, and a refused flip changes nothing', async () => {
  await world.setMaxGamesPerDay(50);
  for (let round = 0; round < 5; round += 1) {
    const member = await world.addMember(100n);
    const { done, codes } = await outcomesOf(Array.from({ length: 50 }, () => flip(member, 100)));
    await assertBalanceOfGames(member, 100n);
    assert.equal((await readStatus(platform, member)).gamesPlayedToday, done);
    assert.equal((await readNextFairness(platform, member)).nonce, done);
    if (codes.length > 0) {
      assert.deepEqual(codes, ['insufficient-balance']);
      assert.equal(await world.balanceOf(member), 0n);
    }
  }
  await world.setMaxGamesPerDay(5);
  assert.deepEqual(await auditBooks(owner), []);
});

test('plays games of many members at the same time', async () => {
  const members = await world.addMembers(200, 500n);
  const played = await Promise.all(members.map((member, index) => flip(member, 1 + index)));
  for (const [index, member] of members.entries()) {
    assert.equal(played[index]?.id, `${member}-1`);
    assert.equal(played[index]?.betAmount, 1 + index);
    await assertBalanceOfGames(member, 500n);
  }
});

test('counts the limit per site day, with Retry-After until the next day', async () => {
  const member = await world.addMember(1_000n);
  await owner.rows(sql`update platform.clock set mode = 'sandbox'`);
  for (let game = 0; game < 5; game += 1) await flip(member);
  const { code, retryAfterS } = await refusalOf(flip(member));
  assert.equal(code, 'daily-limit-reached');
  assert.ok(retryAfterS !== null && retryAfterS > 0 && retryAfterS <= 86_400, String(retryAfterS));
  await owner.rows(sql`select platform.advance_clock(${BigInt(Math.max(0, retryAfterS - 5))})`);
  assert.equal(await codeOf(flip(member)), 'daily-limit-reached', 'five seconds before midnight');
  await owner.rows(sql`select platform.advance_clock(10)`);
  assert.equal((await readStatus(platform, member)).remainingGames, 5);
  assert.deepEqual(await outcomesOf(Array.from({ length: 8 }, () => flip(member))), {
    done: 5,
    codes: ['daily-limit-reached'],
  });
  const days = await owner.rows<{ site_day: string; stakes: bigint }>(sql`
    select site_day, count(*) as stakes from ledger.movements
    where member_id = ${member} and kind = 'coinflip-stake' group by site_day order by site_day`);
  assert.deepEqual(
    days.map(({ stakes }) => stakes),
    [5n, 5n],
  );
});

test('allows 5 games in one site day while the site’s time zone moves back and forth', async (t) => {
  const moveTo = (zone: string) => owner.rows(sql`update platform.clock set site_timezone = ${zone}`);
  const { zone: former } = await owner.one<{ zone: string }>(
    sql`select site_timezone as zone from platform.clock`,
  );
  t.after(() => moveTo(former));
  const member = await world.addMember(1_000n);
  let played = 0;
  for (const zone of ['Pacific/Kiritimati', 'Etc/GMT+12', 'Pacific/Kiritimati']) {
    await moveTo(zone);
    played += (await outcomesOf(Array.from({ length: 6 }, () => flip(member)))).done;
    assert.equal((await readStatus(platform, member)).gamesPlayedToday, 5);
  }
  assert.equal(played, 5);
});

test('does not use a nonce or count a game for a refused flip', async () => {
  const member = await world.addMember(5n);
  const before = await readNextFairness(platform, member);
  assert.equal(await codeOf(flip(member, 6)), 'insufficient-balance');
  assert.deepEqual(await readNextFairness(platform, member), before);
  assert.equal((await readStatus(platform, member)).gamesPlayedToday, 0);
  assert.deepEqual(await readGames(platform, member), []);
  const played = await flip(member, 5);
  assert.deepEqual(played.fairness, { ...before, serverSeed: null });
});

test('refuses a flip while the member has a debt', async () => {
  const member = await world.addMember(100n);
  await owner.rows(sql`
    select ledger.post_one(${member}, ${`debt:${member}`}, 'reversal', -300, 'provider:cpx', 'Chargeback', 'cpx', null,
      false)`);
  assert.equal(await codeOf(flip(member, 1)), 'insufficient-balance');
  await owner.rows(sql`
    select ledger.post_one(${member}, ${`paid:${member}`}, 'grant', 201, 'grants', 'Test', null, null, false)`);
  await flip(member, 1);
});

test('returns the same game for a repeated key, also concurrently and after its seed was revealed', async () => {
  const member = await world.addMember(1_000n);
  const played = await Promise.all(Array.from({ length: 10 }, () => flip(member, 10, 'heads', 'key-1')));
  assert.equal(new Set(played.map(({ id }) => id)).size, 1);
  assert.equal((await readStatus(platform, member)).gamesPlayedToday, 1);
  assert.equal((await movementsOf(member)).filter(({ kind }) => kind === 'coinflip-stake').length, 1);
  assert.equal(await codeOf(flip(member, 11, 'heads', 'key-1')), 'idempotency-mismatch');
  assert.equal(await codeOf(flip(member, 10, 'tails', 'key-1')), 'idempotency-mismatch');
  const { revealed } = await rotateFairness(platform, member, null);
  const [first] = played;
  assert.ok(first);
  const fairness = { ...first.fairness, serverSeed: revealed.serverSeed };
  assert.deepEqual(await flip(member, 10, 'heads', 'key-1'), { ...first, fairness });
  for (let game = 2; game <= 5; game += 1) await flip(member, 10, 'heads', `key-${game}`);
  assert.equal((await flip(member, 10, 'heads', 'key-1')).id, first.id, 'also beyond the limit');
  const other = await world.addMember(1_000n);
  assert.equal((await flip(other, 500, 'tails', 'key-1')).betAmount, 500, 'a key belongs to its member');
});

test('names the first refusal in the contract’s order', async () => {
  const member = await world.addMember(0n);
  await owner.rows(sql`select coinflip.open_player(${member}, ${'a'.repeat(64)}, 'seed')`);
  await owner.rows(sql`
    insert into coinflip.games (member_id, member_number, created_at, seed_number, nonce, bet_points, choice, result)
    select ${member}, n, platform.business_now(), 1, n - 1, 1, 'heads', 'tails' from generate_series(1, 5) n`);
  await owner.rows(sql`update coinflip.players set nonce = 5, game_count = 5 where member_id = ${member}`);
  const suspend = (type: string, expires: string | null = null) =>
    owner.rows(sql`
      insert into members.suspensions (member_id, reason, severity, suspension_type, expires_at, created_at)
      values (${member}, 'x', 'temporary', ${type}, platform.business_now() + ${expires}::interval,
        platform.business_now())`);
  const lift = (type: string) =>
    owner.rows(sql`
      update members.suspensions set lifted_at = platform.business_now()
      where member_id = ${member} and suspension_type = ${type}`);
  await suspend('withdrawal_blocked');
  await suspend('earnings_blocked');
  await suspend('full_suspension');
  assert.equal(await codeOf(flip(member)), 'account-suspended');
  await lift('full_suspension');
  assert.equal(await codeOf(flip(member)), 'earnings-suspended');
  await lift('earnings_blocked');
  await suspend('earnings_blocked', '-1 second');
  assert.equal(await codeOf(flip(member)), 'daily-limit-reached', 'a suspension that is over blocks nothing');
  await owner.rows(sql`
    update coinflip.games set created_at = created_at - interval '1 day'
    where member_id = ${member} and member_number = 1`);
  assert.equal(await codeOf(flip(member)), 'insufficient-balance');
  await owner.rows(sql`delete from coinflip.games where member_id = ${member}`);
});

test('shows the hash of the first seed before any game, and stores nothing', async () => {
  const member = await world.addMember(100n);
  const seal = await readNextFairness(platform, member);
  assert.match(seal.serverSeedHash, /^[0-9a-f]{64}$/);
  assert.match(seal.clientSeed, /^[0-9a-f]{16}$/);
  assert.equal(seal.nonce, 0);
  assert.deepEqual(await readNextFairness(platform, member), seal);
  const stored = await owner.rows(sql`select from coinflip.players where member_id = ${member}`);
  assert.equal(stored.length, 0);
  const played = await flip(member);
  assert.deepEqual(played.fairness, { ...seal, serverSeed: null });
  assert.deepEqual(await readNextFairness(platform, member), { ...seal, nonce: 1 });
  const { revealed } = await rotateFairness(platform, member, null);
  assert.equal(revealed.serverSeedHash, seal.serverSeedHash);
});

test('sets a client seed before the first game, and reveals a server seed that matches its hash', async () => {
  const member = await world.addMember(100n);
  const seal = await readNextFairness(platform, member);
  const rotated = await rotateFairness(platform, member, '행운을 빌어요 🪙');
  assert.equal(rotated.clientSeed, '행운을 빌어요 🪙');
  assert.equal(rotated.nonce, 0);
  assert.equal(rotated.revealed.serverSeedHash, seal.serverSeedHash);
  const { serverSeed, serverSeedHash } = rotated.revealed;
  assert.equal(createHash('sha256').update(serverSeed).digest('hex'), serverSeedHash);
  const played = await flip(member);
  assert.equal(played.fairness.serverSeedHash, rotated.serverSeedHash);
  assert.equal(played.fairness.clientSeed, '행운을 빌어요 🪙');
  const next = await rotateFairness(platform, member, null);
  assert.equal(next.clientSeed, '행운을 빌어요 🪙', 'stays where none is given');
  assert.notEqual(next.serverSeedHash, rotated.serverSeedHash);
  const [game] = await readGames(platform, member);
  assert.ok(game);
  assertVerifies(game);
});

test('verifies every game, with unique nonces, while seeds are replaced', async () => {
  await world.setMaxGamesPerDay(100);
  const member = await world.addMember(10_000n);
  const rotate = () => rotateFairness(platform, member, null);
  const play = () => flip(member, 1);
  await Promise.all(Array.from({ length: 60 }, (_, index) => (index % 4 === 0 ? rotate() : play())));
  await rotate();
  const shown = await readGames(platform, member);
  assert.equal(shown.length, 45);
  for (const game of shown) assertVerifies(game);
  const draws = shown.map(({ fairness }) => `${fairness.serverSeedHash} ${fairness.nonce}`);
  assert.equal(new Set(draws).size, 45);
  const late = await owner.rows(sql`
    select g.member_number from coinflip.games g join coinflip.revealed_seeds r using (member_id, seed_number)
    where g.member_id = ${member} and g.created_at >= r.revealed_at`);
  assert.deepEqual(late, [], 'drawn from a seed that was revealed before');
  await world.setMaxGamesPerDay(5);
});

test('§1-3 coin flip: reads the newest 50 games, newest first, with only revealed seeds', async () => {
  await world.setMaxGamesPerDay(100);
  const member = await world.addMember(10_000n);
  for (let game = 0; game < 30; game += 1) await flip(member, 1 + game);
  await rotateFairness(platform, member, null);
  for (let game = 30; game < 60; game += 1) await flip(member, 1 + game, 'tails');
  const games = await readGames(platform, member);
  assert.deepEqual(
    games.map(({ betAmount }) => betAmount),
    Array.from({ length: 50 }, (_, index) => 60 - index),
  );
  for (const [index, game] of games.entries()) {
    assert.equal(game.fairness.serverSeed === null, index < 30, game.id);
    assert.equal(game.playerChoice, index < 30 ? 'tails' : 'heads');
    assert.equal(new Date(game.createdAt).toISOString(), game.createdAt);
  }
  for (const game of games.slice(30)) assertVerifies(game);
  await world.setMaxGamesPerDay(5);
});

test('denies the application server seeds in use, and writing games, counts and limits', async () => {
  const member = await world.addMember(100n);
  await flip(member);
  const denied = [
    sql`select server_seed from coinflip.players`,
    sql`select * from coinflip.players`,
    sql`select players from coinflip.players`,
    sql`update coinflip.players set game_count = 0`,
    sql`update coinflip.rules set max_games_per_day = 1000`,
    sql`insert into coinflip.games select * from coinflip.games`,
    sql`delete from coinflip.games`,
    sql`delete from coinflip.revealed_seeds`,
    sql`select coinflip.draw('a', 'b', 0)`,
  ];
  for (const statement of denied)
    await assert.rejects(world.database.rows(statement), /permission denied/, statement.text);
});

test('leaves books that agree with all games', async () => {
  assert.deepEqual(await auditBooks(owner), []);
  const { games, books } = await owner.one<{ games: bigint; books: bigint }>(sql`
    select (select sum(case when result = choice then bet_points else -bet_points end) from coinflip.games) as games,
      (select sum(amount)::bigint from ledger.movements where account = 'coinflip') as books`);
  assert.equal(games, books);
});

test('holds the daily limit in an hour that midnight repeats', async () => {
  const zone = 'America/Havana';
  await owner.rows(sql`
    update platform.clock set site_timezone = ${zone}, offset_seconds = offset_seconds + (
      select extract(epoch from min(at) - interval '30 minutes' - platform.business_now())::bigint
      from generate_series(date_trunc('hour', platform.business_now()) + interval '1 day',
        platform.business_now() + interval '400 days', interval '1 hour') at
      where (at at time zone ${zone})::time = '00:00'
        and ((at - interval '1 hour') at time zone ${zone})::time = '00:00')`);
  const member = await world.addMember(100n);
  for (let game = 0; game < 5; game += 1) await flip(member);
  const { code, retryAfterS } = await refusalOf(flip(member));
  assert.equal(code, 'daily-limit-reached');
  // The clock was moved by whole seconds, so that it may stand up to a second earlier.
  assert.ok(
    retryAfterS !== null && retryAfterS > 24 * 3600 && retryAfterS <= 24.5 * 3600 + 1,
    `${retryAfterS}`,
  );
  await owner.rows(sql`update platform.clock set offset_seconds = offset_seconds + 3600`);
  assert.equal(await codeOf(flip(member)), 'daily-limit-reached', 'the second time');
});
