import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { SMTPServer } from 'smtp-server';
import type { NoticeKind } from '#contract/notice-kinds.ts';
import type { NoticeFacts } from '#contract/notices.ts';
import { sql } from '#platform/database.ts';
import { createHealth } from '#platform/health.ts';
import {
  createMailer,
  type Mail,
  PerhapsSent,
  RecipientDeferred,
  RecipientRefused,
  type SendMail,
} from '#platform/mail.ts';
import { createSecrets } from '#platform/secrets.ts';
import { testDatabase } from '../../test/database.ts';
import { silentLog } from '../../test/site.ts';
import { ensureAccount } from '../access/access.ts';
import { sweepMails } from './jobs.ts';
import { sendDueMails } from './mail-sending.ts';
import { addNotice } from './notices.ts';

/** The mails of notices: what is claimed, sent, sent again and given up. */
const { database, owner } = await testDatabase({ after });
const sent: Mail[] = [];
const noFacts = { withdrawalId: null, method: null, amount: null, address: null, holdUntil: null };
const keep: SendMail = async (mail) => void sent.push(mail);
const names = {
  providers: new Map([['cpx', 'CPX Research']]),
  methods: new Map([['litecoin', 'Litecoin']]),
  koreanMethods: new Map(),
  currencies: new Map([['litecoin', 'LTC']]),
};
const parts = (sendMail: SendMail = keep) => ({
  database,
  log: silentLog(),
  secrets: createSecrets(Buffer.alloc(32, 7)),
  config: { publicUrl: 'https://points.example', mode: 'live' as const, siteTimezone: 'Asia/Seoul' },
  sendMail,
  readNames: async () => names,
});
const held: NoticeFacts<'held'> = { provider: 'cpx', amount: '12000', subject: 'A long survey' };

let count = 0;
async function newMember(
  language: 'en' | 'ko' = 'en',
  isEmailVerified = true,
): Promise<{ id: number; email: string }> {
  count += 1;
  const email = `reader${count}@example.com`;
  const account = { email, password: null, firstName: 'Mina', lastName: null, role: 'user' } as const;
  const { id } = await ensureAccount(database, { ...account, isEmailVerified });
  await owner.rows(sql`update members.members set language = ${language} where id = ${id}`);
  return { id, email };
}
const tell = <Kind extends NoticeKind>(id: number, kind: Kind, facts: NoticeFacts<Kind>) =>
  database.transaction((tx) => addNotice(tx, id, kind, facts));
const mailsTo = (email: string) => sent.filter(({ to }) => to === email);
const mailStateOf = (id: number) =>
  owner.one<{ isDue: boolean; isSent: boolean; attempts: number; trouble: string | null }>(sql`
    select mail_due_at is not null as "isDue", mail_sent_at is not null as "isSent",
      mail_attempt_count as attempts, mail_trouble as trouble
    from notices.notices where member_id = ${id} order by member_number desc limit 1`);
const signIn = { userAgent: 'Browser', address: '203.0.113.9' };
const passMinutes = (minutes: number) =>
  owner.rows(sql`update platform.clock set offset_seconds = offset_seconds + ${minutes * 60}`);

describe('the mail of a notice', () => {
  it('is sent once by concurrent sweeps, with a Message-ID of the notice', async () => {
    const members = [await newMember(), await newMember(), await newMember()];
    for (const { id } of members) await tell(id, 'held', held);
    await Promise.all(Array.from({ length: 4 }, () => sendDueMails(parts())));
    for (const { id, email } of members) {
      const [mail, ...others] = mailsTo(email);
      assert.deepEqual([mail?.messageId, others], [`<notice.${id}.1@points.example>`, []]);
      assert.deepEqual(await mailStateOf(id), { isDue: false, isSent: true, attempts: 1, trouble: null });
    }
    await passMinutes(60 * 24);
    await sendDueMails(parts());
    assert.equal(mailsTo(members[0]?.email ?? '').length, 1);
  });
  it('is sent again under the same Message-ID after its process ended while it sent', async () => {
    const { id, email } = await newMember();
    await tell(id, 'held', held);
    const handed = Promise.withResolvers<Mail>();
    // Its process ends here: the server has the mail, and the row never says so.
    void sendDueMails(
      parts((mail) => {
        handed.resolve(mail);
        return new Promise(() => undefined);
      }),
    );
    const first = await handed.promise;
    await sendDueMails(parts());
    assert.equal(mailsTo(email).length, 0, 'nobody else sends a claimed mail');
    await passMinutes(6);
    await sendDueMails(parts());
    const [second] = mailsTo(email);
    assert.equal(second?.messageId, first.messageId);
    assert.deepEqual(second, first);
    assert.equal((await mailStateOf(id)).isSent, true);
  });
  it('waits longer after each failure, keeps the reason, and is given up after days', async () => {
    const { id, email } = await newMember();
    await tell(id, 'held', held);
    let calls = 0;
    const refuse: SendMail = async () => {
      calls += 1;
      throw new Error('550 mailbox full');
    };
    assert.deepEqual(await sendDueMails(parts(refuse)), {
      sentCount: 0,
      refusedCount: 0,
      trouble: '550 mailbox full',
    });
    assert.deepEqual(await mailStateOf(id), {
      isDue: true,
      isSent: false,
      attempts: 1,
      trouble: '550 mailbox full',
    });
    await sendDueMails(parts(refuse));
    assert.equal(calls, 1, 'it waits');
    for (let round = 0; round < 30; round += 1) {
      await passMinutes(6 * 60 + 1);
      await sendDueMails(parts(refuse));
    }
    assert.equal(calls, 15);
    const state = await mailStateOf(id);
    assert.deepEqual([state.isDue, state.isSent, state.trouble], [false, false, '550 mailbox full']);
    assert.equal(mailsTo(email).length, 0);
  });
  it('is sent three times at most to a server that takes it and does not say so', async () => {
    const { id, email } = await newMember();
    await tell(id, 'held', held);
    const take: SendMail = async (mail) => {
      await keep(mail);
      throw new PerhapsSent('timeout');
    };
    for (let round = 0; round < 5; round += 1) {
      await sendDueMails(parts(take));
      await passMinutes(6 * 60 + 1);
    }
    assert.equal(mailsTo(email).length, 3);
    assert.equal((await mailStateOf(id)).isDue, false);
  });
  it('is no trouble any more when another node sent it', async () => {
    const { id, email } = await newMember();
    await tell(id, 'held', held);
    const refuse: SendMail = async () => {
      throw new Error('connect ECONNREFUSED');
    };
    const health = createHealth(silentLog());
    const troubles = () => health.troubles().map(({ name }) => name);
    await sweepMails({ ...parts(refuse), health });
    await sweepMails({ ...parts(refuse), health });
    assert.deepEqual(troubles(), ['mail'], 'it still waits');
    await passMinutes(2);
    await sendDueMails(parts());
    assert.equal(mailsTo(email).length, 1);
    await sweepMails({ ...parts(refuse), health });
    assert.deepEqual(troubles(), []);
  });
  it('ends a sweep after a round of failures, and a later one sends the rest', async () => {
    const members = await Promise.all(Array.from({ length: 8 }, () => newMember()));
    for (const { id } of members) await tell(id, 'held', held);
    let calls = 0;
    await sendDueMails(
      parts(async () => {
        calls += 1;
        throw new Error('connect ECONNREFUSED');
      }),
    );
    assert.equal(calls, 5);
    await passMinutes(2);
    await sendDueMails(parts());
    for (const { email } of members) assert.equal(mailsTo(email).length, 1);
  });
  it('is not sent to a member who wants none of the kind, or whose account was deleted', async () => {
    const [unwilling, leaver] = [await newMember(), await newMember()];
    await owner.rows(sql`
      update members.members set unmailed_notices = '{held,security}' where id = ${unwilling.id}`);
    await tell(unwilling.id, 'held', held);
    assert.equal((await mailStateOf(unwilling.id)).isDue, false);
    await tell(leaver.id, 'held', held);
    await owner.rows(sql`
      update members.members set deleted_at = platform.business_now() where id = ${leaver.id}`);
    await sendDueMails(parts());
    assert.deepEqual([...mailsTo(unwilling.email), ...mailsTo(leaver.email)], []);
    assert.equal((await mailStateOf(leaver.id)).isDue, false);
    await tell(leaver.id, 'held', held);
    assert.equal((await mailStateOf(leaver.id)).isDue, false);
    await tell(unwilling.id, 'sign-in', { userAgent: 'x', address: '203.0.113.9' });
    await sendDueMails(parts());
    assert.equal(mailsTo(unwilling.email)[0]?.subject, 'A new login to your Earnest account');
  });
});

describe('many mails', () => {
  it('go out at five of a topic an hour, and the next one says how many more notices there are', async () => {
    const { id, email } = await newMember();
    for (let times = 0; times < 400; times += 1) await tell(id, 'sign-in', signIn);
    await sendDueMails(parts());
    assert.equal(mailsTo(email).length, 5);
    await tell(id, 'security', { ...noFacts, change: 'address' });
    await sendDueMails(parts());
    assert.equal(mailsTo(email).length, 6, 'another topic is mailed at once');
    await passMinutes(59);
    await sendDueMails(parts());
    assert.equal(mailsTo(email).length, 6);
    await passMinutes(2);
    await sendDueMails(parts());
    const [digest, ...others] = mailsTo(email).slice(6);
    assert.deepEqual(others, []);
    assert.match(digest?.text ?? '', /There are 394 more notices like this one\..*\/notices/);
    assert.match(digest?.text ?? '', /not-me\?token=/);
    const rows = await owner.rows(sql`select from notices.notices where member_id = ${id}`);
    assert.equal(rows.length, 401, 'all stand in the app');
  });
  it('about one change of security do not hold back those about another', async () => {
    const { id, email } = await newMember('ko');
    const change = (what: 'password' | 'phone') => tell(id, 'security', { ...noFacts, change: what });
    for (let times = 0; times < 7; times += 1) await change('password');
    await change('phone');
    for (let turn = 0; turn < 2; turn += 1) await sendDueMails(parts());
    assert.deepEqual([mailsTo(email).length, mailsTo(email).at(-1)?.text.includes('전화번호')], [6, true]);
    await passMinutes(61);
    await sendDueMails(parts());
    assert.match(mailsTo(email).at(-1)?.text ?? '', /같은 알림이 1건 더 있습니다/);
  });
  it('are not sent to an address that was never confirmed, while the notices stand in the app', async () => {
    const { id, email } = await newMember('en', false);
    await tell(id, 'sign-in', signIn);
    await tell(id, 'held', held);
    await sendDueMails(parts());
    assert.deepEqual(mailsTo(email), []);
    assert.equal((await owner.rows(sql`select from notices.notices where member_id = ${id}`)).length, 2);
  });
  it('of one member do not delay those of others', async () => {
    const busy = await newMember();
    for (const kind of ['held', 'approved'] as const)
      for (let times = 0; times < 5; times += 1) await tell(busy.id, kind, held);
    const later = [await newMember(), await newMember()];
    for (const { id } of later) await tell(id, 'held', held);
    const order: string[] = [];
    await sendDueMails(parts(async ({ to }) => void order.push(to)));
    assert.deepEqual(order.slice(0, 3).sort(), [busy, ...later].map(({ email }) => email).sort());
    assert.equal(order.length, 12);
  });
});

describe('a recipient whom the mail server refuses', () => {
  it('gets no further attempt, is no trouble of the server, and delays nobody', async () => {
    const dead = await Promise.all(Array.from({ length: 12 }, () => newMember()));
    for (const { id } of dead) await tell(id, 'held', held);
    const alive = await newMember();
    await tell(alive.id, 'sign-in', signIn);
    let refusals = 0;
    const send: SendMail = async (mail) => {
      if (mail.to === alive.email) return keep(mail);
      refusals += 1;
      throw new RecipientRefused('550 no such user');
    };
    assert.deepEqual(await sendDueMails(parts(send)), { sentCount: 1, refusedCount: 12, trouble: undefined });
    assert.equal(mailsTo(alive.email).length, 1);
    await passMinutes(24 * 60);
    await sendDueMails(parts(send));
    assert.equal(refusals, 12);
    assert.equal((await mailStateOf(dead[0]?.id ?? 0)).trouble, '550 no such user');
  });
});

describe('a recipient whom the mail server defers', () => {
  it('delays nobody and is no trouble of the server, and none of its mails is tried until it is due', async () => {
    const deferred = await Promise.all(Array.from({ length: 12 }, () => newMember()));
    for (const { id } of deferred) {
      await tell(id, 'held', held);
      await tell(id, 'approved', held);
    }
    const [alive, later] = [await newMember(), await newMember()];
    await tell(alive.id, 'sign-in', signIn);
    const order: string[] = [];
    const send: SendMail = async (mail) => {
      order.push(mail.to);
      if (mail.to === alive.email || mail.to === later.email) return keep(mail);
      throw new RecipientDeferred('451 try again later');
    };
    const health = createHealth(silentLog());
    await sweepMails({ ...parts(send), health });
    assert.deepEqual([mailsTo(alive.email).length, order.length, health.troubles()], [1, 13, []]);
    for (const { id } of deferred) await tell(id, 'sign-in', signIn);
    assert.deepEqual(await sendDueMails(parts(send)), { sentCount: 0, refusedCount: 0, trouble: undefined });
    await passMinutes(2);
    await tell(later.id, 'sign-in', signIn);
    order.length = 0;
    await sendDueMails(parts(send));
    assert.deepEqual([mailsTo(later.email).length, order.length], [1, 13]);
    await passMinutes(2);
    await sendDueMails(parts());
    for (const { id, email } of deferred) {
      assert.equal(mailsTo(email).length, 3);
      assert.deepEqual([(await mailStateOf(id)).isDue, (await mailStateOf(id)).isSent], [false, true]);
    }
  });
  it('is served after the mails that were never tried', async () => {
    const deferred = await Promise.all(Array.from({ length: 12 }, () => newMember()));
    for (const { id } of deferred) await tell(id, 'held', held);
    await sendDueMails(parts(async () => Promise.reject(new RecipientDeferred('451 try again later'))));
    await passMinutes(2);
    const later = await newMember();
    await tell(later.id, 'sign-in', signIn);
    const order: string[] = [];
    await sendDueMails(parts(async ({ to }) => void order.push(to)));
    assert.deepEqual([order.slice(0, 5).includes(later.email), order.length], [true, 13]);
  });
});

describe('an SMTP server', () => {
  it('gets a mail with its Message-ID, and its refusal of a recipient is told from a deferral', async () => {
    const received = Promise.withResolvers<string>();
    const answers = new Map([
      ['dead@example.com', 550],
      ['later@example.com', 451],
      ['stranger@example.com', 530],
      ['closing@example.com', 421],
    ]);
    const answersToText = new Map([
      ['suppressed@example.com', 554],
      ['grey@example.com', 451],
      ['lost@example.com', 421],
    ]);
    const server = new SMTPServer({
      disabledCommands: ['AUTH', 'STARTTLS'],
      onRcptTo({ address }, _session, done) {
        const responseCode = answers.get(address);
        if (responseCode === undefined) done();
        else done(Object.assign(new Error('No'), { responseCode }));
      },
      onData(stream, { envelope }, done) {
        const responseCode = answersToText.get(envelope.rcptTo[0]?.address ?? '');
        let raw = '';
        stream.on('data', (chunk: Buffer) => {
          raw += String(chunk);
        });
        stream.on('end', () => {
          if (responseCode !== undefined) return done(Object.assign(new Error('No'), { responseCode }));
          received.resolve(raw);
          done();
        });
      },
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.server.address() as { port: number };
    const { id } = await newMember();
    await tell(id, 'held', held);
    const smtp = { smtpUrl: `smtp://127.0.0.1:${port}`, mailFrom: 'no-reply@points.example' };
    const sendMail = createMailer(smtp);
    const failureOf = async (to: string) => {
      const error = await sendMail({ to, subject: 'Hello', text: 'Hello' }).catch((reason) => reason);
      assert.ok(error instanceof Error);
      const kinds = [RecipientRefused, RecipientDeferred, PerhapsSent];
      return kinds.find((kind) => error instanceof kind) ?? Error;
    };
    const failures = await Promise.all([...answers.keys()].map(failureOf));
    assert.deepEqual(failures, [RecipientRefused, RecipientDeferred, Error, Error]);
    const failuresOfText = await Promise.all([...answersToText.keys()].map(failureOf));
    assert.deepEqual(failuresOfText, [RecipientRefused, RecipientDeferred, PerhapsSent]);
    await sendDueMails(parts(sendMail));
    assert.match(
      await received.promise,
      new RegExp(`^Message-ID: <notice\\.${id}\\.1@points\\.example>`, 'im'),
    );
    await new Promise<void>((resolve) => server.close(() => resolve()));
  });
});
