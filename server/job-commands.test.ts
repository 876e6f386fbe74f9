import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { openDatabase, sql } from '#platform/database.ts';
import { enqueue, prepareJobs } from '#platform/jobs.ts';
import { runAdmin } from '../test/admin-command.ts';
import { silentLog, testSite } from '../test/site.ts';
import { listJobs } from './system.ts';

/** What failed, and its retry, on the command line. No worker of jobs runs here. */
const site = await testSite({ after });
await prepareJobs(site.urls.workerUrl, 'earnest_app', silentLog());
const { database, owner } = site;
const worker = openDatabase({ url: site.urls.workerUrl, connectionsMax: 1 });
after(() => worker.close());

const admin = (...words: string[]) =>
  runAdmin(
    { DATA_DIR: site.config.dataDir, DATABASE_URL: site.urls.appUrl, DATABASE_OWNER_URL: site.urls.ownerUrl },
    ...words,
  );
const acts = () =>
  owner.rows(sql`
    select actor, operator_id as "operatorId", act, target, member_id as "memberId" from platform.acts
    where act in ('job.retry', 'mail.retry') order by id`);
const byCommand = (act: string, target: string, memberId: number | null) => ({
  actor: 'command-line',
  operatorId: null,
  act,
  target,
  memberId,
});

describe('admin jobs', () => {
  it('lists those that failed first, and makes one due again with one act', async () => {
    assert.equal((await admin('jobs', 'list')).said, 'No job waits.\n');
    await database.transaction(async (tx) => {
      await enqueue(tx, 'payouts.sweep', {}, 'payouts.sweep');
      await enqueue(tx, 'mail.send', { to: 'kim@example.com', subject: 'Hello', text: 'Words of the mail' });
    });
    await worker.rows(sql`
      update graphile_worker._private_jobs
      set attempts = max_attempts, last_error = ${'No such mailbox\n\u001b[2K1: retried'}
      where payload ->> 'to' is not null`);
    const [failed, waiting] = await listJobs(database);
    assert.ok(failed && waiting);
    const { said } = await admin('jobs', 'list');
    const lines = said.trimEnd().split('\n');
    assert.deepEqual(lines, [
      `${failed.id}: mail.send, failed, attempt ${failed.attempts} of ${failed.attemptsMax}, due ${failed.runAt}, ` +
        'to kim@example.com. No such mailbox\\u000a\\u001b[2K1: retried',
      `${waiting.id}: payouts.sweep, waiting, attempt 0 of ${waiting.attemptsMax}, due ${waiting.runAt}`,
    ]);
    const retried = await admin('jobs', 'retry', failed.id, waiting.id, '999999');
    assert.deepEqual(retried, {
      code: 1,
      said: `${failed.id}: mail.send is due now, for one attempt more.\n`,
      complained:
        `${waiting.id}: It did not fail, or it is tried again within minutes.\n` +
        '999999: There is nothing with this id.\n',
    });
    const now = (await listJobs(database)).find(({ id }) => id === failed.id);
    assert.deepEqual([now?.state, now?.attempts], ['retrying', failed.attemptsMax - 1]);
    assert.deepEqual(await acts(), [byCommand('job.retry', failed.id, null)]);
  });

  it('refuses other words, and tries nothing', async () => {
    const misuses: [string[], string][] = [
      [['jobs'], 'jobs takes one of: list, retry.'],
      [['jobs', 'list', 'all'], 'jobs list does not take the word "all".'],
      [['jobs', 'retry'], 'NUMBER is that of a job, as `jobs list` prints it.'],
      [['jobs', 'retry', 'x'], 'NUMBER is that of a job, as `jobs list` prints it.'],
      [['mails', 'retry', '7'], 'ID is that of a mail, as `mails list` prints it.'],
      [['mails', 'send'], 'mails takes one of: list, retry.'],
    ];
    assert.deepEqual(
      await Promise.all(misuses.map(([words]) => admin(...words))),
      misuses.map(([, complained]) => ({ code: 2, said: '', complained: `${complained}\n` })),
    );
  });
});

describe('admin mails', () => {
  it('lists the mails that failed, and makes one due again with one act', async () => {
    const member = await site.member();
    assert.equal((await admin('mails', 'list')).said, 'No mail failed.\n');
    await owner.rows(sql`select notices.add(${member.id}, 'security', '{"change": "password"}'::jsonb)`);
    await owner.rows(sql`
      update notices.notices set mail_trouble = '550 No such mailbox', mail_attempt_count = 15, mail_due_at = null
      where member_id = ${member.id}`);
    const id = `${member.id}.1`;
    assert.equal(
      (await admin('mails', 'list')).said,
      `${id}: security, ${member.id} ${member.email}, attempts 15, due never. 550 No such mailbox\n`,
    );
    const before = (await acts()).length;
    const retried = await admin('mails', 'retry', id);
    assert.deepEqual(retried, {
      code: 0,
      said: `${id}: the mail to ${member.email} is due now, for one attempt more.\n`,
      complained: '',
    });
    const again = await admin('mails', 'retry', id);
    assert.deepEqual(
      [again.code, again.complained],
      [1, `${id}: It did not fail, or it is tried again within minutes.\n`],
    );
    assert.deepEqual((await acts()).slice(before), [byCommand('mail.retry', id, member.id)]);
  });
});
