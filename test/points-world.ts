import assert from 'node:assert/strict';
import { sql, sqlText } from '#platform/database.ts';
import { Refusal } from '#platform/refusal.ts';
import { siteChecks } from '../server/books.ts';
import { createPlay, flipCoin } from '../server/coinflip/coinflip.ts';
import { decideEarning } from '../server/earning/earning.ts';
import { createBooking } from '../server/earning/postbacks.ts';
import { recordGrant } from '../server/grants/grants.ts';
import { ledgerChecks, openWallet, runChecks } from '../server/ledger/ledger.ts';
import { approveWithdrawal, rejectWithdrawal } from '../server/withdrawals/decisions.ts';
import { requestWithdrawal } from '../server/withdrawals/withdrawals.ts';
import { randomRegtestAddress } from './litecoind.ts';
import { type Command, FLIPS_A_DAY_MAX, type State, type Told } from './points-model.ts';
import { faultsOfBooks, startWorld } from './withdrawals-world.ts';

/**
 * The features that move points, with eight members and an operator on one database. Batched calls go through the
 * queues of two nodes, so that they meet both in one statement and in the database.
 */
type Lifetime = { after: (work: () => Promise<void>) => void };

export type PointsWorld = Awaited<ReturnType<typeof startPointsWorld>>;

const NODES = 2;
const TABLES = [
  'ledger.movements',
  'ledger.wallets',
  'earning.earnings',
  'earning.reversals',
  'earning.member_reversals',
  'earning.quarantine',
  'earning.postbacks',
  'grants.grants',
  'withdrawals.payouts',
  'withdrawals.withdrawals',
  'withdrawals.member_counts',
  'coinflip.players',
  'coinflip.games',
];
const ADDRESS = randomRegtestAddress();

export async function startPointsWorld(lifetime: Lifetime) {
  const world = await startWorld(lifetime);
  const { database, owner } = world;
  // A site day has just begun, so all daily limits of a test belong to one day. The offset is a whole number of
  // seconds: rounded down, the day would begin later, during the test.
  await owner.rows(sql`
    update platform.clock set offset_seconds = ceil(extract(epoch from
      date_trunc('day', now() at time zone site_timezone) + interval '1 day' - now() at time zone site_timezone))`);
  await owner.rows(sql`
    insert into earning.providers (id, name, type, settings) values ('cpx', 'CPX Research', 'survey', '{}')`);
  await owner.rows(sql`update coinflip.rules set max_games_per_day = ${FLIPS_A_DAY_MAX}`);
  const members: number[] = [];
  for (let count = 0; count < 8; count += 1) members.push(await world.member(0n));
  const nodes = Array.from({ length: NODES }, () => ({
    book: createBooking(database),
    play: createPlay(database),
  }));
  return { ...world, members, nodes };
}

/** Resets earnings, withdrawals and games. Members and settings stay. */
export async function emptyWorld({ database, owner, members, operator }: PointsWorld): Promise<void> {
  // Deleting keeps the plans of every connection; truncating would discard them.
  for (const table of TABLES) await owner.rows(sqlText(`delete from ${table}`));
  await owner.rows(sql`
    update withdrawals.totals set pending_count = 0, pending_points = 0, approved_count = 0, rejected_count = 0`);
  await owner.rows(sql`
    update earning.approval_totals
    set pending_count = 0, pending_points = 0, approved_count = 0, rejected_count = 0`);
  await owner.rows(sql`update grants.totals set completed_count = 0, completed_points = 0`);
  for (const member of [operator, ...members]) await openWallet(database, member);
}

/**
 * Carries a command out as the feature's routes would, on one of the nodes. Refusals are returned, faults are thrown.
 */
export async function perform(world: PointsWorld, command: Command, nodeNumber: number): Promise<Told> {
  try {
    const said = await act(world, command, nodeNumber);
    return { balance: null, withdrawal: null, isWin: null, ...said };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const verdict = error.code === 'already-decided' ? error.message : error.code;
    return { verdict, balance: null, withdrawal: null, isWin: null };
  }
}

async function act(
  world: PointsWorld,
  command: Command,
  nodeNumber: number,
): Promise<Partial<Told> & { verdict: string }> {
  const { database, parts, operator } = world;
  const node = world.nodes[nodeNumber % NODES];
  assert(node !== undefined);
  switch (command.act) {
    case 'credit':
    case 'reverse':
      return { verdict: (await node.book(callOf(command))).verdict };
    case 'review': {
      const [row] = await database.rows<{ heldId: bigint | null }>(sql`
        select held_id as "heldId"
        from earning.earnings where provider = 'cpx' and transaction_id = ${command.transaction}`);
      const review = {
        heldId: row?.heldId ?? 0n,
        verdict: command.verdict,
        actor: operator,
        note: null,
      };
      const { earning, balance } = await decideEarning(parts, review);
      return { verdict: earning.status, balance };
    }
    case 'withdraw': {
      const { member, points, key } = command;
      const request = {
        amountPoints: String(points),
        method: 'litecoin',
        recipientInfo: { address: ADDRESS },
      };
      const { reply, balance } = await requestWithdrawal(parts, member, request, key);
      return { verdict: reply.status, balance, withdrawal: reply.id };
    }
    case 'decide': {
      const { withdrawal, verdict } = command;
      const decided = await (verdict === 'approve'
        ? approveWithdrawal(parts, operator, withdrawal)
        : rejectWithdrawal(parts, operator, withdrawal, 'Looks wrong'));
      return { verdict: decided.status };
    }
    case 'grant': {
      const { member, points, key } = command;
      const request = {
        who: String(member),
        amountPoints: BigInt(points),
        reason: 'Thank you',
        actor: 'command-line' as const,
        key,
      };
      const { balance } = await recordGrant(parts, request);
      return { verdict: 'posted', balance };
    }
    case 'flip': {
      const { member, bet, key } = command;
      const game = { betAmount: bet, playerChoice: 'heads' } as const;
      const { reply, balance } = await flipCoin(
        { database, secrets: parts.secrets, bus: parts.bus },
        node.play,
        member,
        game,
        key,
      );
      return { verdict: 'played', balance, isWin: reply.isWin };
    }
  }
}

function callOf(command: Command & { act: 'credit' | 'reverse' }) {
  const isCredit = command.act === 'credit';
  return {
    kind: isCredit ? ('credit' as const) : ('reversal' as const),
    provider: 'cpx',
    transactionId: isCredit ? command.transaction : command.reversal,
    creditTransactionId: command.transaction,
    memberRef: String(command.member),
    points: command.points === null ? null : String(command.points),
    payoutMicroUsd: null,
    subject: 'Offer',
    isScreenOut: isCredit && command.isScreenOut,
    holdReason: isCredit && command.isFromStrangePlace ? 'source' : null,
    raw: 'GET /x',
    address: '127.0.0.1',
    verdict: null,
    detail: '',
  };
}

/** The audit of the whole site costs as much as a sequence, so it follows one of ten. */
let asserted = 0;

/** Fails unless the audit of the books is clean and balances, earnings and withdrawals equal the model's. */
export async function assertSameState(world: PointsWorld, state: State): Promise<void> {
  const { owner } = world;
  asserted += 1;
  assert.deepEqual(await runChecks(owner, asserted % 10 === 1 ? siteChecks : ledgerChecks), []);
  assert.deepEqual(await faultsOfBooks(world), []);
  const wallets = await owner.rows<{ line: string }>(sql`
    select concat_ws(' ', member_id, balance, earned_total, tasks_completed) as line from ledger.wallets
    where member_id <> ${world.operator}`);
  const earnings = await owner.rows<{ line: string }>(sql`
    select concat_ws(' ', transaction_id, member_id, points, left_points, state) as line from earning.earnings`);
  const reversals = await owner.rows<{ line: string }>(
    sql`select transaction_id as line from earning.reversals`,
  );
  const waiting = await owner.rows<{ line: string }>(sql`
    select transaction_id as line from earning.quarantine where kind = 'reversal' and state = 'open'`);
  const withdrawals = await owner.rows<{ line: string }>(sql`
    select concat_ws(' ', id, member_id, amount_points, state) as line from withdrawals.withdrawals`);
  const reviews = await owner.rows<{ line: string }>(sql`
    select concat_ws(' ', pending_count, pending_points, approved_count, rejected_count) as line
    from earning.approval_totals`);
  const linesOf = (rows: { line: string }[]) => rows.map(({ line }) => line).sort();
  assert.deepEqual(
    {
      wallets: linesOf(wallets),
      earnings: linesOf(earnings),
      reversals: linesOf(reversals),
      waiting: linesOf(waiting),
      withdrawals: linesOf(withdrawals),
      reviews: linesOf(reviews),
    },
    expectedLines(state),
  );
}

function expectedLines(state: State) {
  const held = [...state.earnings.values()].filter(({ wasHeld }) => wasHeld);
  const inState = (wanted: string) => held.filter(({ state }) => state === wanted);
  const pendingPoints = inState('held').reduce((sum, { points }) => sum + points, 0);
  return {
    wallets: [...state.wallets]
      .map(([id, { balance, earned, tasks }]) => `${id} ${balance} ${earned} ${tasks}`)
      .sort(),
    earnings: [...state.earnings]
      .map(([id, earning]) => `${id} ${earning.member} ${earning.points} ${earning.left} ${earning.state}`)
      .sort(),
    reversals: [...state.reversals].sort(),
    waiting: [...state.waiting.keys()].sort(),
    withdrawals: [...state.withdrawals]
      .map(([id, withdrawal]) => `${id} ${withdrawal.member} ${withdrawal.points} ${withdrawal.state}`)
      .sort(),
    reviews: [
      [inState('held').length, pendingPoints, inState('credited').length, inState('rejected').length].join(
        ' ',
      ),
    ],
  };
}
