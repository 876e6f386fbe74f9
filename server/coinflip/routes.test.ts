import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, test } from 'node:test';
import { sql } from '#platform/database.ts';
import { assertVerifies } from '../../test/coinflip-world.ts';
import { type Answer, type Person, testSite } from '../../test/site.ts';

const site = await testSite({ after });

const request = (change: object = {}) => ({ betAmount: 10, playerChoice: 'heads', ...change });
const play = (as: Person, body: unknown = request(), headers: Record<string, string> = {}) =>
  site.call('POST', '/api/coin-flip', { as, body, headers });
const rich = () => site.member({ balancePoints: 10_000n });
const read = async (as: Person, what: string) => {
  const answer = await site.call('GET', `/api/coin-flip/${what}`, { as });
  assert.equal(answer.status, 200);
  return answer.body;
};
const balanceOf = async (as: Person) => (await site.call('GET', '/api/user/stats', { as })).body.balance;

function refused(answer: Answer, status: number, code: string): void {
  assert.deepEqual([answer.status, answer.problem.code], [status, code], JSON.stringify(answer.body));
}

test('plays a game, shows it in both histories, and lets the member verify it after its seed is revealed', async () => {
  const member = await rich();
  assert.deepEqual(await read(member, 'daily-status'), {
    canPlay: true,
    gamesPlayedToday: 0,
    maxGamesPerDay: 5,
    remainingGames: 5,
  });
  const seal = await read(member, 'fairness');
  const { status, body: game } = await play(member, request({ betAmount: 500, playerChoice: 'tails' }));
  assert.equal(status, 200);
  const { id, result, isWin, winAmount, ...rest } = game;
  assert.equal(id, `${member.id}-1`);
  assert.deepEqual(rest, { betAmount: 500, fairness: { ...seal, serverSeed: null } });
  assert.deepEqual([isWin, winAmount], result === 'tails' ? [true, 1000] : [false, 0]);
  assert.equal(await balanceOf(member), isWin ? '10500' : '9500');
  const stats = (await site.call('GET', '/api/user/stats', { as: member })).body;
  assert.deepEqual([stats.totalEarned, stats.completedTasks], ['10000', 0], 'a flip is nothing earned');
  const { data } = (await site.call('GET', '/api/user/history', { as: member })).body;
  const rows = data.filter(({ kind }: { kind: string }) => kind.startsWith('coinflip-'));
  assert.deepEqual(
    rows.map(({ kind, amount, txId }: Record<string, string>) => [kind, amount, txId]),
    [...(isWin ? [['coinflip-prize', '1000', id]] : []), ['coinflip-stake', '-500', id]],
  );
  assert.equal((await read(member, 'daily-status')).remainingGames, 4);
  const rotated = await site.call('POST', '/api/coin-flip/fairness', { as: member, body: {} });
  assert.equal(rotated.status, 200);
  const { serverSeed, serverSeedHash } = rotated.body.revealed;
  assert.equal(serverSeedHash, seal.serverSeedHash);
  assert.equal(createHash('sha256').update(serverSeed).digest('hex'), serverSeedHash);
  const [shown] = await read(member, 'history');
  const { createdAt, playerChoice, ...same } = shown;
  assert.deepEqual(same, { ...game, fairness: { ...game.fairness, serverSeed } });
  assert.equal(playerChoice, 'tails');
  assert.equal(new Date(createdAt).toISOString(), createdAt);
  assertVerifies(shown);
});

test('announces the new balance to the member’s sockets', async () => {
  const member = await rich();
  const heard: unknown[] = [];
  const { announce } = site.platform.bus;
  site.platform.bus.announce = (news) => {
    heard.push(news);
    announce(news);
  };
  await play(member, request(), { 'idempotency-key': 'k' });
  await play(member, request(), { 'idempotency-key': 'k' });
  site.platform.bus.announce = announce;
  assert.deepEqual(heard, [
    { memberId: member.id, event: { type: 'balance', balance: await balanceOf(member) } },
  ]);
});

test('§1-5 coin flip: refuses a bet outside 1 to 500 as an invalid bet, others as an invalid request', async () => {
  const member = await rich();
  for (const betAmount of [0, -1, 501, 10.5, 1e9, Number.MAX_VALUE]) {
    const answer = await play(member, request({ betAmount }));
    refused(answer, 400, 'invalid-bet');
    assert.equal(answer.problem.detail, 'Bet amount must be between 1 and 500 points');
    assert.deepEqual(answer.problem.errors, [{ path: 'betAmount', message: answer.problem.detail }]);
  }
  const shapes: unknown[] = [
    {},
    [],
    request({ betAmount: '10' }),
    request({ betAmount: null }),
    request({ betAmount: [10] }),
    request({ betAmount: true }),
    { playerChoice: 'heads' },
    { betAmount: 10 },
    request({ playerChoice: 'edge' }),
    request({ playerChoice: 'HEADS' }),
    request({ playerChoice: null }),
    request({ betAmount: 501, playerChoice: 'edge' }),
    request({ extra: true }),
    '{"betAmount":',
    '{"betAmount":NaN,"playerChoice":"heads"}',
  ];
  for (const body of shapes) {
    const headers = typeof body === 'string' ? { 'content-type': 'application/json' } : {};
    refused(await play(member, body, headers), 400, 'invalid-request');
  }
  for (const betAmount of [1, 500]) assert.equal((await play(member, request({ betAmount }))).status, 200);
  assert.equal((await read(member, 'daily-status')).gamesPlayedToday, 2);
});

test('refuses in the contract’s order: bet, suspension, limit, balance', async () => {
  const member = await site.member({ balancePoints: 5n });
  const suspend = (type: string) =>
    site.owner.rows(sql`
      insert into members.suspensions (member_id, reason, severity, suspension_type, created_at)
      values (${member.id}, 'test', 'temporary', ${type}, platform.business_now())`);
  await suspend('earnings_blocked');
  refused(await play(member, request({ betAmount: 501 })), 400, 'invalid-bet');
  const broke = await play(member);
  refused(broke, 403, 'earnings-suspended');
  assert.equal((await site.call('GET', '/api/coin-flip/daily-status', { as: member })).status, 200);
  await suspend('full_suspension');
  refused(await play(member, request({ betAmount: 501 })), 400, 'invalid-bet');
  refused(await play(member), 403, 'account-suspended');
  await site.owner.rows(
    sql`update members.suspensions set lifted_at = platform.business_now() where member_id = ${member.id}`,
  );
  const poor = await play(member);
  refused(poor, 409, 'insufficient-balance');
  assert.equal(poor.problem.detail, 'Insufficient balance');
  assert.equal(await balanceOf(member), '5');
  refused(await site.call('POST', '/api/coin-flip', { body: request() }), 401, 'unauthenticated');
  refused(await play(member, request(), { origin: 'https://evil.example' }), 403, 'cross-site');
});

test('refuses the sixth game of a day, with Retry-After', async () => {
  const member = await rich();
  for (let game = 0; game < 5; game += 1) assert.equal((await play(member)).status, 200);
  const sixth = await play(member);
  refused(sixth, 429, 'daily-limit-reached');
  assert.match(sixth.problem.detail, /Daily game limit reached/);
  const waitS = Number(sixth.headers.get('retry-after'));
  assert.ok(waitS > 0 && waitS <= 86_400, String(waitS));
  assert.deepEqual(await read(member, 'daily-status'), {
    canPlay: false,
    gamesPlayedToday: 5,
    maxGamesPerDay: 5,
    remainingGames: 0,
  });
});

test('plays 5 of 50 parallel games over HTTP', async () => {
  const member = await rich();
  const answers = await Promise.all(Array.from({ length: 50 }, () => play(member)));
  assert.equal(answers.filter(({ status }) => status === 200).length, 5);
  for (const answer of answers) if (answer.status !== 200) refused(answer, 429, 'daily-limit-reached');
  assert.equal((await read(member, 'history')).length, 5);
});

test('repeats the answer for the same Idempotency-Key, and refuses another body', async () => {
  const member = await rich();
  const headers = { 'idempotency-key': 'flip-once' };
  const first = await play(member, request(), headers);
  const again = await play(member, request(), headers);
  assert.deepEqual([again.status, again.body], [200, first.body]);
  assert.equal(again.headers.get('idempotent-replayed'), 'true');
  refused(await play(member, request({ betAmount: 20 }), headers), 422, 'idempotency-mismatch');
  await site.owner.rows(sql`delete from platform.idempotency where member_id = ${member.id}`);
  assert.deepEqual((await play(member, request(), headers)).body, first.body, 'the game keeps its own key');
  assert.equal((await read(member, 'daily-status')).gamesPlayedToday, 1);
});

test('accepts client seeds of 1 to 64 characters that every program encodes alike', async () => {
  const member = await rich();
  const set = (body: unknown) => site.call('POST', '/api/coin-flip/fairness', { as: member, body });
  assert.equal((await set({ clientSeed: '  lucky: 7  ' })).body.clientSeed, 'lucky: 7');
  assert.equal((await set(undefined)).body.clientSeed, 'lucky: 7');
  assert.equal((await set({ clientSeed: '가'.repeat(64) })).body.clientSeed, '가'.repeat(64));
  const wrong = ['', '   ', 'x'.repeat(65), 'a\u0000b', 'a\nb', 'a\u007fb', '\ud800', 7, null, ['x']];
  for (const clientSeed of wrong) refused(await set({ clientSeed }), 400, 'invalid-request');
  refused(await set({ extra: 1 }), 400, 'invalid-request');
  const before = await read(member, 'fairness');
  assert.deepEqual(await read(member, 'fairness'), before);
  assert.equal(before.clientSeed, '가'.repeat(64));
});

test('never shows another member’s games or seeds', async () => {
  const [one, other] = [await rich(), await rich()];
  await play(one);
  assert.deepEqual(await read(other, 'history'), []);
  assert.notEqual(
    (await read(other, 'fairness')).serverSeedHash,
    (await read(one, 'fairness')).serverSeedHash,
  );
  assert.equal((await read(other, 'daily-status')).gamesPlayedToday, 0);
  for (const what of ['daily-status', 'history', 'fairness'])
    refused(await site.call('GET', `/api/coin-flip/${what}`), 401, 'unauthenticated');
});
