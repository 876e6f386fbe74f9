import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { SMTPServer } from 'smtp-server';
import { openDatabase, sql } from '#platform/database.ts';
import { enqueue, startJobs } from '#platform/jobs.ts';
import { createMailer } from '#platform/mail.ts';
import { freePort } from '../../test/free-port.ts';
import { testSite } from '../../test/site.ts';
import { sweepMails } from '../notices/jobs.ts';
import { ensureAccount } from './access.ts';
import { accessJobs } from './jobs.ts';

/** Mails with links while the mail server is down, and after it. The server is down until a test starts it. */
const site = await testSite({ after });
const { platform, owner } = site;
const port = await freePort();
const sendMail = createMailer({ smtpUrl: `smtp://127.0.0.1:${port}`, mailFrom: 'site@example.com' });
const jobs = await startJobs(site.urls.workerUrl, accessJobs(platform, sendMail), platform);
after(() => jobs.close());
const worker = openDatabase({ url: site.urls.workerUrl, connectionsMax: 1 });
after(() => worker.close());
const received: string[] = [];
/** The Message-IDs of the mails that the server took and did not acknowledge in time. */
const unanswered: string[] = [];
let refusedCount = 0;
let deferredCount = 0;

const answer = (responseCode: number) => Object.assign(new Error('Not taken'), { responseCode });
const smtp = new SMTPServer({
  authOptional: true,
  disabledCommands: ['STARTTLS'],
  onRcptTo: ({ address }, _session, callback) => {
    const isRefused = address.startsWith('nobody');
    const isDeferred = address.startsWith('full');
    if (isRefused) refusedCount += 1;
    if (isDeferred) deferredCount += 1;
    if (isRefused) callback(answer(550));
    else callback(isDeferred ? answer(452) : null);
  },
  onData: (stream, { envelope }, callback) => {
    const to = envelope.rcptTo.map(({ address }) => address);
    let raw = '';
    stream.on('data', (chunk: Buffer) => {
      raw += String(chunk);
    });
    stream.on('end', () => {
      if (to[0]?.startsWith('suppressed')) {
        refusedCount += 1;
        callback(answer(554));
      } else if (to[0]?.startsWith('slow')) {
        unanswered.push(/^Message-ID: (.*)$/im.exec(raw)?.[1]?.trim() ?? '');
        setTimeout(callback, 6_000).unref();
      } else {
        received.push(...to);
        callback();
      }
    });
  },
});

after(() => new Promise<void>((resolve) => smtp.close(() => resolve())));

type Job = { attempts: number; isLocked: boolean; waitSeconds: number };
const mailJobs = () =>
  worker.rows<Job>(sql`
    select attempts::int, locked_at is not null as "isLocked",
      extract(epoch from run_at - now())::float8 as "waitSeconds"
    from graphile_worker.jobs where task_identifier = 'mail.send' order by id`);
async function until<T>(read: () => Promise<T>, isThere: (value: T) => boolean): Promise<T> {
  for (let tries = 0; tries < 400; tries += 1) {
    const value = await read();
    if (isThere(value)) return value;
    await sleep(25);
  }
  return assert.fail(`not reached: ${JSON.stringify(await read())}`);
}
const isFailed = ({ isLocked, attempts }: Job) => !isLocked && attempts > 0;
/** Sets the attempts and the wait of the mails that wait. */
const setWait = (attempts: number, wait: string) =>
  worker.rows(sql`
    update graphile_worker._private_jobs set attempts = ${attempts}, run_at = now() + ${wait}::interval
    where id in (select id from graphile_worker.jobs where task_identifier = 'mail.send')`);
const runJob = (name: string) => site.database.transaction((tx) => enqueue(tx, name, {}));
const troubles = () => platform.health.troubles().filter(({ name }) => name === 'mail');
const metric = async (name: string): Promise<number> => {
  const line = (await platform.metrics.registry.metrics())
    .split('\n')
    .find((text) => text.startsWith(`${name} `));
  return Number(line?.slice(name.length));
};
const askForLink = async (email: string): Promise<void> => {
  await ensureAccount(site.database, {
    email,
    password: null,
    firstName: 'Mina',
    lastName: null,
    role: 'user',
  });
  await site.call('POST', '/api/auth/forgot-password', { body: { email } });
};

describe('a mail with a link, while the mail server is down', () => {
  it('is a trouble of the part mail, also after a turn of the mails of notices', async () => {
    await askForLink('waits@example.com');
    await until(mailJobs, (found) => found.length === 1 && found.every(isFailed));
    assert.match(troubles()[0]?.trouble ?? 'none', /ECONNREFUSED/);
    const readNames = async () => assert.fail('no notice waits');
    await sweepMails({ ...platform, sendMail, readNames });
    assert.equal(troubles().length, 1, 'it waits for another attempt');
  });
  it('is counted among the jobs that are tried again, with its age', async () => {
    await setWait(9, '6 hours');
    await worker.rows(
      sql`update graphile_worker._private_jobs set created_at = now() - interval '20 minutes'`,
    );
    assert.equal(await metric('earnest_jobs{state="retrying"}'), 1);
    assert.equal(await metric('earnest_jobs{state="waiting"}'), 0);
    assert.equal(Math.floor((await metric('earnest_job_age_seconds')) / 60), 20);
  });
  it('waits no longer than five minutes for its next attempt', async () => {
    await runJob('jobs:limit-waits');
    const [job] = await until(mailJobs, ([found]) => (found?.waitSeconds ?? 0) < 300);
    assert.ok((job?.waitSeconds ?? 0) > 60, JSON.stringify(job));
    assert.equal(job?.attempts, 9);
  });
  it('is counted as failed after its last attempt, whenever that was', async () => {
    await worker.rows(
      sql`update graphile_worker._private_jobs set attempts = max_attempts, run_at = now() + interval '6 hours'`,
    );
    assert.equal(await metric('earnest_jobs{state="failed"}'), 1);
    assert.equal(await metric('earnest_jobs{state="retrying"}'), 0);
    assert.equal(await metric('earnest_job_age_seconds'), 0);
    await setWait(1, '6 hours');
  });
});

describe('a mail with a link, when the mail server is back', () => {
  it('is sent unless its link has ended, and the part mail is well again', async () => {
    await askForLink('late@example.com');
    await until(mailJobs, (found) => found.length === 2 && found.every(isFailed));
    await owner.rows(sql`
      update access.mail_tokens set expires_at = platform.business_now()
      where member_id = (select id from members.members where email = 'late@example.com')`);
    smtp.listen(port, '127.0.0.1');
    await once(smtp.server, 'listening');
    await setWait(1, '0 s');
    await runJob('jobs:limit-waits');
    await until(mailJobs, (found) => found.length === 0);
    assert.deepEqual(received, ['waits@example.com']);
    assert.deepEqual(troubles(), []);
  });
  for (const [what, email] of [
    ['its recipient is refused', 'nobody@example.com'],
    ['it is refused after its text', 'suppressed@example.com'],
  ] as const)
    it(`is given up at once if ${what}, which is no trouble of the server`, async () => {
      const refusedBefore = refusedCount;
      await askForLink(email);
      await until(
        async () => refusedCount,
        (count) => count > refusedBefore,
      );
      await until(mailJobs, (found) => found.length === 0);
      assert.equal(refusedCount, refusedBefore + 1);
      assert.deepEqual(troubles(), []);
    });
  it('is given up after an hour of deferrals, which are no trouble of the server', async () => {
    await askForLink('full@example.com');
    await until(mailJobs, (found) => found.length === 1 && found.every(isFailed));
    await setWait(18, '0 s');
    await runJob('jobs:limit-waits');
    await until(mailJobs, ([job]) => job?.attempts === 19 && isFailed(job));
    await setWait(19, '0 s');
    await runJob('jobs:limit-waits');
    await until(mailJobs, (found) => found.length === 0);
    assert.equal(deferredCount, 3);
    assert.deepEqual(troubles(), []);
  });
  it('is sent three times, with one Message-ID, to a server that takes it and does not say so', async () => {
    await askForLink('slow@example.com');
    for (const attempt of [1, 2]) {
      await until(mailJobs, ([job]) => job?.attempts === attempt && isFailed(job));
      assert.equal(unanswered.length, attempt);
      assert.equal(troubles().length, 1);
      await setWait(attempt, '0 s');
      await runJob('jobs:limit-waits');
    }
    await until(mailJobs, (found) => found.length === 0);
    assert.equal(unanswered.length, 3);
    assert.match(unanswered[0] ?? '', /^<link\.[\w-]{43}@[\w.]+>$/);
    assert.equal(new Set(unanswered).size, 1);
  });
});
