import { GENERAL_CHANNEL_ID } from '#contract/chat.ts';
import type { ServerEvent } from '#contract/events.ts';
import { type Database, openDatabase, type Sql, sql, sqlText, type Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { Refusal } from '#platform/refusal.ts';
import { changeSettings } from '#platform/settings-change.ts';
import { ensureAccount } from '../access/access.ts';
import { publishAnnouncement } from '../announcements/announcements.ts';
import { claimDailyBonus } from '../bonus/bonus.ts';
import { writeMessage } from '../chat/chat.ts';
import { decideEarning, recordOpening } from '../earning/earning.ts';
import { recordChargeback } from '../earning/operator-chargebacks.ts';
import { type BookCall, createBooking, receivePostback } from '../earning/postbacks.ts';
import { recordGrant } from '../grants/grants.ts';
import { markNoticesRead } from '../notices/notices.ts';
import { beginReferral, rewardReferrer } from '../referrals/referrals.ts';
import { changeTicketStatus, openTicket, respondToTicket } from '../support/support.ts';
import { keepBalanceDays } from '../withdrawals/days.ts';
import { approveWithdrawal, rejectWithdrawal } from '../withdrawals/decisions.ts';
import { findRail } from '../withdrawals/payment-methods.ts';
import type { RailState } from '../withdrawals/rails/rail.ts';
import { fetchRates } from '../withdrawals/rates.ts';
import { requestWithdrawal } from '../withdrawals/withdrawals.ts';
import { coins } from './coin-registry.ts';
import { demoMember, MEMBER_EMAIL, operatorPerson } from './demo-accounts.ts';
import { demoAddress } from './demo-addresses.ts';
import { people, phoneOf } from './demo-people.ts';
import { type Act, demoPlan } from './demo-plan.ts';
import type { DemoTicket } from './demo-tickets.ts';
import { readAccount } from './providers.ts';

/**
 * Makes the demo world at the first start: members with three weeks of history, and large rewards, withdrawals and
 * tickets for the operator to decide. Every act calls the site's functions (postbacks are signed, judged and booked),
 * so the books are the same as after three weeks of use.
 *
 * Business time never goes backwards in live use. The history is therefore made in one transaction, as the owner, on a
 * database without movements: it sets the clock back three weeks, moves it forward with the acts and restores it before
 * the commit. If the transaction fails, nothing has changed.
 */
type World = {
  platform: Platform;
  tx: Tx;
  book: BookCall;
  operatorId: number;
  memberIds: Map<string, number>;
  withdrawalIds: Map<string, string>;
  ticketIds: Map<DemoTicket, string>;
};

const CLOCK_CHECK = 'clock_offset_seconds_check';
const WORLD = 'demo world';

export async function makeDemoWorld(platform: Platform, ownerUrl: string): Promise<boolean> {
  const { database } = platform;
  const done = await database.row(sql`select from sandbox.done where what = ${WORLD}`);
  const used = await database.row(sql`select from ledger.movements limit 1`);
  if (done !== undefined || used !== undefined) return false;
  // Fetched before the transaction, so that it makes no external call.
  await fetchRates(platform);
  const balances = await readBalances(platform);
  // Told when the world is there: who hears of it reads what the transaction holds back.
  const news: ServerEvent[] = [];
  const quiet = {
    ...platform,
    bus: { ...platform.bus, announceToAll: (event: ServerEvent) => void news.push(event) },
  };
  const owner = openDatabase({ url: ownerUrl, connectionsMax: 1, applicationName: 'earnest demo world' });
  try {
    await owner.transaction((tx) =>
      inThePast(tx, async (setBack) => {
        await live(quiet, tx, setBack);
        await keepBalances(platform, tx, setBack, balances);
      }),
    );
  } finally {
    await owner.close();
  }
  for (const event of news) platform.bus.announceToAll(event);
  return true;
}

type SetBack = (minutesAgo: number) => Promise<unknown>;

/** Runs `work` with a clock that it may set back. Restores the clock before the transaction ends. */
async function inThePast(tx: Tx, work: (setBack: SetBack) => Promise<void>): Promise<void> {
  const { offset } = await tx.one<{ offset: bigint }>(
    sql`select offset_seconds as offset from platform.clock for update`,
  );
  const begun = Date.now();
  const setOffset = (seconds: bigint): Sql => sql`update platform.clock set offset_seconds = ${seconds}`;
  await tx.rows(sqlText(`alter table platform.clock drop constraint ${CLOCK_CHECK}`));
  await work((minutesAgo) => {
    const spentS = Math.floor((Date.now() - begun) / 1000);
    return tx.rows(setOffset(offset - BigInt(Math.round(minutesAgo * 60) + spentS)));
  });
  await tx.rows(setOffset(offset));
  await tx.rows(
    sqlText(`alter table platform.clock add constraint ${CLOCK_CHECK} check (offset_seconds >= 0)`),
  );
  await tx.rows(sql`insert into sandbox.done (what) values (${WORLD})`);
}

/** A database whose transactions all run in `tx`. */
const within = (tx: Tx): Database => ({
  rows: tx.rows,
  row: tx.row,
  one: tx.one,
  transaction: (work) => work(tx),
  patient: tx,
  isSilent: () => false,
  connectionCounts: () => ({ used: 1, unused: 0, waiting: 0 }),
  close: async () => undefined,
});

async function live(outside: Platform, tx: Tx, setBack: SetBack): Promise<void> {
  const platform = { ...outside, database: within(tx) };
  const acts = demoPlan(demoMember);
  await setBack((acts[0]?.minutesAgo ?? 0) + 60);
  const operator = await ensureAccount(platform.database, {
    ...operatorPerson(platform.config),
    // It gets one when the accounts are prepared.
    password: null,
  });
  const world: World = {
    platform,
    tx,
    book: createBooking(platform.database),
    operatorId: operator.id,
    memberIds: new Map(),
    withdrawalIds: new Map(),
    ticketIds: new Map(),
  };
  for (const act of acts) {
    await setBack(act.minutesAgo);
    await perform(world, act);
  }
  await setBack(0);
  await endNotices(tx);
}

type Balances = ReadonlyMap<string, RailState>;

async function readBalances(platform: Platform): Promise<Balances> {
  const states = new Map<string, RailState>();
  for (const { id } of coins) {
    const rail = await findRail(platform, id);
    if (rail !== undefined) states.set(id, await rail.check());
  }
  return states;
}

const BALANCE_DAYS = 20;

/** What the paying accounts held on each day: as much as now, because nothing was paid. */
async function keepBalances(outside: Platform, tx: Tx, setBack: SetBack, balances: Balances): Promise<void> {
  for (let daysAgo = BALANCE_DAYS; daysAgo > 0; daysAgo -= 1) {
    await setBack(daysAgo * 24 * 60);
    await keepBalanceDays({ ...outside, database: within(tx) }, balances);
  }
  await setBack(0);
}

/** Mails nothing of the past, and leaves only the notices of the last two days unread. */
async function endNotices(tx: Tx): Promise<void> {
  await tx.rows(sql`update notices.notices set mail_due_at = null`);
  const read = await tx.rows<{ memberId: number; upTo: bigint }>(sql`
    select member_id as "memberId", max(member_number) as "upTo" from notices.notices
    where created_at < platform.business_now() - interval '2 days' group by member_id`);
  for (const { memberId, upTo } of read) await markNoticesRead(tx, memberId, upTo);
}

async function perform(world: World, act: Act): Promise<void> {
  switch (act.kind) {
    case 'join':
      return join(world, act);
    case 'claim-bonus':
      return claimBonus(world, act);
    case 'earn':
      await send(world, act);
      await rewardReferrer(world.platform, idOf(world, act.who));
      return;
    case 'reverse':
      return send(world, act);
    case 'decide-earning':
      return decideHeld(world, act);
    case 'grant':
      return grant(world, act);
    case 'charge-back':
      return chargeBack(world, act);
    case 'withdraw':
      return withdraw(world, act);
    case 'approve':
    case 'reject':
      return decide(world, act);
    case 'ask':
      return ask(world, act);
    case 'answer':
      return answer(world, act);
    case 'say':
      return say(world, act);
    case 'announce':
      await publishAnnouncement(world.platform, world.operatorId, act.announcement.texts);
      return;
    case 'sign-in':
      await world.tx.rows(sql`
        update members.members set last_sign_in_at = platform.business_now() where email = ${act.who}`);
  }
}

function idOf({ memberIds }: World, who: string): number {
  const id = memberIds.get(who);
  if (id === undefined) throw new Error(`${who} acts before joining`);
  return id;
}

type ActOf<Kind extends Act['kind']> = Extract<Act, { kind: Kind }>;

async function join(world: World, { who, person, isFriendOfMember }: ActOf<'join'>): Promise<void> {
  const { platform, tx, memberIds } = world;
  const { firstName, lastName, language } = person;
  const { id } = await ensureAccount(platform.database, {
    email: who,
    password: null,
    firstName,
    lastName,
    role: 'user',
    isEmailVerified: true,
    ...(isFriendOfMember
      ? { referral: { referrerId: idOf(world, MEMBER_EMAIL), begin: beginReferral } }
      : {}),
  });
  memberIds.set(who, id);
  const number = phoneOf(people.indexOf(person) + 1);
  await tx.rows(sql`
    update members.members
    set language = ${language}, phone_number = ${number}, phone_verified_at = platform.business_now()
    where id = ${id}`);
}

async function claimBonus(world: World, { who }: ActOf<'claim-bonus'>): Promise<void> {
  try {
    await claimDailyBonus(world.platform, idOf(world, who), null);
  } catch (error) {
    // Two of these acts can fall on one day of 25 hours, at the end of summer time.
    if (!(error instanceof Refusal && error.code === 'already-claimed')) throw error;
  }
}

/** Books a company's signed postback as if it had arrived over HTTP. */
async function send(world: World, act: ActOf<'earn'> | ActOf<'reverse'>): Promise<void> {
  const { platform, book } = world;
  const { wall, offer, transactionId } = act;
  const memberId = idOf(world, act.who);
  const isScreenOut = act.kind === 'earn' && act.isScreenOut;
  if (act.kind === 'earn') await recordOpening(platform, wall.id, memberId, null);
  const { secret, postbackPath } = await readAccount(platform, wall.id);
  const address = `${platform.config.publicUrl}${postbackPath}`;
  const call = {
    action:
      act.kind === 'reverse'
        ? ('reverse' as const)
        : isScreenOut
          ? ('screen-out' as const)
          : ('complete' as const),
    memberRef: String(memberId),
    transactionId,
    points: isScreenOut ? offer.screenOutPoints : offer.points,
    offer,
    memberAddress: '203.0.113.24',
  };
  const sent = wall.postback(address, call, secret);
  await receivePostback(platform, book, {
    providerId: wall.id,
    pathToken: null,
    address: '127.0.0.1',
    isChargebackOnly: false,
    raw: {
      method: sent.method,
      url: sent.query === '' ? address : `${address}?${sent.query}`,
      headers: sent.headers,
      rawBody: Buffer.from(sent.body),
    },
  });
}

async function decideHeld(world: World, act: ActOf<'decide-earning'>): Promise<void> {
  const { platform, tx, operatorId } = world;
  const held = await tx.one<{ heldId: bigint }>(sql`
    select held_id as "heldId" from earning.earnings
    where provider = ${act.wall.id} and transaction_id = ${act.transactionId} and state = 'held'`);
  const { verdict, note } = act;
  await decideEarning(platform, { heldId: held.heldId, verdict, actor: operatorId, note });
}

/** A grant that waits is one of the command line, so that the demo operator can confirm it. */
async function grant(world: World, { who, points, reason, isForTwo }: ActOf<'grant'>): Promise<void> {
  const { platform, operatorId } = world;
  const { database, config } = platform;
  const setSum = (secondPersonFrom: string | null) =>
    changeSettings(database, config.mode, { caps: { secondPersonFrom } });
  if (isForTwo) await setSum(String(points));
  const request = { who, amountPoints: points, reason, key: null };
  await recordGrant(platform, { ...request, actor: isForTwo ? 'command-line' : operatorId });
  if (isForTwo) await setSum(null);
}

async function chargeBack(world: World, { who, points, reason }: ActOf<'charge-back'>): Promise<void> {
  const { platform, operatorId } = world;
  const order = { who, amountPoints: points, reason, provider: null, key: null };
  await recordChargeback(platform, { ...order, actor: operatorId });
}

async function withdraw(world: World, act: ActOf<'withdraw'>): Promise<void> {
  const { platform, withdrawalIds } = world;
  const coin = coins[act.coin];
  if (coin === undefined) throw new Error(`The demo world needs coin ${act.coin}`);
  const request = {
    amountPoints: String(act.amountPoints),
    method: coin.id,
    recipientInfo: { address: demoAddress(coin, coin.networkOf(platform.config), act.name) },
  };
  const { reply } = await requestWithdrawal(platform, idOf(world, act.who), request, null);
  withdrawalIds.set(act.name, reply.id);
}

async function decide(world: World, act: ActOf<'approve'> | ActOf<'reject'>): Promise<void> {
  const { platform, operatorId, withdrawalIds } = world;
  const id = withdrawalIds.get(act.name);
  if (id === undefined) throw new Error(`${act.name} was never asked for`);
  if (act.kind === 'reject') {
    await rejectWithdrawal(platform, operatorId, id, act.reason);
    return;
  }
  try {
    await approveWithdrawal(platform, operatorId, id);
  } catch (error) {
    // The environment may configure no rail or no rate. The withdrawal then stays in the queue.
    const mayStay =
      error instanceof Refusal && ['payout-unavailable', 'rate-unavailable'].includes(error.code);
    if (!mayStay) throw error;
  }
}

async function ask(world: World, act: ActOf<'ask'>): Promise<void> {
  const { subject, message, priority } = act.ticket;
  const { id } = await openTicket(world.platform, idOf(world, act.who), { subject, message, priority });
  world.ticketIds.set(act.ticket, id);
}

async function say(world: World, { who, text, isOperators }: ActOf<'say'>): Promise<void> {
  const writer = isOperators
    ? ({ id: world.operatorId, role: 'admin' } as const)
    : ({ id: idOf(world, who), role: 'user' } as const);
  await writeMessage(
    world.platform,
    null,
    null,
    { ...writer, isSuspended: false, hasPassedGate: true },
    { channelId: GENERAL_CHANNEL_ID, content: text },
  );
}

async function answer(world: World, { ticket, response, status }: ActOf<'answer'>): Promise<void> {
  const { platform, operatorId, ticketIds } = world;
  const id = ticketIds.get(ticket);
  if (id === undefined) throw new Error(`"${ticket.subject}" was never asked`);
  if (response === null) await changeTicketStatus(platform, operatorId, id, status);
  else await respondToTicket(platform, operatorId, id, { response, status });
}
