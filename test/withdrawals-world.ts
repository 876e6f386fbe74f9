import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServerEvent } from '#contract/events.ts';
import { type Database, openDatabase, sql } from '#platform/database.ts';
import { prepareJobs } from '#platform/jobs.ts';
import { changeSettings } from '#platform/settings-change.ts';
import { runChecks } from '../server/ledger/ledger.ts';
import { withdrawalsChecks } from '../server/withdrawals/audit.ts';
import { changePaymentMethod } from '../server/withdrawals/payment-methods.ts';
import { sweepPayouts } from '../server/withdrawals/payouts.ts';
import { findArtifact } from '../server/withdrawals/rails/coin/artifact.ts';
import type { CoinNodeAccess } from '../server/withdrawals/rails/coin/coin-rpc.ts';
import { verifyTimeline } from '../server/withdrawals/timelines.ts';
import { requestWithdrawal } from '../server/withdrawals/withdrawals.ts';
import { CONNECT_TIMEOUT_MS, testDatabase } from './database.ts';
import type { TestCoinNode } from './litecoind.ts';
import { type Coin, offerMethod } from './offered-methods.ts';
import { partsOn } from './withdrawals-parts.ts';

/** The parts of a site that withdrawals need: members with points, an operator, a source of rates, settings. */
export type Announcement = { memberId: number; event: ServerEvent };

type Lifetime = { after: (work: () => Promise<void>) => void };

const APP_SECRET = Buffer.from('a secret of tests, long enough to be taken').toString('base64');

/** The configuration of a test site. Its worker processes get the same environment. */
export function environmentOf(rateSourceUrl: string, dataDir: string): Record<string, string> {
  return {
    DATA_DIR: dataDir,
    MODE: 'sandbox',
    APP_SECRET,
    LITECOIN_NETWORK: 'regtest',
    DASH_NETWORK: 'regtest',
    RPC_ALLOWED_HOSTS: '127.0.0.1',
    RATE_SOURCE_URL: rateSourceUrl,
  };
}

/** A source of rates that a test can change or switch off. */
export async function startRateSource(t: Lifetime) {
  const source = { body: '{"litecoin":{"usd":80.5},"dash":{"usd":25}}', status: 200, url: '', calls: 0 };
  const server = createServer((_request, response) => {
    source.calls += 1;
    response.writeHead(source.status, { 'content-type': 'application/json' }).end(source.body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(async () => {
    server.closeAllConnections();
    server.close();
  });
  source.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return source;
}

export type World = Awaited<ReturnType<typeof startWorld>>;

export async function startWorld(t: Lifetime, coins: readonly Coin[] = ['litecoin', 'dash']) {
  const rates = await startRateSource(t);
  const { owner, appUrl, ownerUrl, workerUrl, copy } = await testDatabase(t);
  const database = openWorldDatabase(t, appUrl);
  const environment = environmentOf(rates.url, temporaryDirectory(t));
  const parts = await partsOn(database, environment);
  await verifyTimeline(parts);
  await prepareJobs(workerUrl, 'earnest_app', parts.log);
  await changeSettings(database, 'sandbox', { payoutDelaySeconds: 0 });
  const announced: Announcement[] = [];
  parts.bus.onNews((news) => announced.push(news));
  for (const method of coins) await offerMethod(parts, method);
  await changePaymentMethod(parts, 'paypal', { isEnabled: true });
  const { member, grant } = peopleOn(owner);
  const operator = await member(0n, { role: 'admin' });
  return {
    database,
    owner,
    parts,
    appUrl,
    ownerUrl,
    copy,
    environment,
    rates,
    announced,
    member,
    grant,
    operator,
  };
}

let memberCount = 0;
let grantCount = 0;

/** Makes members and grants points in a database. */
function peopleOn(owner: Database) {
  /** A member with a verified phone and this balance. */
  const member = async (balancePoints: bigint, options: { phone?: boolean; role?: string } = {}) => {
    memberCount += 1;
    const id = 100_000_000 + memberCount;
    await owner.rows(sql`
      insert into members.members (id, email, email_canonical, first_name, last_name, role, referral_code,
        terms_version, created_at, phone_number, phone_verified_at)
      values (${id}, ${`member${memberCount}@example.com`}, ${`member${memberCount}@example.com`}, ${'Mina'}, ${'Kim'},
        ${options.role ?? 'user'}, ${`CODE${memberCount}`}, '1', platform.business_now(),
        ${options.phone === false ? null : `+8210${10_000_000 + memberCount}`},
        ${options.phone === false ? null : new Date()})`);
    await owner.rows(sql`select ledger.open_wallet(${id})`);
    if (balancePoints > 0n) await grant(id, balancePoints);
    return id;
  };
  const grant = async (memberId: number, points: bigint) => {
    grantCount += 1;
    await owner.rows(sql`
      select ledger.post_one(${memberId}, ${`grant:${grantCount}`}, 'grant', ${points}, 'grants', 'Grant',
        null, null, false)`);
  };
  return { member, grant };
}

function openWorldDatabase(t: Lifetime, url: string): Database {
  const database = openDatabase({ url, connectionsMax: 20, connectTimeoutMs: CONNECT_TIMEOUT_MS });
  t.after(() => database.close());
  return database;
}

function temporaryDirectory(t: Lifetime): string {
  const directory = mkdtempSync(join(tmpdir(), 'withdrawals-'));
  t.after(async () => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** Copies the world's database, as a backup does. `restore` makes a world on the copy, with the same marker. */
export async function backUp(t: Lifetime, world: World): Promise<{ restore: () => Promise<World> }> {
  const saved = await world.copy(t);
  return {
    restore: async () => {
      const { appUrl, owner, copy } = await saved.copy(t);
      const database = openWorldDatabase(t, appUrl);
      return {
        ...world,
        ...peopleOn(owner),
        appUrl,
        owner,
        copy,
        database,
        parts: { ...world.parts, database },
      };
    },
  };
}

export const payoutOf = ({ owner }: World, id: string) =>
  owner.one<{ state: string; trouble: string | null; reference: string | null }>(
    sql`select state, trouble, reference from withdrawals.payouts where withdrawal_id = ${id}`,
  );

export const reconciliationOf = ({ owner }: World) =>
  owner.row<{ reason: string; trouble: string | null; isDone: boolean }>(sql`
    select reason, trouble, done_at is not null as "isDone" from withdrawals.reconciliations
    where method = 'litecoin'`);

/** Takes up a world whose marker a copy of it has used since, before anything is approved in it. */
export async function takeUp(world: World): Promise<void> {
  await verifyTimeline(world.parts);
  await sweepNow(world);
}

/** Sets the Litecoin method's node. */
export async function connectLitecoin(world: World, access: CoinNodeAccess): Promise<void> {
  await changePaymentMethod(world.parts, 'litecoin', {
    credentials: {
      rpcHost: access.host,
      rpcPort: access.port,
      rpcUser: access.user,
      rpcPassword: access.password,
    },
  });
}

export const ask = async (
  world: World,
  memberId: number,
  amountPoints: bigint,
  address: string,
  requestKey: string | null = null,
) => {
  const request = { amountPoints: String(amountPoints), method: 'litecoin', recipientInfo: { address } };
  return (await requestWithdrawal(world.parts, memberId, request, requestKey)).reply;
};

export async function balanceOf(world: World, memberId: number): Promise<bigint> {
  const row = await world.owner.one<{ balance: bigint }>(
    sql`select balance from ledger.wallets where member_id = ${memberId}`,
  );
  return row.balance;
}

/** Makes every unfinished payout due and sweeps, as after some time. */
export async function sweepNow(world: World): Promise<void> {
  await world.owner.rows(sql`update withdrawals.payouts set due_at = platform.business_now()`);
  await sweepPayouts(world.parts);
}

/** Spends the coins of a payout's stored payment otherwise. Returns the id of the rival. */
export async function spendCoinsOf(
  { owner }: World,
  { call }: Pick<TestCoinNode, 'call'>,
  id: string,
  [address, amount]: [address: string, amount: string],
): Promise<string> {
  const { artifact } = await owner.one<{ artifact: string }>(
    sql`select artifact from withdrawals.payouts where withdrawal_id = ${id}`,
  );
  const coins = findArtifact(artifact)?.inputs ?? [];
  const inputs = coins.map((one) => ({ txid: one.transactionId, vout: one.outputIndex }));
  await call('lockunspent', { unlock: true, transactions: inputs });
  const hexstring = await call('createrawtransaction', { inputs, outputs: [{ [address]: amount }] });
  const { hex } = (await call('signrawtransactionwithwallet', { hexstring })) as { hex: string };
  return String(await call('sendrawtransaction', { hexstring: hex, maxfeerate: 0 }));
}

/** What the audit finds in withdrawals: each decision must be in the audit trail as it was made. */
export const auditOfDecisions = ({ owner }: Pick<World, 'owner'>) =>
  runChecks(
    owner,
    withdrawalsChecks.filter(({ name }) => name === 'withdrawals' || name === 'timelines'),
  );

/** The invariants between withdrawals, payouts, totals and the books. Returns each row that violates one. */
export async function faultsOfBooks(world: World): Promise<unknown[]> {
  return world.owner.rows(sql`
    with booked as (
      select split_part(key, ':', 2)::uuid as id,
        sum(amount) as balance, count(*) filter (where kind = 'withdrawal') as holds,
        count(*) filter (where kind = 'withdrawal-return') as returns
      from ledger.movements where account = 'withdrawals' group by 1)
    select 'movements' as what, w.id::text, w.state, b.balance, b.holds, b.returns
    from withdrawals.withdrawals w full join booked b on b.id = w.id
    where w.id is null or b.id is null or b.holds <> 1
      or b.returns <> (w.state = 'rejected')::integer
      or b.balance <> case when w.state = 'rejected' then 0 else -w.amount_points end
    union all
    select 'payout', w.id::text, w.state, 0, 0, 0
    from withdrawals.withdrawals w left join withdrawals.payouts p on p.withdrawal_id = w.id
    where (w.state = 'pending' and p.state is not null)
      or (w.state = 'approved' and coalesce(p.state, 'failed') = 'failed')
      or (w.state = 'rejected' and coalesce(p.state, 'failed') <> 'failed')
    union all
    select 'totals', '', '', 0, 0, 0 from withdrawals.totals t, (
      select count(*) filter (where w.state = 'pending') as pending,
        coalesce(sum(w.amount_points) filter (where w.state = 'pending'), 0) as pending_points,
        count(*) filter (where w.state = 'approved') as approved,
        count(*) filter (where w.state = 'rejected') as rejected,
        count(*) filter (where p.state = 'confirmed') as paid,
        coalesce(sum(w.amount_points) filter (where p.state = 'confirmed'), 0) as paid_points
      from withdrawals.withdrawals w left join withdrawals.payouts p on p.withdrawal_id = w.id) c
    where (t.pending_count, t.pending_points, t.approved_count, t.rejected_count, t.paid_count, t.paid_points)
      is distinct from (c.pending, c.pending_points, c.approved, c.rejected, c.paid, c.paid_points)
    union all
    select 'payout sums', coalesce(t.state, p.state), '', t.payout_count, 0, 0
    from withdrawals.payout_totals t full join (
      select p.method, p.state, count(*) as payout_count, sum(w.amount_points) as points
      from withdrawals.payouts p join withdrawals.withdrawals w on w.id = p.withdrawal_id
      group by p.method, p.state) p on p.method = t.method and p.state = t.state
    where (t.payout_count, t.points) is distinct from (p.payout_count, p.points)
    union all
    select 'wallet', w.member_id::text, '', w.balance, 0, 0 from ledger.wallets w
    where w.balance <> (select coalesce(sum(amount), 0) from ledger.movements m where m.member_id = w.member_id)
    union all
    select 'counts', c.member_id::text, '', c.withdrawal_count, 0, 0 from withdrawals.member_counts c
    where c.withdrawal_count <> (select count(*) from withdrawals.withdrawals w where w.member_id = c.member_id)`);
}

export type ProcessTask =
  | { act: 'request'; memberId: number; amountPoints: string; address: string; requestKey: string }
  | { act: 'approve'; operatorId: number; id: string }
  | { act: 'sweep-bulk' }
  | { act: 'sweep' };

/**
 * Runs one operation in a separate process, like a node or worker, with or without a failpoint. Returns the
 * signal that ended it, or null if it ended by itself. Throws on any failure.
 */
export async function runProcess(
  world: World,
  task: ProcessTask,
  failpoint: string | null = null,
): Promise<NodeJS.Signals | null> {
  const script = new URL('./withdrawals-process.ts', import.meta.url).pathname;
  const child: ChildProcess = spawn(process.execPath, [script, JSON.stringify(task)], {
    env: {
      PATH: process.env.PATH,
      ...world.environment,
      TEST_DATABASE_URL: world.appUrl,
      ...(failpoint === null ? {} : { FAILPOINT: `${failpoint}:kill` }),
      ...(process.env.NODE_COMPILE_CACHE ? { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE } : {}),
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  if (signal === null && code !== 0) throw new Error(`${task.act} ended with ${code}`);
  // As after the time of the leases that a killed process leaves.
  if (signal !== null) await world.owner.rows(sql`update platform.leases set expires_at = '-infinity'`);
  return signal;
}
