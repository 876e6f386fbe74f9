import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '#platform/database.ts';
import { prepareJobs } from '#platform/jobs.ts';
import { changeSettings } from '#platform/settings-change.ts';
import { runAdmin } from '../test/admin-command.ts';
import { randomRegtestAddress } from '../test/litecoind.ts';
import { newTransaction } from '../test/postback-site.ts';
import { startSandboxCoinNode } from '../test/sandbox-coin-node.ts';
import { type Person, silentLog, testSite } from '../test/site.ts';
import { siteChecks } from './books.ts';
import { runChecks } from './ledger/ledger.ts';
import { changePaymentMethod } from './withdrawals/payment-methods.ts';

/**
 * What one operator alone can move, through each door that books points because an operator says so. The command line
 * counts as one person. Its `revoke` has no bound, and takes points only.
 */
const site = await testSite({ after }, { LITECOIN_NETWORK: 'regtest', RPC_ALLOWED_HOSTS: '127.0.0.1' });
await prepareJobs(site.urls.workerUrl, 'earnest_app', silentLog());
const coin = await startSandboxCoinNode({ after });
const founder = await site.member({ role: 'admin' });

type Change = Parameters<typeof changeSettings>[2];
const set = async (change: Change) => {
  await changeSettings(site.database, 'sandbox', change);
  site.platform.settings.forget();
  await site.platform.settings.read();
};
const post = (path: string, as: Person, body?: object) =>
  site.call('POST', `/api/admin/${path}`, { as, body });
const configure = (secret: string, as = founder) =>
  site.call('PUT', '/api/admin/providers/cpx', {
    as,
    body: { isEnabled: true, apiKey: 'app', secret, settings: { sourceAddresses: [], formerSecretHours: 0 } },
  });
const SECRET = 'the secret of cpx';

/** Sends a credit, which is refused unless it is signed with the provider's secret. Returns its transaction. */
async function send(memberRef: string | number, points: number, secret = SECRET): Promise<string> {
  const transaction = newTransaction();
  const hash = createHash('md5').update(`${transaction}-${secret}`).digest('hex');
  const query = `status=1&trans_id=${transaction}&user_id=${memberRef}&amount_local=${points}&secure_hash=${hash}`;
  await site.call('GET', `/api/webhooks/postback/cpx?${query}`);
  return transaction;
}
/** The id of the first row of an operators' list. */
const firstOf = async (list: string, search: string | number): Promise<string> => {
  const { body } = await site.call('GET', `/api/admin/${list}?q=${search}`, { as: founder });
  assert.ok(body[0], `${list} ${search}`);
  return body[0].id;
};
const balanceOf = async ({ id }: Person): Promise<bigint> =>
  (await site.owner.one<{ balance: bigint }>(sql`select balance from ledger.wallets where member_id = ${id}`))
    .balance;
const admin = (...words: string[]) =>
  runAdmin(
    { DATA_DIR: site.config.dataDir, DATABASE_URL: site.urls.appUrl, DATABASE_OWNER_URL: site.urls.ownerUrl },
    ...words,
  );

/** A call that was refused for its signature, and fits the secret of now. */
async function refusedCall(memberRef: number, points: number, secret = SECRET): Promise<string> {
  await configure('another one');
  const transaction = await send(memberRef, points, secret);
  await configure(SECRET);
  return firstOf('postbacks', transaction);
}
async function replay(id: string, as: Person) {
  const seen = (await post(`postbacks/${id}/replay?dryRun=true`, as, {})).body;
  assert.ok(seen.isBookable, JSON.stringify(seen));
  const { verdict, memberId, amount } = seen;
  return post(`postbacks/${id}/replay`, as, { reason: 'Seen', verdict, memberId, amount });
}
/** A credit below 10,000 points that waits, because its call came from an address that is not the provider's. */
async function heldCredit({ id }: Person, points: number): Promise<string> {
  const policy = (sourceAddresses: string[], sourcePolicy: string) =>
    site.call('PUT', '/api/admin/providers/cpx', {
      as: founder,
      body: { settings: { sourceAddresses, sourcePolicy } },
    });
  await policy(['203.0.113.9'], 'hold');
  await send(id, points);
  await policy([], 'record');
  return firstOf('pending-earnings', id);
}
const quarantinedCall = async (points: number) => firstOf('quarantine', await send('nobody', points));
const bookOf = (member: Person) => ({ action: 'book', note: 'Seen', memberId: String(member.id) });
/** A pending request of all points of a member. */
async function request(as: Person, points: number): Promise<string> {
  const recipientInfo = { address: randomRegtestAddress() };
  const body = { amountPoints: String(points), method: 'litecoin', recipientInfo };
  const answer = await site.call('POST', '/api/withdrawal', { as, body });
  assert.equal(answer.status, 201, JSON.stringify(answer.body));
  return answer.body.id;
}
const withPoints = (balancePoints: bigint) => site.member({ balancePoints, isPhoneVerified: true });

/** Moves points by one door, twice if the first call may be one of two, and returns what it moved. */
type Door = (as: Person, points: number) => Promise<bigint>;
const twice = async (act: () => Promise<unknown>): Promise<void> => {
  await act();
  await act();
};
const gained =
  (act: (as: Person, member: Person, points: number) => Promise<unknown>): Door =>
  async (as, points) => {
    const member = await site.member();
    await act(as, member, points);
    return balanceOf(member);
  };
const taken =
  (path: string, more: object): Door =>
  async (as, points) => {
    const member = await site.member({ balancePoints: 50_000n });
    await post(path, as, { userId: String(member.id), amount: points, reason: 'A test', ...more });
    return 50_000n - (await balanceOf(member));
  };
const approved =
  (act: (as: Person, id: string) => Promise<unknown>): Door =>
  async (as, points) => {
    const id = await request(await withPoints(BigInt(points)), points);
    await act(as, id);
    const { body } = await site.call('GET', `/api/admin/withdrawals/${id}`, { as: founder });
    return body.status === 'approved' ? BigInt(points) : 0n;
  };
let commands = 0;
const doors: Record<string, Door> = {
  'a replay': gained(async (as, { id }, points) => {
    await replay(await refusedCall(id, points), as);
    const { body } = await site.call('GET', `/api/admin/pending-earnings?q=${id}`, { as });
    if (body[0]) await twice(() => post(`pending-earnings/${body[0].id}/approve`, as));
  }),
  'a held credit': gained(async (as, member, points) => {
    const id = await heldCredit(member, points);
    await twice(() => post(`pending-earnings/${id}/approve`, as));
  }),
  'a call in quarantine': gained(async (as, member, points) => {
    const id = await quarantinedCall(points);
    await twice(() => post(`quarantine/${id}/resolve`, as, bookOf(member)));
  }),
  'a grant': gained(async (as, { id }, points) => {
    const given = await post('give-points', as, { userId: String(id), amount: points, reason: 'A test' });
    await post(`manual-rewards/${given.body.id}/confirm`, as);
  }),
  'a chargeback': taken('chargebacks/manual', {}),
  'a test chargeback': taken('test-chargeback', { provider: 'cpx' }),
  'a withdrawal': approved((as, id) => twice(() => post(`withdrawals/${id}/approve`, as))),
  'many withdrawals': approved((as, id) => {
    const body = { ids: [id], withFlagged: true };
    return twice(() => post('withdrawals/approve-all', as, body));
  }),
  'a grant of the command line': gained((_as, { id }, points) =>
    admin('grant', String(id), String(points), 'A test'),
  ),
  'a credit of the command line': gained(async (_as, member, points) => {
    commands += 1;
    if (commands % 2 === 0) return admin('held', 'approve', await heldCredit(member, points));
    const id = await quarantinedCall(points);
    return admin('quarantine', 'book', id, 'Seen', '--member', String(member.id));
  }),
  'a withdrawal of the command line': approved((_as, id) => admin('approve', id)),
};

before(async () => {
  await configure(SECRET);
  const { host: rpcHost, port: rpcPort, user: rpcUser, password: rpcPassword } = coin.access;
  const credentials = { rpcHost, rpcPort, rpcUser, rpcPassword };
  await changePaymentMethod(site.platform, 'litecoin', { isEnabled: true, credentials });
});

describe('one operator alone', () => {
  before(() => set({ caps: { secondPersonFrom: '10000', memberDay: null, methodDay: null } }));

  for (const [name, door] of Object.entries(doors))
    it(`moves less than the sum for two people in a day by ${name}`, async () => {
      const operator = await site.member({ role: 'admin' });
      const moved: bigint[] = [];
      for (const points of [6_000, 4_000, 3_999]) moved.push(await door(operator, points));
      assert.deepEqual(moved, [6_000n, 0n, 3_999n]);
    });

  it('gets nothing by replays of calls that were signed with a secret that the operator invents and sets', async () => {
    const [kim, lee] = [await site.member({ role: 'admin' }), await site.member({ role: 'admin' })];
    const member = await site.member();
    const calls: string[] = [];
    for (let count = 0; count < 4; count += 1)
      calls.push(await firstOf('postbacks', await send(member.id, 9_999, 'invented')));
    await configure('invented', kim);
    for (const id of calls) assert.equal((await replay(id, kim)).body.verdict, 'held');
    const { body } = await site.call('GET', `/api/admin/pending-earnings?q=${member.id}`, { as: kim });
    assert.deepEqual(
      body.map(({ holdReason }: { holdReason: string }) => holdReason),
      Array<string>(4).fill('replay'),
    );
    const approve = (as: Person) => post(`pending-earnings/${body[0].id}/approve`, as);
    await twice(() => approve(kim));
    assert.equal(await balanceOf(member), 0n);
    assert.equal((await approve(lee)).status, 200);
    assert.equal(await balanceOf(member), 9_999n);
    await configure(SECRET);
  });

  it('is bounded together with concurrent replays', async () => {
    const kim = await site.member({ role: 'admin' });
    const members = await Promise.all([0, 1, 2, 3].map(() => site.member()));
    const calls: string[] = [];
    for (const { id } of members) calls.push(await refusedCall(id, 4_000));
    await Promise.all(calls.map((id) => replay(id, kim)));
    const balances = await Promise.all(members.map(balanceOf));
    assert.deepEqual(
      balances.filter((points) => points > 0n),
      [4_000n, 4_000n],
    );
  });

  it('is bounded together with concurrent approvals of withdrawals', async () => {
    const kim = await site.member({ role: 'admin' });
    const ids: string[] = [];
    for (let count = 0; count < 4; count += 1) ids.push(await request(await withPoints(4_000n), 4_000));
    const answers = await Promise.all(ids.map((id) => post(`withdrawals/${id}/approve`, kim)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 409, 409]);
  });

  describe('beyond the ceiling of a provider', () => {
    const ceiling = async (providerCeilingTimes: number | null, paidPoints: number) => {
      await set({ providerCeilingTimes });
      await site.owner.rows(sql`
        insert into earning.paid_sums (provider, period, starts_at, points)
        select 'cpx', period, starts_at, ${paidPoints} from earning.current_periods
        on conflict (provider, period, starts_at) do update set points = excluded.points`);
      // The node reads the sums once a second.
      await sleep(1_300);
    };
    before(() => ceiling(10, 995_000));
    after(() => ceiling(null, 0));

    const atOnce: Record<string, (operator: Person, member: Person) => Promise<unknown>> = {
      'a live call': (_operator, { id }) => send(id, 6_000),
      'a replay': async (operator, { id }) => replay(await refusedCall(id, 6_000), operator),
      'a call in quarantine': async (operator, member) =>
        post(`quarantine/${await quarantinedCall(6_000)}/resolve`, operator, bookOf(member)),
      'a call in quarantine, by the command line': async (_operator, { id }) =>
        admin('quarantine', 'book', await quarantinedCall(6_000), 'Seen', '--member', String(id)),
    };
    for (const [name, door] of Object.entries(atOnce))
      it(`credits nothing at once, and leaves a held credit by ${name}`, async () => {
        const [operator, member] = [await site.member({ role: 'admin' }), await site.member()];
        await door(operator, member);
        assert.equal(await balanceOf(member), 0n);
        const { body } = await site.call('GET', `/api/admin/pending-earnings?q=${member.id}`, {
          as: founder,
        });
        assert.deepEqual([body[0].amount, body[0].holdReason], ['6000', 'ceiling']);
        const stats = await site.call('GET', '/api/admin/approval-stats', { as: operator });
        assert.equal(stats.body.creditedToday, '0');
      });
  });
});

describe('an operator’s second account, with the same mailbox', () => {
  const accounts = async () => {
    const operator = await site.member({ role: 'admin' });
    const own = await withPoints(2_000n);
    await site.owner.rows(sql`
      update members.members m set email_canonical = o.email_canonical from members.members o
      where o.id = ${operator.id} and m.id = ${own.id}`);
    return { operator, own };
  };
  type Refused = (operator: Person, own: Person) => ReturnType<typeof post>;
  const about = ({ id }: Person) => ({ userId: String(id), amount: 100, reason: 'A test' });
  const own: Record<string, Refused> = {
    'gets no grant': (as, to) => post('give-points', as, about(to)),
    'gets no grant of another operator confirmed': async (as, to) => {
      const given = await post('give-points', founder, { ...about(to), amount: 20_000 });
      return post(`manual-rewards/${given.body.id}/confirm`, as);
    },
    'gets no held credit approved': async (as, to) =>
      post(`pending-earnings/${await heldCredit(to, 100)}/approve`, as),
    'gets no held credit rejected': async (as, to) =>
      post(`pending-earnings/${await heldCredit(to, 100)}/reject`, as, { reviewNote: 'A test' }),
    'gets no call of the quarantine': async (as, to) =>
      post(`quarantine/${await quarantinedCall(100)}/resolve`, as, bookOf(to)),
    'gets no replay': async (as, to) => replay(await refusedCall(to.id, 100), as),
    'gets no chargeback': (as, to) => post('chargebacks/manual', as, about(to)),
    'gets no test chargeback': (as, to) => post('test-chargeback', as, { ...about(to), provider: 'cpx' }),
    'gets no withdrawal approved': async (as, to) =>
      post(`withdrawals/${await request(to, 1_000)}/approve`, as),
    'gets no withdrawal rejected': async (as, to) =>
      post(`withdrawals/${await request(to, 1_000)}/reject`, as, { reason: 'A test' }),
    'gets no suspension lifted': async (as, { id }) => {
      const body = {
        userId: String(id),
        suspensionType: 'earnings_blocked',
        reason: 'A test',
        severity: 'warning',
      };
      const suspension = (await post('suspend-user', founder, body)).body;
      return post(`lift-suspension/${suspension.id}`, as, { liftReason: 'A test' });
    },
  };
  for (const [what, act] of Object.entries(own))
    it(what, async () => {
      const { operator, own: to } = await accounts();
      const answer = await act(operator, to);
      assert.deepEqual(
        [answer.status, answer.problem.code],
        [409, 'own-request'],
        JSON.stringify(answer.body),
      );
    });

  it('stays out of an act on many requests, and is flagged as one’s own', async () => {
    const { operator, own: to } = await accounts();
    const id = await request(to, 1_000);
    const { body } = await post('withdrawals/approve-all', operator, { ids: [id], withFlagged: true });
    assert.deepEqual([body.processed, body.stayingIds], [0, [id]]);
    const list = await site.call('GET', '/api/admin/withdrawals-data?status=pending&flag=own-account', {
      as: operator,
    });
    assert.deepEqual(
      list.body.withdrawals.map((row: { id: string }) => row.id),
      [id],
    );
  });

  it('gives no second approval to what the first account approved', async () => {
    const { operator, own: other } = await accounts();
    await site.owner.rows(sql`update members.members set role = 'admin' where id = ${other.id}`);
    const credit = await heldCredit(await site.member(), 9_999);
    await post('give-points', operator, about(await site.member()));
    const first = await heldCredit(await site.member(), 9_999);
    assert.equal((await post(`pending-earnings/${credit}/approve`, operator)).status, 200);
    assert.equal((await post(`pending-earnings/${first}/approve`, operator)).problem.isRecorded, true);
    assert.equal((await post(`pending-earnings/${first}/approve`, other)).problem.isRecorded, false);
    const id = await request(await withPoints(20_000n), 20_000);
    assert.equal((await post(`withdrawals/${id}/approve`, operator)).problem.isRecorded, true);
    assert.equal((await post(`withdrawals/${id}/approve`, other)).problem.isRecorded, false);
  });
});

it('leaves the books in order', async () => {
  assert.deepEqual(await runChecks(site.owner, siteChecks), []);
});
