import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { OperatorTicket } from '#contract/support.ts';
import { sql } from '#platform/database.ts';
import { prepareJobs } from '#platform/jobs.ts';
import { silentLog, testSite } from '../../test/site.ts';
import { siteChecks } from '../books.ts';
import { runChecks } from '../ledger/ledger.ts';
import { changePaymentMethod, findRail, readPaymentMethods } from '../withdrawals/payment-methods.ts';
import { prepareAccounts } from './demo-accounts.ts';
import { startSandbox } from './sandbox.ts';

/** The demo world of a new site's first start. */
const site = await testSite({ after });
await prepareJobs(site.urls.workerUrl, 'earnest_app', silentLog());
const begun = process.cpuUsage();
const accounts = await site.sandbox.prepare(site.platform);
const { user, system } = process.cpuUsage(begun);
/** The processor time of this process: other work on the machine does not count. The bench measures the whole start. */
const spentMs = (user + system) / 1000;

const signIn = async (path: string, body: unknown) => {
  const { headers, status } = await site.call('POST', path, { body });
  assert.equal(status, 200);
  return { id: 0, email: '', cookie: (headers.get('set-cookie') ?? '').split(';')[0] ?? '' };
};
const { operator, member } = accounts;
const asOperator = await signIn('/api/auth/admin/login', {
  username: operator.email,
  password: operator.password,
});
const asMember = await signIn('/api/auth/login', member);

const tables = ['members.members', 'ledger.movements', 'withdrawals.withdrawals', 'support.tickets'] as const;

const countOf = async (table: (typeof tables)[number]) => {
  const counts = await site.owner.one<Record<string, bigint>>(sql`
    select (select count(*) from members.members) as "members.members",
      (select count(*) from ledger.movements) as "ledger.movements",
      (select count(*) from withdrawals.withdrawals) as "withdrawals.withdrawals",
      (select count(*) from support.tickets) as "support.tickets"`);
  return Number(counts[table]);
};

describe('the demo world', () => {
  it('is complete after the first start, with books that balance', async () => {
    assert.ok(spentMs < 3_000, `${Math.round(spentMs)} ms`);
    assert.equal(await countOf('members.members'), 14);
    assert.deepEqual(await runChecks(site.owner, siteChecks), []);
  });

  it('has the same accounts on a second node, whose start ends no session', async (t) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'earnest-second-node-'));
    t.after(() => rmSync(dataDir, { recursive: true, force: true }));
    const second = { database: site.database, config: { ...site.config, dataDir } };
    assert.deepEqual(await prepareAccounts(second), accounts);
    for (const as of [asOperator, asMember])
      assert.equal((await site.call('GET', '/api/user', { as })).status, 200);
  });

  it('spans the past three weeks, in order, and restores business time', async () => {
    const { days, hours, disorder, future, offset } = await site.owner.one<Record<string, number>>(sql`
      select extract(day from platform.business_now() - min(posted_at))::integer as days,
        (extract(epoch from platform.business_now() - max(posted_at)) / 3600)::integer as hours,
        (select count(*)::integer from (
          select posted_at < lag(posted_at) over (partition by member_id order by seq) as wrong
          from ledger.movements) m where wrong) as disorder,
        count(*) filter (where posted_at > platform.business_now())::integer as future,
        (select offset_seconds::integer from platform.clock) as offset
      from ledger.movements`);
    assert.deepEqual({ days, disorder, future, offset }, { days: 20, disorder: 0, future: 0, offset: 0 });
    assert.ok(Number(hours) <= 2);
    const backwards = site.owner.rows(sql`update platform.clock set offset_seconds = -1`);
    await assert.rejects(backwards, /clock_offset_seconds_check/);
  });

  it('has withdrawals and earnings for the operator to decide', async () => {
    const read = async (path: string) => (await site.call('GET', path, { as: asOperator })).body;
    const { withdrawals } = await read('/api/admin/withdrawals-data?limit=100');
    const states = withdrawals.map(({ status }: { status: string }) => status);
    for (const [state, leastCount] of [
      ['pending', 4],
      ['approved', 2],
      ['rejected', 2],
    ] as const)
      assert.ok(states.filter((one: string) => one === state).length >= leastCount, state);
    const earnings = await read('/api/admin/approval-stats');
    assert.deepEqual(earnings, {
      pendingCount: 3,
      pendingAmount: '37500',
      approvedCount: 1,
      rejectedCount: 1,
      creditedToday: '0',
      secondPersonFrom: null,
    });
  });

  it('has tickets in both languages and all states, some with a response', async () => {
    const { body } = await site.call('GET', '/api/admin/support/tickets', { as: asOperator });
    const tickets: OperatorTicket[] = body;
    assert.equal(tickets.length, 6);
    const statuses = new Set(tickets.map(({ status }) => status));
    assert.deepEqual([...statuses].sort(), ['closed', 'in_progress', 'open', 'resolved']);
    assert.equal(new Set(tickets.map(({ priority }) => priority)).size, 4);
    assert.equal(tickets.filter(({ adminResponse }) => adminResponse !== null).length, 2);
    assert.equal(tickets.filter(({ subject }) => /\p{Script=Hangul}/u.test(subject)).length, 2);
    const times = tickets.map(({ createdAt }) => Date.parse(createdAt));
    assert.deepEqual(
      times,
      times.toSorted((left, right) => right - left),
      'newest first',
    );
    const [own] = (await site.call('GET', '/api/support/tickets', { as: asMember })).body;
    assert.equal(own.status, 'resolved');
  });

  it('gives the demo member a verified phone, a balance to withdraw and earnings in the last week', async () => {
    const read = async (path: string) => (await site.call('GET', path, { as: asMember })).body;
    assert.equal((await read('/api/user')).phoneVerified, true);
    const { balance } = await read('/api/user/stats');
    assert.ok(Number(balance) >= 5_000 && Number(balance) <= 12_000, balance);
    const chart: { amount: string }[] = await read('/api/user/earnings-chart');
    assert.ok(chart.filter(({ amount }) => amount !== '0').length >= 5, JSON.stringify(chart));
    assert.ok((await read('/api/offerwalls/activity')).length >= 10);
  });

  it('gives the demo member a streak of three days, and referrals of which one has not earned', async () => {
    const read = async (path: string) => (await site.call('GET', path, { as: asMember })).body;
    const { consecutiveDays, claimed, amount } = await read('/api/daily-bonus');
    assert.deepEqual(
      { consecutiveDays, claimed, amount },
      { consecutiveDays: 3, claimed: false, amount: '20' },
    );
    assert.deepEqual(await read('/api/referrals/stats'), {
      totalReferrals: 4,
      totalRewards: '300',
      pendingRewards: '100',
    });
    const states = (await read('/api/referrals')).map(({ status }: { status: string }) => status);
    assert.deepEqual(states, ['pending', 'rewarded', 'rewarded', 'rewarded']);
  });

  it('stays unchanged at another start, which prints the same accounts', async () => {
    const before = await Promise.all(tables.map(countOf));
    assert.deepEqual(await site.sandbox.prepare(site.platform), accounts);
    assert.deepEqual(await Promise.all(tables.map(countOf)), before);
  });
});

describe('the payout rails', () => {
  it('keep their node while it answers, else take a new one, and keep an operator’s credentials', async () => {
    const { config, database } = site;
    const port = async (coin: 'litecoin' | 'dash') =>
      (await readPaymentMethods(site.platform)).find(({ method }) => method === coin)?.credentials.rpcPort;
    const before = await port('litecoin');
    // Another port needs the secrets again.
    const typedIn = { rpcUser: 'typed', rpcPassword: 'typed-in-again' };
    await changePaymentMethod(site.platform, 'dash', { credentials: { ...typedIn, rpcPort: 9998 } });
    const startOther = async (dataDir: string) => {
      const given = { ...config, dataDir, sandboxPort: 0 };
      const log = silentLog();
      const other = await startSandbox({ config: given, database, ownerUrl: site.urls.ownerUrl, log });
      after(other.close);
      await other.prepare(site.platform);
    };
    // The first sandbox still holds its ports, so another one has to take others.
    const otherDir = mkdtempSync(join(tmpdir(), 'earnest-other-'));
    after(() => rmSync(otherDir, { recursive: true, force: true }));
    await startOther(otherDir);
    assert.equal(await port('litecoin'), before);
    // A copy of the folder has the same password, and the node at the stored port may be that of another site.
    await startOther(config.dataDir);
    const copied = await port('litecoin');
    assert.notEqual(copied, before);

    const stranger = createServer((_request, response) => response.writeHead(404).end());
    await new Promise<void>((done) => stranger.listen(0, '127.0.0.1', done));
    after(() => stranger.close());
    const rpcPort = (stranger.address() as AddressInfo).port;
    await changePaymentMethod(site.platform, 'litecoin', { credentials: { ...typedIn, rpcPort } });
    await site.owner.rows(sql`update sandbox.coin_nodes set port = ${rpcPort} where coin = 'litecoin'`);
    await startOther(config.dataDir);
    assert.notEqual(await port('litecoin'), rpcPort);
    assert.equal(await port('dash'), 9998);
    assert.ok(await findRail(site.platform, 'litecoin'));
  });
});
