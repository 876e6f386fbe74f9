import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { openDatabase, sql } from '#platform/database.ts';
import { enqueue, prepareJobs, startJobs } from '#platform/jobs.ts';
import { createMailer } from '#platform/mail.ts';
import { silentLog, testSite } from './site.ts';

/** Jobs in the same database as the rows that they follow, and mail by real SMTP into the sandbox's outbox. */
const site = await testSite({ after });
await prepareJobs(site.urls.workerUrl, 'earnest_app', silentLog());
const sendMail = createMailer(site.config);
let attempts = 0;
const jobs = await startJobs(
  site.urls.workerUrl,
  {
    'mail.send': (payload) => sendMail(payload as Parameters<typeof sendMail>[0]),
    'test.fails-once': async () => {
      attempts += 1;
      if (attempts === 1) throw new Error('An outage');
    },
  },
  site.platform,
);
after(() => jobs.close());

type Mail = { kind: string; to: string; subject: string; text: string };
const outbox = async (to: string): Promise<Mail[]> =>
  (await site.call('GET', '/sandbox/outbox')).body.filter((entry: Mail) => entry.to === to);

async function eventually<T>(read: () => Promise<T>, isThere: (value: T) => boolean): Promise<T> {
  for (let tries = 0; tries < 100; tries += 1) {
    const value = await read();
    if (isThere(value)) return value;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return read();
}

describe('a job', () => {
  it('exists only if its transaction was committed', async () => {
    await assert.rejects(
      site.database.transaction(async (tx) => {
        await enqueue(tx, 'mail.send', { to: 'never@example.com', subject: 'No', text: 'No' });
        throw new Error('The fact did not happen');
      }),
    );
    await site.database.transaction((tx) =>
      enqueue(tx, 'mail.send', { to: 'kim@example.com', subject: '출금 안내', text: '보냈습니다.\n1,000 P' }),
    );
    const [mail] = await eventually(
      () => outbox('kim@example.com'),
      (mails) => mails.length > 0,
    );
    assert.equal(mail?.kind, 'mail');
    assert.equal(mail?.subject, '출금 안내');
    assert.match(mail?.text ?? '', /보냈습니다\.\r?\n1,000 P/);
    assert.deepEqual(await outbox('never@example.com'), []);
  });
  it('rejects a header in a subject', async () => {
    await sendMail({ to: 'lee@example.com', subject: 'Hi\r\nBcc: thief@example.com', text: 'x' });
    assert.equal((await outbox('lee@example.com'))[0]?.subject, 'Hi Bcc: thief@example.com');
    assert.deepEqual(await outbox('thief@example.com'), []);
  });
  it('is deleted three days after its last failure, with the address and link in it', async () => {
    const worker = openDatabase({ url: site.urls.workerUrl, connectionsMax: 1 });
    after(() => worker.close());
    const left = () =>
      worker.rows<{ name: string; is_young: boolean }>(sql`
        select task_identifier as name, updated_at > now() - interval '1 day' as is_young
        from graphile_worker.jobs where task_identifier = 'test.unknown' order by updated_at`);
    for (const to of ['old@example.com', 'young@example.com'])
      await site.database.transaction((tx) => enqueue(tx, 'test.unknown', { to }));
    await worker.rows(sql`
      select graphile_worker.permanently_fail_jobs(array(
        select id from graphile_worker.jobs where task_identifier = 'test.unknown'), 'No such mailbox')`);
    await worker.rows(sql`
      update graphile_worker._private_jobs set updated_at = now() - interval '73 hours'
      where payload ->> 'to' = 'old@example.com'`);
    await site.database.transaction((tx) => enqueue(tx, 'jobs:delete-failed', {}));
    await eventually(left, (rows) => rows.length === 1);
    assert.deepEqual(await left(), [{ name: 'test.unknown', is_young: true }]);
  });
  it('is done within minutes after the process that had it was killed, and not while it may be at work', async () => {
    const worker = openDatabase({ url: site.urls.workerUrl, connectionsMax: 1 });
    after(() => worker.close());
    // As a killed process leaves them: locked, and attempted once.
    for (const [to, wait] of [
      ['long@killed.example', '6 minutes'],
      ['just@killed.example', '4 minutes'],
    ] as const) {
      const { id } = await worker.one<{ id: string }>(sql`
        select id::text from graphile_worker.add_job('mail.send',
          json_build_object('to', ${to}::text, 'subject', 'Link', 'text', 'Link'),
          run_at => now() + interval '1 day')`);
      await worker.rows(sql`
        update graphile_worker._private_jobs
        set attempts = 1, locked_by = ${to}, locked_at = now() - ${wait}::interval, run_at = now() - interval '1 hour'
        where id = ${id}::bigint`);
    }
    await site.database.transaction((tx) => enqueue(tx, 'jobs:free-abandoned', {}));
    await eventually(
      () => outbox('long@killed.example'),
      (mails) => mails.length > 0,
    );
    assert.equal((await outbox('long@killed.example')).length, 1);
    const locked = await worker.rows(sql`
      select locked_by as by from graphile_worker.jobs where locked_by like '%killed.example'`);
    assert.deepEqual(locked, [{ by: 'just@killed.example' }]);
  });
  it('is retried after a failure', async () => {
    await site.database.transaction((tx) => enqueue(tx, 'test.fails-once', {}));
    await eventually(
      async () => attempts,
      (count) => count >= 2,
    );
    assert.equal(attempts, 2);
  });
});
