import type { Act } from '#contract/acts.ts';
import { chainActs } from '#platform/act-chain.ts';
import { recordActs } from '#platform/audit-trail.ts';
import { type Database, type Sql, sql } from '#platform/database.ts';
import { createLog } from '#platform/log.ts';
import { testDatabase } from './database.ts';

/** A database with rows of all kinds in all books, made by the functions that make them on a site. */
type Lifetime = { after: (work: () => Promise<void>) => void };

export const REFERRER = 300_000_001;
export const FRIEND = 300_000_002;
export const PLAYER = 300_000_003;
export const WITHDRAWER = 300_000_004;
const NO_CAP = 1_000_000_000;
const LATE_FRIEND = 300_000_005;
/** Gives the first of two approvals. */
export const OPERATOR = 300_000_006;

export async function startBooksWorld(lifetime: Lifetime) {
  const { database, owner } = await testDatabase(lifetime);
  await owner.rows(sql`update platform.clock set mode = 'sandbox'`);
  for (const id of [REFERRER, FRIEND, PLAYER, WITHDRAWER, LATE_FRIEND, OPERATOR]) await addMember(owner, id);
  await earn(owner);
  await withdraw(owner);
  await play(owner);
  await refer(owner);
  await claim(owner);
  await grant(owner);
  await bookClaim(owner);
  await owner.rows(sql`select platform.advance_clock(86400)`);
  await owner.rows(sql`update platform.clock set advanced_at = '-infinity'`);
  await owner.rows(sql`select ledger.close_account_days(clock_timestamp())`);
  await claim(owner);
  await credit(owner, { transaction: 'late', member: PLAYER, points: 40 });
  await recordAndChain(database);
  return { database, owner };
}

/** The acts of the decisions on withdrawals, which come before the others in the chain. */
export const DECISION_ACTS = 9;

/** Twelve acts of two operators in the audit trail, chained with those of decisions as a node's sweep does. */
async function recordAndChain(database: Database): Promise<void> {
  for (let count = 1; count <= 12; count += 1)
    await database.transaction((tx) =>
      recordActs(tx, [
        {
          actor: count % 2 === 0 ? REFERRER : FRIEND,
          act: 'withdrawal.reject',
          target: { kind: 'withdrawal', id: `request-${count}`, memberId: WITHDRAWER },
          reason: `Reason ${count}`,
          before: { status: 'pending' },
          after: { status: 'rejected' },
        },
      ]),
    );
  await chainActs({ database, log: createLog('silent') });
}

async function addMember(owner: Database, id: number): Promise<void> {
  await owner.rows(sql`
    insert into members.members (id, email, email_canonical, first_name, referral_code, terms_version, created_at)
    values (${id}, ${`${id}@example.com`}, ${`${id}@example.com`}, 'Mina', ${`CODE${id}`}, '1',
      platform.business_now())`);
  await owner.rows(sql`select ledger.open_wallet(${id})`);
  await owner.rows(sql`
    select ledger.post_one(${id}, ${`grant:${id}`}, 'grant', 50000, 'grants', 'Welcome', null, null, false)`);
}

type Credit = { transaction: string; member: number; points: number; isScreenOut?: boolean };

const credit = (owner: Database, { transaction, member, points, isScreenOut = false }: Credit) =>
  owner.rows(sql`
    select earning.book_credit('cpx', ${transaction}, ${String(member)}, ${points}, 1000, 'Survey', ${isScreenOut},
      null, 'GET /', '127.0.0.1')`);

const reverse = (
  owner: Database,
  reversal: string,
  transaction: string,
  member: number,
  points: number | null,
) =>
  owner.rows(sql`
    select earning.book(array[row(1, 'reversal', 'cpx', ${reversal}::text, ${transaction}::text,
      ${String(member)}::text, ${points}::bigint, null, 'fraud', false, null, 'GET /', '127.0.0.1', null, '')
      ::earning.call])`);

const decide = (owner: Database, transaction: string, decision: string) =>
  owner.rows(sql`
    select earning.decide(held_id, ${decision}, ${REFERRER}, null, null) from earning.earnings
    where transaction_id = ${transaction}`);

async function earn(owner: Database): Promise<void> {
  for (const [transaction, member, points] of [
    ['whole', FRIEND, 100],
    ['partly', FRIEND, 200],
    ['all', PLAYER, 300],
    ['approved', PLAYER, 10_000],
    ['rejected', PLAYER, 11_000],
    ['held', PLAYER, 12_000],
    ['lost', 999_999_999, 70],
    ['found', 999_999_999, 60],
  ] as const)
    await credit(owner, { transaction, member, points });
  await credit(owner, { transaction: 'screen-out', member: FRIEND, points: 5, isScreenOut: true });
  await decide(owner, 'approved', 'approve');
  await decide(owner, 'rejected', 'reject');
  await owner.rows(sql`
    select earning.resolve_quarantined(id, 'book', ${REFERRER}, 'Seen', ${String(PLAYER)}, null)
    from earning.quarantine where transaction_id = 'found'`);
  await reverse(owner, 'reversal-of-partly', 'partly', FRIEND, 50);
  await reverse(owner, 'all', 'all', PLAYER, null);
  await reverse(owner, 'early', 'soon', PLAYER, null);
  await reverse(owner, 'too-early', 'never', PLAYER, null);
  await owner.rows(sql`
    select earning.charge_back('one', ${PLAYER}, 7, 'manual', 'manual-1', 'Paid twice', null, null),
      earning.charge_back('two', ${PLAYER}, 3, 'cpx', 'test-1', 'A test', null, null)`);
  await credit(owner, { transaction: 'soon', member: PLAYER, points: 90 });
}

type Decision = { act: Act; id: string; operator?: number; after?: Record<string, unknown> };

/** Decides by a function and records the act, in one transaction as operators do. */
const decideWithdrawal = (
  owner: Database,
  { act, id, operator = REFERRER, after }: Decision,
  decision: Sql,
) =>
  owner.transaction(async (tx) => {
    await tx.rows(decision);
    const target = { kind: 'withdrawal', id, memberId: WITHDRAWER } as const;
    await recordActs(tx, [
      { actor: operator, act, target, before: { status: 'pending' }, after: after ?? null },
    ]);
  });

/** 1.90 dollars at 80 dollars a coin. With `second` points, the first of two approvals is recorded. */
const approval = (id: string, operator = REFERRER, secondPoints = NO_CAP) => sql`
  select withdrawals.approve(${id}, ${operator}, 80, 2375000, 0, false, ${secondPoints}, ${NO_CAP}, ${NO_CAP})`;

/**
 * One withdrawal in each state: pending, rejected, queued, broadcast, confirmed, and failed after its approval; one
 * that waits for its second approval, one that has it, and one that its member cancelled.
 */
async function withdraw(owner: Database): Promise<void> {
  await owner.rows(sql`insert into withdrawals.methods (method, is_enabled) values ('litecoin', true)`);
  await owner.rows(sql`update members.members set role = 'admin' where id = ${OPERATOR}`);
  const request = async (key: string) => {
    const { id } = await owner.one<{ id: string }>(sql`
      select id
      from withdrawals.request(${WITHDRAWER}, ${key}, 'litecoin', ${`address of ${key}`}, 2000, 100, 20)`);
    return id;
  };
  for (const state of ['pending', 'rejected', 'queued', 'broadcast', 'confirmed', 'failed']) {
    const id = await request(state);
    if (state === 'pending') continue;
    if (state === 'rejected') {
      const rejection = sql`select withdrawals.reject(${id}, ${REFERRER}, 'No')`;
      await decideWithdrawal(owner, { act: 'withdrawal.reject', id }, rejection);
      continue;
    }
    await decideWithdrawal(owner, { act: 'withdrawal.approve', id }, approval(id));
    if (state === 'failed') await owner.rows(sql`select withdrawals.fail_payout(${id}, 'queued', 'Refused')`);
    if (state === 'broadcast' || state === 'confirmed')
      await owner.rows(sql`
        with counted as materialized (select withdrawals.count_payment(${`tx of ${state}`}))
        update withdrawals.payouts set state = 'broadcast', reference = ${`tx of ${state}`}, artifact = 'bytes',
          signed_at = platform.business_now(), broadcast_at = platform.business_now()
        from counted where withdrawal_id = ${id}`);
    if (state === 'confirmed') await owner.rows(sql`select withdrawals.confirm_payout(${id})`);
    if (state === 'broadcast') {
      const retried = {
        act: 'payout.retry',
        id,
        after: { state: 'broadcast', cleared: ['tx of another'] },
      } as const;
      const clearing = sql`
        update withdrawals.payouts set cleared_references = '{"tx of another"}' where withdrawal_id = ${id}`;
      await decideWithdrawal(owner, retried, clearing);
    }
  }
  for (const key of ['approved once', 'approved twice']) {
    const id = await request(key);
    await decideWithdrawal(
      owner,
      { act: 'withdrawal.approve-first', id, operator: OPERATOR },
      approval(id, OPERATOR, 1),
    );
    if (key === 'approved twice')
      await decideWithdrawal(owner, { act: 'withdrawal.approve', id }, approval(id, REFERRER, 1));
  }
  const cancelled = await request('cancelled');
  await owner.rows(sql`select withdrawals.cancel(${cancelled}, ${WITHDRAWER}, 'Changed my mind')`);
}

/** A grant of each state: booked, waiting, confirmed and declined. */
async function grant(owner: Database): Promise<void> {
  // The word of a giver who is no operator does not count.
  await owner.rows(sql`update members.members set role = 'admin' where id = ${REFERRER}`);
  for (const [key, points, from] of [
    ['alone', 40, null],
    ['waiting', 50, 10],
    ['confirmed', 60, 10],
    ['declined', 70, 10],
  ] as const)
    await owner.rows(
      sql`select grants.give(${key}, ${FRIEND}, ${points}, 'Prize', ${REFERRER}, ${from}::bigint)`,
    );
  for (const [key, decision] of [
    ['confirmed', 'confirm'],
    ['declined', 'decline'],
  ] as const)
    await owner.rows(sql`
      select grants.decide(g.id, ${decision}, ${LATE_FRIEND}, 'Not agreed') from grants.grants g
      where g.request_key = ${key}`);
}

/** A claim about an opened wall that is booked, with its grant. */
async function bookClaim(owner: Database): Promise<void> {
  const { id } = await owner.one<{ id: bigint }>(sql`
    with opened as (
      insert into earning.openings (member_id, provider, opened_at)
      values (${FRIEND}, 'wannads', platform.business_now()) returning id, opened_at)
    insert into claims.claims (member_id, opening_id, provider, opened_at, text, filed_at, due_at)
    select ${FRIEND}::integer, id, 'wannads', opened_at, 'Nothing came.', opened_at, opened_at from opened
    returning id`);
  await owner.rows(sql`select claims.book(${id}, 80, 'Missing credit: Wannads', ${REFERRER}, null, 0)`);
}

const flips = (owner: Database, count: number) =>
  owner.rows(sql`
    select coinflip.play(array[${PLAYER}::integer], array[10], array['heads'], array[null::text])
    from generate_series(1, ${count})`);

/** Games with a revealed seed, won and lost, and games with the seed in use. */
async function play(owner: Database): Promise<void> {
  await owner.rows(sql`update coinflip.rules set max_games_per_day = 100`);
  // With these seeds the first games are won and lost.
  await owner.rows(sql`select coinflip.open_player(${PLAYER}, ${'a1'.repeat(32)}, 'seed')`);
  await flips(owner, 8);
  await owner.rows(sql`
    select coinflip.rotate(${PLAYER}, ${'b2'.repeat(32)}, 'x', ${'c3'.repeat(32)}, 'other')`);
  await flips(owner, 2);
}

/** A rewarded referral, a refused one and one that waits. */
async function refer(owner: Database): Promise<void> {
  const begin = async (friend: number) => {
    await owner.rows(sql`update members.members set referred_by = ${REFERRER} where id = ${friend}`);
    await owner.rows(sql`select referrals.begin_referral(${friend}, ${REFERRER})`);
  };
  await begin(FRIEND);
  await begin(LATE_FRIEND);
  const mailbox = `${REFERRER}@example.com`;
  await owner.rows(sql`update members.members set email_canonical = ${mailbox} where id = ${PLAYER}`);
  await begin(PLAYER);
  await owner.rows(sql`select referrals.reward(${FRIEND})`);
}

const claim = (owner: Database) => owner.rows(sql`select bonus.claim(${FRIEND}, null)`);
