import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { readFailedMails, readJobs, readSystem } from '#contract/system.ts';
import { openDatabase, type Sql, sql } from '#platform/database.ts';
import { migrationNames } from '#platform/database-migrations.ts';
import { enqueue, prepareJobs } from '#platform/jobs.ts';
import { takeLease } from '#platform/leases.ts';
import { readJobCounts } from '#platform/listed-jobs.ts';
import { forgetNode, noteNode } from '#platform/nodes.ts';
import { thisRelease } from '#platform/release.ts';
import { silentLog, testSite } from '../test/site.ts';

/** How the site runs, and what failed, over HTTP. No worker of jobs runs here. */
const site = await testSite({ after });
await prepareJobs(site.urls.workerUrl, 'earnest_app', silentLog());
const operator = await site.member({ role: 'admin' });
const member = await site.member();
const { database, health } = site.platform;

const get = async (path: string) => {
  const answer = await site.call('GET', `/api/admin/${path}`, { as: operator });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
};
const system = async () => readSystem.reply.parse(await get('system'));
const jobs = async () => readJobs.reply.parse(await get('jobs'));
const mails = async () => readFailedMails.reply.parse(await get('failed-mails'));
const act = (path: string, as = operator) => site.call('POST', `/api/admin/${path}`, { as });

async function asWorker(statement: Sql): Promise<void> {
  const worker = openDatabase({ url: site.urls.workerUrl, connectionsMax: 1 });
  try {
    await worker.rows(statement);
  } finally {
    await worker.close();
  }
}
const lastAct = () =>
  site.owner.one<{
    act: string;
    target: string;
    operatorId: number;
    memberId: number | null;
    before: object;
    after: object;
  }>(sql`
    select act, target, operator_id as "operatorId", member_id as "memberId", before, after
    from platform.acts order by id desc limit 1`);

describe('the system', () => {
  it('is told to operators only', async () => {
    for (const path of ['system', 'jobs', 'failed-mails']) {
      assert.equal((await site.call('GET', `/api/admin/${path}`)).status, 401);
      assert.equal((await site.call('GET', `/api/admin/${path}`, { as: member })).status, 403);
    }
  });

  it('names the release, every migration, and the leases that are held', async () => {
    const lease = await takeLease(site.platform, 'payouts-litecoin');
    assert.ok(lease);
    const { version, oldestVersion, mode, migrations, leases } = await system();
    assert.deepEqual([version, oldestVersion, mode], [thisRelease.version, thisRelease.oldest, 'sandbox']);
    assert.deepEqual(
      migrations.map(({ name }) => name),
      [...migrationNames()].sort(),
    );
    assert.ok(migrations.every(({ appliedAt }) => appliedAt !== null));
    const held = leases.find(({ name }) => name === 'payouts-litecoin');
    assert.equal(held?.pid, process.pid);
    await lease.release();
    assert.equal(
      (await system()).leases.some(({ name }) => name === 'payouts-litecoin'),
      false,
    );
  });

  it('lists a node from its first word to its end, and one that fell silent', async () => {
    assert.deepEqual((await system()).nodes, []);
    health.report('redis', 'Redis does not answer.');
    await noteNode(site.platform);
    const [node, ...others] = (await system()).nodes;
    assert.deepEqual(others, []);
    assert.deepEqual(
      [node?.pid, node?.version, node?.isRunning, node?.troubleCount, node?.isThis],
      [process.pid, thisRelease.version, true, health.troubles().length, true],
    );
    health.report('redis', undefined);
    await noteNode(site.platform);
    assert.equal((await system()).nodes[0]?.troubleCount, health.troubles().length);
    await site.owner.rows(sql`update platform.nodes set seen_at = seen_at - interval '31 seconds'`);
    assert.equal((await system()).nodes[0]?.isRunning, false);
    await forgetNode(site.platform);
    assert.deepEqual((await system()).nodes, []);
  });

  it('says of each sweep of this node when a turn last ended well, and what is wrong', async () => {
    health.report('sweep-rails', undefined);
    health.report('sweep-payouts', 'The last turn failed: the wallet is locked.');
    const { sweeps } = await system();
    const named = Object.fromEntries(sweeps.map((sweep) => [sweep.name, sweep]));
    assert.deepEqual(
      [named['sweep-rails']?.trouble, named['sweep-payouts']?.trouble],
      [null, 'The last turn failed: the wallet is locked.'],
    );
    assert.ok(Date.parse(named['sweep-rails']?.wellAt ?? '') <= Date.now());
    assert.equal(named['sweep-payouts']?.wellAt, null);
    assert.ok(sweeps.every(({ name }) => name.startsWith('sweep-')));
    health.report('sweep-payouts', undefined);
  });
});

describe('a job that failed', () => {
  const link = 'https://rewards.example/verify-email?token=0123456789abcdef';
  it('is shown first with its error and recipient, and nothing else of its payload', async () => {
    assert.deepEqual(await jobs(), []);
    await database.transaction(async (tx) => {
      await enqueue(tx, 'payouts.sweep', {}, 'payouts.sweep');
      await enqueue(tx, 'mail.send', { to: 'kim@example.com', subject: 'Hello', text: link });
    });
    await asWorker(sql`
      update graphile_worker._private_jobs set attempts = max_attempts, last_error = 'No such mailbox'
      where payload ->> 'to' is not null`);
    const [failed, waiting] = await jobs();
    assert.deepEqual(
      [failed?.name, failed?.state, failed?.error, failed?.recipient],
      ['mail.send', 'failed', 'No such mailbox', 'kim@example.com'],
    );
    assert.deepEqual([waiting?.name, waiting?.state, waiting?.recipient], ['payouts.sweep', 'waiting', null]);
    assert.equal(JSON.stringify(await get('jobs')).includes('token='), false);
    const { queues } = await system();
    const counts = queues.map(({ name, waiting, retrying, failed }) => [name, waiting, retrying, failed]);
    assert.deepEqual(counts, [
      ['mail.send', 0, 0, 1],
      ['payouts.sweep', 1, 0, 0],
      ['notice-mails', 0, 0, 0],
    ]);
  });

  it('is tried once more, and leaves an act', async () => {
    const [failed, waiting] = await jobs();
    const answer = await act(`jobs/${failed?.id}/retry`);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    assert.deepEqual([answer.body.state, answer.body.attempts], ['retrying', answer.body.attemptsMax - 1]);
    const { act: name, target, operatorId, ...changed } = await lastAct();
    assert.deepEqual([name, target, operatorId], ['job.retry', failed?.id, operator.id]);
    assert.doesNotMatch(JSON.stringify(changed), /mailbox/, 'the trail keeps no words of a mail server');
    for (const [id, status, code] of [
      [failed?.id, 409, 'not-failed'],
      [waiting?.id, 409, 'not-failed'],
      ['999999', 404, 'not-found'],
    ] as const) {
      const refused = await act(`jobs/${id}/retry`);
      assert.deepEqual([refused.status, refused.problem.code], [status, code]);
    }
    assert.equal((await act(`jobs/${failed?.id}/retry`, member)).status, 403);
    assert.equal((await lastAct()).target, failed?.id, 'a refused call leaves no act');
  });
});

describe('a job that failed after many others', () => {
  const addMany = async (name: string) => {
    await asWorker(sql`select count(*) from graphile_worker.add_job(${name}, '{}'::json)`);
    await asWorker(sql`
      insert into graphile_worker._private_jobs (task_id, payload)
      select p.task_id, '{}' from graphile_worker._private_jobs p
        join graphile_worker.jobs j on j.id = p.id, generate_series(1, 10100)
      where j.task_identifier = ${name}`);
  };
  const attempt = (name: string, attempts: Sql) =>
    asWorker(sql`
      update graphile_worker._private_jobs set attempts = ${attempts}
      where id in (select id from graphile_worker.jobs where task_identifier = ${name})`);

  it('is shown first, and counted', async () => {
    await addMany('test.waits');

    await addMany('test.retried');

    await attempt('test.retried', sql`1`);

    await asWorker(sql`
      with failed as (select id from graphile_worker.add_job('test.fails', '{}'::json))
      select count(*) from failed`);
    await attempt('test.fails', sql`max_attempts`);

    const [first] = await jobs();

    assert.deepEqual([first?.name, first?.state], ['test.fails', 'failed']);
    const { queues } = await system();

    const countsOf = (name: string) => queues.find((queue) => queue.name === name);
    assert.equal(countsOf('test.fails')?.failed, 1);
    const [retrying = 0, waiting = 0] = [countsOf('test.retried')?.retrying, countsOf('test.waits')?.waiting];
    assert.ok(retrying > 9_900 && retrying <= 10_000 && waiting > 9_900 && waiting <= 10_000);
    assert.equal(countsOf('test.fails')?.oldestAt, null, 'nothing of it is still to be done');
    const { failed, oldestS } = await readJobCounts(database);
    assert.ok(failed >= 1n && oldestS > 0);
  });

  it('is tried once by two operators at the same moment', async () => {
    const retries = async (name: string) => {
      const id = (await jobs()).find((job) => job.name === name)?.id;
      const statuses = await Promise.all(Array.from({ length: 8 }, () => act(`jobs/${id}/retry`)));
      const { count } = await site.owner.one<{ count: bigint }>(
        sql`select count(*) as count from platform.acts where act = 'job.retry' and target = ${id ?? ''}`,
      );
      return [statuses.map(({ status }) => status).sort(), count];
    };
    const once = [[200, 409, 409, 409, 409, 409, 409, 409], 1n];
    assert.deepEqual(await retries('test.fails'), once);
    await asWorker(sql`
      update graphile_worker._private_jobs set run_at = now() + interval '1 hour'
      where id in (select id from graphile_worker.jobs where task_identifier = 'test.retried')`);
    assert.deepEqual(await retries('test.retried'), once);
  });
});

describe('a mail of a notice that failed', () => {
  it('is shown with its reason, and sent once more', async () => {
    assert.deepEqual(await mails(), []);
    await site.owner.rows(sql`
      select notices.add(${member.id}, 'security', '{"change": "password"}'::jsonb)`);
    await site.owner.rows(sql`
      update notices.notices set mail_trouble = '550 No such mailbox', mail_attempt_count = 15, mail_due_at = null
      where member_id = ${member.id}`);
    const [failed, ...others] = await mails();
    assert.deepEqual(others, []);
    assert.deepEqual(
      [failed?.userId, failed?.kind, failed?.reason, failed?.attempts, failed?.dueAt],
      [String(member.id), 'security', '550 No such mailbox', 15, null],
    );
    const queueOf = async () => (await system()).queues.find(({ name }) => name === 'notice-mails');
    assert.deepEqual(
      await queueOf().then((queue) => [queue?.waiting, queue?.retrying, queue?.failed]),
      [0, 0, 1],
    );
    const answer = await act(`failed-mails/${failed?.id}/retry`);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    assert.equal(answer.body.attempts, 15);
    assert.ok(answer.body.dueAt !== null);
    const recorded = await lastAct();
    assert.deepEqual(
      [recorded.act, recorded.target, recorded.memberId],
      ['mail.retry', failed?.id, member.id],
    );
    assert.doesNotMatch(JSON.stringify(recorded), /mailbox/, 'the trail keeps no words of a mail server');
    const again = await act(`failed-mails/${failed?.id}/retry`);
    assert.deepEqual([again.status, again.problem.code], [409, 'not-failed'], 'it may be on its way');
    await site.owner.rows(sql`
      update notices.notices set mail_sent_at = platform.business_now(), mail_due_at = null, mail_trouble = null
      where member_id = ${member.id}`);
    assert.deepEqual(await mails(), []);
    const refused = await act(`failed-mails/${failed?.id}/retry`);
    assert.deepEqual([refused.status, refused.problem.code], [404, 'not-found']);
    assert.equal((await act(`failed-mails/${failed?.id}/retry`, member)).status, 403);
  });
});
