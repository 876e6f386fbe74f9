import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { readOverview, type Wait } from '#contract/overview.ts';
import { advanceClock } from '#platform/clock.ts';
import { openDatabase, type Sql, sql, sqlText } from '#platform/database.ts';
import { prepareJobs } from '#platform/jobs.ts';
import { offerMethod } from '../test/offered-methods.ts';
import { newTransaction, startPostbacks, values } from '../test/postback-site.ts';
import { silentLog } from '../test/site.ts';
import { afterBusinessDays } from './platform/business-days.ts';

/** What waits for operators, on the first page, over HTTP. */
const { site, send } = await startPostbacks({ after });
await prepareJobs(site.urls.workerUrl, 'earnest_app', silentLog());
const operator = await site.member({ role: 'admin' });
const member = await site.member({ balancePoints: 9_000n, isPhoneVerified: true });
await offerMethod(site.platform, 'litecoin');

const read = async () => {
  const answer = await site.call('GET', '/api/admin/overview', { as: operator });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return readOverview.reply.parse(answer.body);
};
/** Moves business time. The session stays new. */
async function passTime(seconds: bigint): Promise<void> {
  await advanceClock(site.owner, seconds);
  await site.owner.rows(sql`
    update access.sessions set created_at = platform.business_now(), last_seen_at = platform.business_now()`);
}
const shown = (waits: readonly Wait[]) =>
  waits.map(({ kind, count, points, urgency }) => [kind, count, points, urgency]);
const withdrawals = async (status: number, path: string, body: unknown, as = operator) => {
  const answer = await site.call('POST', path, { as, body });
  assert.equal(answer.status, status, JSON.stringify(answer.body));
  return answer.body;
};

describe('what waits for an operator', () => {
  it('is nothing on a new site, and is told to operators only', async () => {
    assert.deepEqual((await read()).waits, []);
    assert.equal((await site.call('GET', '/api/admin/overview')).status, 401);
    assert.equal((await site.call('GET', '/api/admin/overview', { as: member })).status, 403);
  });

  it('is counted with its points in each feature, with the time of the oldest', async () => {
    await withdrawals(
      201,
      '/api/withdrawal',
      {
        amountPoints: '2000',
        method: 'litecoin',
        recipientInfo: { address: 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9' },
      },
      member,
    );
    await send('cpx', values('cpx', member.id, newTransaction(), '12000'));
    await send('cpx', values('cpx', 999_999_999, newTransaction(), '640'));
    await withdrawals(201, '/api/support/tickets', { subject: 'Help', message: 'Where is it?' }, member);
    await site.owner.rows(sql`
      insert into ledger.audits (cause, due_at, started_at, finished_at, finding_count)
      values ('night', platform.business_now(), platform.business_now(), platform.business_now(), 3)`);
    const { at, waits } = await read();
    assert.deepEqual(shown(waits), [
      ['auditFindings', 3, null, 'late'],
      ['withdrawals', 1, '2000', 'inTime'],
      ['approvals', 1, '12000', 'inTime'],
      ['quarantine', 1, '640', 'inTime'],
      ['tickets', 1, null, 'inTime'],
    ]);
    for (const { kind, oldestAt } of waits)
      assert.ok(oldestAt !== null && Date.parse(at) - Date.parse(oldestAt) < 60_000, kind);
  });

  it('is late when the promised time is over, which counts business days for withdrawals and tickets', async () => {
    const { waits } = await read();
    const waitOf = (kind: Wait['kind']) => {
      const wait = waits.find((one) => one.kind === kind);
      assert.ok(wait?.oldestAt, kind);
      return { since: new Date(wait.oldestAt), dueAt: wait.dueAt };
    };
    const afterWorkdays = (from: Date, days: number) =>
      afterBusinessDays(from, days, site.config.siteTimezone).toISOString();
    const approval = waitOf('approvals');
    assert.equal(Date.parse(approval.dueAt ?? '') - approval.since.getTime(), 72 * 3_600_000);
    assert.equal(waitOf('quarantine').dueAt, null);
    assert.equal(waitOf('withdrawals').dueAt, afterWorkdays(waitOf('withdrawals').since, 3));
    assert.equal(waitOf('tickets').dueAt, afterWorkdays(waitOf('tickets').since, 2));
    await passTime(60n * 3600n);
    const approvals = async () => (await read()).waits.find(({ kind }) => kind === 'approvals')?.urgency;
    assert.equal(await approvals(), 'soon');
    await passTime(13n * 3600n);
    assert.equal(await approvals(), 'late');
    await passTime(10n * 24n * 3600n);
    const urgencies = new Map((await read()).waits.map(({ kind, urgency }) => [kind, urgency]));
    assert.deepEqual(Object.fromEntries(urgencies), {
      auditFindings: 'late',
      withdrawals: 'late',
      approvals: 'late',
      tickets: 'late',
      quarantine: 'inTime',
    });
  });

  it('has parked payouts and failed jobs, which are urgent without a promise', async () => {
    const { id } = await site.owner.one<{ id: string }>(sql`select id from withdrawals.withdrawals limit 1`);
    await site.owner.rows(sql`
      insert into withdrawals.payouts (withdrawal_id, method, destination, amount_units, state, due_at, queued_at)
      values (${id}, 'litecoin', 'ltc1q', 1, 'parked', now(), platform.business_now() - interval '3 hours')`);
    await asWorker(sql`
      select graphile_worker.add_job('mail.send', '{}'::json, max_attempts => 1)`);
    await asWorker(sqlText(`update graphile_worker._private_jobs set attempts = 1`));
    const { at, waits } = await read();
    const soon = waits.filter(({ urgency }) => urgency === 'soon');
    assert.deepEqual(shown(soon), [
      ['parkedPayouts', 1, '2000', 'soon'],
      ['failedJobs', 1, null, 'soon'],
    ]);
    const ages = soon.map(({ oldestAt }) =>
      Math.round((Date.parse(at) - Date.parse(oldestAt ?? '')) / 3_600_000),
    );
    assert.deepEqual(ages, [3, 0]);
  });
});

/** Runs a statement as the owner of the job tables. */
async function asWorker(statement: Sql): Promise<void> {
  const worker = openDatabase({ url: site.urls.workerUrl, connectionsMax: 1 });
  await worker.rows(statement);
  await worker.close();
}
