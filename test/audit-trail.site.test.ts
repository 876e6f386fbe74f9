import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { acts } from '#contract/acts.ts';
import { openDatabase, sql } from '#platform/database.ts';
import { prepareJobs } from '#platform/jobs.ts';
import { MASKED } from '#platform/secrets.ts';
import { changeSettings } from '#platform/settings-change.ts';
import { addKnownProviders } from '../server/earning/provider-settings.ts';
import { findRail } from '../server/withdrawals/payment-methods.ts';
import { findPayout } from '../server/withdrawals/queries.ts';
import { verifyTimeline } from '../server/withdrawals/timelines.ts';
import {
  actsElsewhere,
  bookCases,
  bulkCases,
  type Case,
  callCases,
  catalogueCases,
  detectionCases,
  fieldsWithoutWords,
  kindsOfMembers,
  registrationCases,
  sanctionCases,
  settingsCases,
  viewCases,
  walletCases,
} from './audit-trail-cases.ts';
import { tellingCases } from './audit-trail-cases-telling.ts';
import { type Person, silentLog, testSite } from './site.ts';

/**
 * Every operator’s endpoint that changes something names its act. It leaves exactly one row in the audit trail for each
 * thing that it changed. An endpoint without a case here fails the first test.
 */
const site = await testSite({ after });
await prepareJobs(site.urls.workerUrl, 'earnest_app', silentLog());
// As at a start: without a marker the first payment would ask for a reconciliation, which nothing here does.
await verifyTimeline(site.platform);
await site.sandbox.prepare(site.platform);
await addKnownProviders(site.platform);
const operator = await site.member({ role: 'admin' });

type Recorded = {
  actor: string | null;
  operatorId: string | null;
  action: string;
  target: string;
  targetKind: string | null;
  memberId: string | null;
  reason: string | null;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
};
/** A call that changes the things `targets`. `again` is the status of the same call a second time. */
const call = (method: string, path: string, body?: unknown, as: Person = operator) =>
  site.call(method, path, body === undefined ? { as } : { as, body });

async function pendingWithdrawal(): Promise<string> {
  const member = await site.member({ balancePoints: 5_000n, isPhoneVerified: true });
  const recipientInfo = { address: 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9' };
  const asked = await call(
    'POST',
    '/api/withdrawal',
    { amountPoints: '1000', method: 'litecoin', recipientInfo },
    member,
  );
  assert.equal(asked.status, 201);
  return asked.body.id;
}

const memberId = async () => String((await site.member()).id);
let transactionCount = 0;
async function heldEarning(): Promise<string> {
  const member = await site.member();
  transactionCount += 1;
  const transaction = `audit-${transactionCount}`;
  await call('PUT', '/api/admin/providers/cpx', { isEnabled: true, apiKey: 'app', secret: 'cpx secret' });
  const hash = createHash('md5').update(`${transaction}-cpx secret`).digest('hex');
  const credit = `status=1&trans_id=${transaction}&user_id=${member.id}&amount_local=20000&amount_usd=20`;
  const rest = `offer_id=1&type=complete&secure_hash=${hash}`;
  assert.equal((await site.call('GET', `/api/webhooks/postback/cpx?${credit}&${rest}`)).body, '1');
  const held = await call('GET', `/api/admin/pending-earnings?q=${member.id}`);
  return held.body[0].id;
}

async function openTicket(): Promise<string> {
  const body = { subject: 'A question', message: 'Where are my points?' };
  return (await call('POST', '/api/support/tickets', body, await site.member())).body.id;
}

async function pendingCase(verb: string, body?: unknown): Promise<Case> {
  const id = await pendingWithdrawal();
  return { path: `/api/admin/withdrawals/${id}/${verb}`, body, targets: [id], again: 409 };
}

/** Two pending withdrawals, after the other cases' are rejected. */
const allPending = async (path: string, body?: unknown): Promise<Case> => {
  await call('POST', '/api/admin/withdrawals/reject-all', { reason: 'Made by another case' });
  const targets = [await pendingWithdrawal(), await pendingWithdrawal()];
  return { path, body, targets, again: 200, atOnce: 429 };
};

async function heldCase(verb: string): Promise<Case> {
  const id = await heldEarning();
  const path = `/api/admin/pending-earnings/${id}/${verb}`;
  return { path, body: { reviewNote: 'Seen' }, targets: [id], again: 409 };
}

async function ticketCase(path: (id: string) => string, body: unknown, again?: number): Promise<Case> {
  const id = await openTicket();
  return { path: path(id), body, targets: [id], ...(again === undefined ? {} : { again }) };
}

async function payoutCase(verb: string): Promise<Case> {
  const id = await pendingWithdrawal();
  await call('POST', `/api/admin/withdrawals/${id}/approve`);
  return { path: `/api/admin/payouts/${id}/${verb}`, body: { reason: 'Looked at it' }, targets: [id] };
}

/** A payout that was paid by hand. */
async function settleCase(): Promise<Case> {
  const settling = await payoutCase('settle');
  const rail = await findRail(site.platform, 'litecoin');
  const payout = await findPayout(site.platform.database, settling.targets[0] ?? '');
  assert(rail && payout);
  const byHand = await rail.prepare(payout, [], []);
  assert(byHand.kind === 'prepared');
  await rail.send(byHand.artifact);
  return { ...settling, body: { reason: 'Paid by hand', txId: byHand.reference } };
}

/** A grant that waits, by another operator. */
async function grantCase(verb: string, body?: unknown): Promise<Case> {
  await call('PUT', '/api/admin/site', { caps: { secondPersonFrom: '10' } });
  const member = await site.member();
  const given = { userId: String(member.id), amount: 10, reason: 'Prize' };
  const { id } = (await call('POST', '/api/admin/give-points', given, await site.member({ role: 'admin' })))
    .body;
  await changeSettings(site.database, 'sandbox', { caps: { secondPersonFrom: null } });
  return {
    path: `/api/admin/manual-rewards/${id}/${verb}`,
    body,
    targets: [String(member.id)],
    again: 409,
  };
}

const testCase = async (kind: string, target: string): Promise<Case> => ({
  path: `/api/admin/${kind}/${target}/test`,
  targets: [target],
});

const changeCase = async (path: string, body: unknown, target: string): Promise<Case> => ({
  path: `/api/admin/${path}`,
  body,
  targets: [target],
  again: 200,
});

const cases: Record<string, () => Promise<Case>> = {
  ...sanctionCases({ call, memberId }),
  ...settingsCases(site),
  ...registrationCases(site),
  ...bookCases(site),
  ...bulkCases({ call, pendingWithdrawal }),
  ...detectionCases(site, memberId),
  ...catalogueCases({ call }),
  ...viewCases({ call }),
  ...tellingCases({ call, memberId, owner: site.owner }),
  'POST /api/admin/give-points': async () => {
    const id = String((await site.member()).id);
    const body = { userId: id, amount: 5, reason: 'Prize' };
    return { path: '/api/admin/give-points', body, targets: [id] };
  },
  'POST /api/admin/manual-rewards/:id/confirm': () => grantCase('confirm'),
  'POST /api/admin/manual-rewards/:id/decline': () => grantCase('decline', { reason: 'Not agreed' }),
  'POST /api/admin/withdrawals/:id/approve': () => pendingCase('approve'),
  'POST /api/admin/withdrawals/:id/clear': async () => {
    const clearing = await pendingCase('clear', { reason: 'A prize' });
    await site.owner.rows(sql`
      insert into withdrawals.request_checks (withdrawal_id, possible_references, reason, found_at)
      values (${clearing.targets[0]}, '{listed}', 'It may be paid already.', platform.business_now())`);
    return clearing;
  },
  'POST /api/admin/withdrawals/:id/reject': () => pendingCase('reject', { reason: 'Wrong address' }),
  'POST /api/admin/withdrawals/approve-all': () => allPending('/api/admin/withdrawals/approve-all'),
  'POST /api/admin/withdrawals/reject-all': () =>
    allPending('/api/admin/withdrawals/reject-all', { reason: 'Wrong address' }),
  'POST /api/admin/withdrawals/:id/sync': async () => {
    const id = await pendingWithdrawal();
    await call('POST', `/api/admin/withdrawals/${id}/approve`);
    return { path: `/api/admin/withdrawals/${id}/sync`, targets: [id] };
  },
  'POST /api/admin/payouts/:id/retry': () => payoutCase('retry'),
  'POST /api/admin/payouts/:id/fail': async () => ({ ...(await payoutCase('fail')), again: 409 }),
  'POST /api/admin/payouts/:id/settle': settleCase,
  'PUT /api/admin/payment-methods/:method': () =>
    changeCase('payment-methods/dash', { settings: { minimumAmount: 2_000 } }, 'dash'),
  'POST /api/admin/payment-methods/:method/test': () => testCase('payment-methods', 'dash'),
  ...walletCases,
  'POST /api/admin/rates/:currency/confirm': async () => {
    await site.owner.rows(sql`
      update withdrawals.rates set waiting_usd = 70, waiting_sources = '[]', waiting_priced_at = now()
      where currency = 'litecoin'`);
    const body = { reason: 'The market says so' };
    return { path: '/api/admin/rates/litecoin/confirm', body, targets: ['litecoin'], again: 409 };
  },
  'DELETE /api/admin/users/:id': async () => {
    const { id } = await site.member();
    return { path: `/api/admin/users/${id}`, targets: [String(id)], again: 409 };
  },
  'PUT /api/admin/site': () => changeCase('site', { processingTime: '2–4 business days' }, 'site'),
  'PUT /api/admin/providers/:id': () => changeCase('providers/adgem', { name: 'AdGem of today' }, 'adgem'),
  'POST /api/admin/providers/:id/test': () => testCase('providers', 'adgem'),
  ...callCases({ call, memberId, receive: (path) => site.call('GET', path) }),
  'POST /api/admin/pending-earnings/:id/approve': () => heldCase('approve'),
  'POST /api/admin/pending-earnings/:id/reject': () => heldCase('reject'),
  'POST /api/admin/seed-tasks': async () => {
    await site.owner.rows(sql`delete from earning.catalogue`);
    return { path: '/api/admin/seed-tasks', targets: ['catalogue'], again: 200 };
  },
  'POST /api/admin/jobs/:id/retry': async () => {
    const worker = openDatabase({ url: site.urls.workerUrl, connectionsMax: 1 });
    const { id } = await worker.one<{ id: bigint }>(sql`
      select id from graphile_worker.add_job('test.fails', '{}'::json)`);
    await worker.rows(sql`update graphile_worker._private_jobs set attempts = max_attempts where id = ${id}`);
    await worker.close();
    return { path: `/api/admin/jobs/${id}/retry`, targets: [String(id)], again: 409 };
  },
  'POST /api/admin/failed-mails/:id/retry': async () => {
    const { id } = await site.member();
    await site.owner.rows(sql`select notices.add(${id}, 'security', '{"change": "password"}'::jsonb)`);
    await site.owner.rows(
      sql`update notices.notices set mail_trouble = 'Refused', mail_due_at = null where member_id = ${id}`,
    );
    return { path: `/api/admin/failed-mails/${id}.1/retry`, targets: [`${id}.1`], again: 409 };
  },
  'POST /api/admin/support/tickets/:id/respond': () =>
    ticketCase((id) => `/api/admin/support/tickets/${id}/respond`, {
      response: 'Here they are.',
      status: 'resolved',
    }),
  'POST /api/admin/support-tickets/:id/respond': () =>
    ticketCase((id) => `/api/admin/support-tickets/${id}/respond`, { response: 'Here they are.' }),
  'PATCH /api/admin/support/tickets/:id/status': () =>
    ticketCase((id) => `/api/admin/support/tickets/${id}/status`, { status: 'closed' }, 200),
  'PATCH /api/admin/support-tickets/:id/status': () =>
    ticketCase((id) => `/api/admin/support-tickets/${id}/status`, { status: 'closed' }, 200),
};

async function trail(query = 'limit=100'): Promise<Recorded[]> {
  const { status, body } = await call('GET', `/api/admin/audit?${query}`);
  assert.equal(status, 200);
  return body.data;
}

/** The acts that `work` leaves, oldest first. */
async function actsOf(work: () => Promise<unknown>): Promise<Recorded[]> {
  const [last] = await site.owner.rows<{ id: bigint }>(sql`select max(id) as id from platform.acts`);
  await work();
  return site.owner.rows<Recorded>(sql`
    select actor, operator_id::text as "operatorId", act as action, target, target_kind as "targetKind",
      member_id::text as "memberId", reason, before, after from platform.acts
    where id > ${last?.id ?? 0n} order by id`);
}

const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;
const changing = site.platform.endpoints.filter(
  ({ method, access }) => access === 'operator' && method !== 'GET',
);

describe('acts of operators', () => {
  it('have no name that nothing leaves', () => {
    const declared = site.platform.endpoints.flatMap(({ act }) => (act === undefined ? [] : [act]));
    assert.deepEqual([...new Set([...declared, ...actsElsewhere])].sort(), [...acts].sort());
  });

  it('are declared by operators’ endpoints only', () =>
    assert.deepEqual(
      site.platform.endpoints.filter(
        ({ act, access, method }) => act !== undefined && (access !== 'operator' || method === 'GET'),
      ),
      [],
    ));

  it('are named by every endpoint that changes something, and have a case here', () => {
    assert.deepEqual(
      changing.filter(({ act }) => act === undefined),
      [],
    );
    assert.deepEqual(Object.keys(cases).sort(), changing.map(nameOf).sort());
  });

  for (const { method, path, act } of changing)
    it(`leave one row for each changed thing: ${method} ${path}`, async () => {
      const {
        path: url,
        body,
        targets,
        foundTargets,
        again,
        atOnce = again,
      } = await (cases[nameOf({ method, path })] as () => Promise<Case>)();
      const recorded = await actsOf(async () => {
        // An operator who presses twice does it once.
        const once = () => call(method, url, body);
        const answers = await Promise.all(again === undefined ? [once()] : [once(), once()]);
        const statuses = answers.map(({ status }) => status);
        const what = JSON.stringify(answers.map((answer) => answer.body));
        assert.ok(
          statuses.some((status) => status < 300),
          what,
        );
        assert.ok(
          statuses.every((status) => status < 300 || status === again || status === atOnce),
          what,
        );
      });
      const expected = foundTargets === undefined ? targets : await foundTargets();
      assert.deepEqual(recorded.map(({ target }) => target).sort(), [...expected].sort());
      for (const row of recorded) {
        assert.deepEqual([row.actor, row.operatorId, row.action], ['operator', String(operator.id), act]);
        assert.equal(
          row.memberId !== null,
          kindsOfMembers.includes(row.targetKind ?? ''),
          row.targetKind ?? '',
        );
        assert.deepEqual(fieldsWithoutWords(row), []);
      }
      if (again === undefined) return;
      const repeated = await actsOf(async () => assert.equal((await call(method, url, body)).status, again));
      assert.deepEqual(repeated, []);
    });

  for (const { method, path, act } of changing.filter(({ idempotent }) => idempotent))
    it(`leave one row for all calls under one key: ${method} ${path}`, async () => {
      const { path: url, body } = await (cases[nameOf({ method, path })] as () => Promise<Case>)();
      const headers = { 'idempotency-key': crypto.randomUUID() };
      const recorded = await actsOf(async () => {
        const keyed = () => site.call(method, url, { as: operator, body, headers });
        const [first, second] = [await keyed(), await keyed()];
        assert.ok(first.status < 300, JSON.stringify(first.body));
        assert.deepEqual(second.body, first.body);
      });
      assert.deepEqual(
        recorded.map(({ action }) => action),
        [act],
      );
    });

  it('§2-6 operators and others: leave no row if a member or a visitor makes the call, at every endpoint', async () => {
    const member = await site.member();
    const recorded = await actsOf(async () => {
      for (const { method, path } of changing) {
        const url = path.replaceAll(/:\w+/g, '1');
        assert.equal((await call(method, url, {}, member)).status, 403, path);
        assert.equal((await site.call(method, url, { body: {} })).status, 401, path);
      }
    });
    assert.deepEqual(recorded, []);
  });

  it('leave no row if a call is refused', async () => {
    const id = await pendingWithdrawal();
    const url = `/api/admin/withdrawals/${id}/reject`;
    const recorded = await actsOf(async () => {
      assert.equal((await call('POST', url, { reason: ' ' })).status, 400);
    });
    assert.deepEqual(recorded, []);
  });

  it('have the fields that changed, without secrets', async () => {
    const rpcPassword = 'a canary password';
    const credentials = { rpcUser: 'new user', rpcPassword };
    const [method] = await actsOf(() =>
      call('PUT', '/api/admin/payment-methods/dash', { credentials, settings: { processingFee: 7 } }),
    );
    assert.equal(method?.before?.processingFee, 0);
    assert.equal(method?.after?.processingFee, 7);
    assert.deepEqual(method?.after?.newCredentials, ['rpcUser', 'rpcPassword']);
    const pathToken = 'a-canary-token-of-the-url';
    const secret = 'a canary secret';
    const [provider] = await actsOf(() =>
      call('PUT', '/api/admin/providers/adgem', { secret, apiKey: 'shown', settings: { pathToken } }),
    );
    assert.equal(provider?.after?.apiKey, 'shown');
    assert.equal(provider?.after?.pathToken, MASKED);
    assert.equal(provider?.after?.newSecret, true);
    assert.ok(!/canary/.test(JSON.stringify(await trail())));
  });

  it('can’t be changed or deleted by the application', async () => {
    for (const statement of [sql`update platform.acts set reason = 'x'`, sql`delete from platform.acts`])
      await assert.rejects(site.database.rows(statement), { code: '42501' });
  });
});
