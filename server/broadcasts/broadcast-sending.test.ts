import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '#platform/database.ts';
import { createMailer, type Mail, PerhapsSent } from '#platform/mail.ts';
import { sendingParts } from '../../test/broadcast-parts.ts';
import { testDatabase } from '../../test/database.ts';
import { reportOf } from '../../test/mail-reports.ts';
import { testSmtp, textOfMail } from '../../test/smtp-server.ts';
import { ensureAccount } from '../access/access.ts';
import { addNotice } from '../notices/notices.ts';
import { sendBroadcasts } from './broadcast-sending.ts';
import { beginBroadcast, changeBroadcast, changes, readBroadcast, retryBroadcast } from './broadcasts.ts';
import { takeReport } from './reports.ts';
import { noteReport } from './sending-queries.ts';

/** The sending of broadcasts to a real SMTP server: what is sent, sent later, never sent, and sent again. */
const { database, owner } = await testDatabase({ after });
const smtp = await testSmtp({ after });
const parts = sendingParts(database, smtp.url, 6_000);
const { config } = parts;
const texts = { subject: 'A short pause', content: 'On Monday at three.' };
const korean = { subjectKo: '잠시 멈춥니다', contentKo: '월요일 3시에 멈춥니다.' };

let count = 0;
async function newMember(change = sql`language = 'en'`): Promise<{ id: number; email: string }> {
  count += 1;
  const email = `reader${count}@example.com`;
  const account = { email, password: null, firstName: 'Mina', lastName: null, role: 'user' } as const;
  const { id } = await ensureAccount(database, { ...account, isEmailVerified: true });
  await owner.rows(sql`update members.members set ${change} where id = ${id}`);
  return { id, email };
}
const newMembers = async (howMany: number) => {
  const made = [];
  for (let number = 0; number < howMany; number += 1) made.push(await newMember());
  return made;
};
const operator = (await newMember(sql`email_notifications = false`)).id;
const begin = async (given: object = texts) =>
  BigInt((await beginBroadcast(parts, operator, { ...texts, ...given })).id);
const progressOf = async (id: bigint) => {
  const { status, sent, failed, perhapsSent, skipped, recipients } = await readBroadcast(parts, id);
  return { status, sent, failed, perhapsSent, skipped, recipients };
};
const mailsTo = (email: string) => smtp.received.filter(({ to }) => to === email);
const passMinutes = (minutes: number) =>
  owner.rows(sql`update platform.clock set offset_seconds = offset_seconds + ${minutes * 60}`);
/** Waits until a transaction waits for the row of a broadcast that another has changed. */
async function isAwaited(): Promise<void> {
  const waiter = sql`
    select from pg_locks l join pg_database d on d.oid = l.database
    where d.datname = current_database() and l.locktype = 'tuple'
      and l.relation = 'broadcasts.broadcasts'::regclass`;
  for (let look = 0; (await owner.row(waiter)) === undefined; look += 1) {
    assert.ok(look < 200, 'nobody waits');
    await sleep(20);
  }
}
const done = (numbers: object) => ({
  status: 'done',
  failed: 0,
  perhapsSent: 0,
  skipped: 0,
  ...numbers,
});

beforeEach(async () => {
  smtp.received.length = 0;
  smtp.answers.recipient = () => undefined;
  smtp.answers.text = () => undefined;
  await owner.rows(sql`
    update members.members set email_notifications = false`);
  await owner.rows(sql`
    update broadcasts.broadcasts set status = 'stopped', finished_at = null where status in ('running', 'paused')`);
  await owner.rows(sql`
    update broadcasts.pace set slow_count = 0, throttled_at = null, waits_until = null, trouble = null`);
});

describe('a broadcast', () => {
  it('is sent once to each recipient in the member’s language, with the headers that end broadcasts', async () => {
    const [english, reader] = [await newMember(), await newMember(sql`language = 'ko'`)];
    const id = await begin(korean);
    await Promise.all(Array.from({ length: 3 }, () => sendBroadcasts(parts)));
    await sendBroadcasts(parts);
    assert.deepEqual(await progressOf(id), done({ sent: 2, recipients: 2 }));
    const [mail, ...others] = mailsTo(english.email);
    assert.ok(mail);
    assert.deepEqual([others, smtp.received.length], [[], 2]);
    assert.match(
      mail.raw,
      new RegExp(`^Message-ID:\\s+<broadcast\\.${id}\\.${english.id}\\.[\\w-]{43}@points\\.example>`, 'im'),
    );
    assert.match(mail.raw, /^Subject: A short pause\r$/m);
    assert.match(
      mail.raw,
      /^List-Unsubscribe: ?(\r\n )?<https:\/\/points\.example\/api\/unsubscribe\/\d{9}-[\w-]+>\r$/m,
    );
    assert.match(mail.raw, /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m);
    const [inKorean] = mailsTo(reader.email);
    assert.ok(inKorean);
    assert.match(textOfMail(inKorean), /Mina 님,\s+월요일 3시에 멈춥니다\.\s+메일 알림을 켜 둔/);
    assert.match(textOfMail(mail), /unsubscribe\?token=\d{9}-/);
  });
  it('passes over who ended broadcasts, was suspended or deleted since it began', async () => {
    const [ended, leaver, reader] = await newMembers(3);
    const id = await begin();
    await owner.rows(sql`update members.members set email_notifications = false where id = ${ended?.id}`);
    await owner.rows(sql`
      update members.members set deleted_at = platform.business_now() where id = ${leaver?.id}`);
    await sendBroadcasts(parts);
    assert.deepEqual(await progressOf(id), done({ sent: 1, skipped: 2, recipients: 3 }));
    assert.deepEqual(
      smtp.received.map(({ to }) => to),
      [reader?.email],
    );
  });
  it('stands still while it is paused, goes on after it, and never after it was stopped', async () => {
    await newMembers(2);
    const id = await begin();
    await changeBroadcast(parts, operator, id, changes.pause);
    await sendBroadcasts(parts);
    assert.equal(smtp.received.length, 0);
    await changeBroadcast(parts, operator, id, changes.resume);
    await sendBroadcasts(parts);
    assert.equal(smtp.received.length, 2);
    await newMembers(1);
    const other = await begin();
    await changeBroadcast(parts, operator, other, changes.stop);
    await sendBroadcasts(parts);
    assert.equal((await progressOf(other)).status, 'stopped');
    assert.equal(smtp.received.length, 2);
    await assert.rejects(changeBroadcast(parts, operator, other, changes.resume), {
      code: 'already-decided',
    });
  });
  it('waits while the mail of a notice is due', async () => {
    const [reader] = await newMembers(1);
    await begin();
    await database.transaction((tx) =>
      addNotice(tx, reader?.id ?? 0, 'held', { provider: 'cpx', amount: '12000', subject: '' }),
    );
    await sendBroadcasts(parts);
    assert.equal(smtp.received.length, 0);
    await owner.rows(sql`update notices.notices set mail_due_at = null`);
    await sendBroadcasts(parts);
    assert.equal(smtp.received.length, 1);
  });
});

describe('a mail server', () => {
  it('that throttles is asked later and more slowly, and nobody is given up', async () => {
    const members = await newMembers(12);
    const answers = [
      { responseCode: 454, message: 'Throttling failure: Maximum sending rate exceeded.' },
      { responseCode: 421, message: 'Too many messages' },
      { responseCode: 552, message: 'You have exceeded your relay quota' },
    ];
    const id = await begin();
    for (const [index, answer] of answers.entries()) {
      smtp.answers.text = () => answer;
      await sendBroadcasts(parts);
      const { waitsUntil, trouble } = await readBroadcast(parts, id);
      assert.ok(trouble?.includes(answer.message), String(trouble));
      assert.ok(waitsUntil);
      smtp.answers.text = () => undefined;
      await sendBroadcasts(parts);
      assert.equal(smtp.received.length, 0, 'it waits');
      await passMinutes(2 ** index + 1);
    }
    const pace = await owner.one<{ slow: number }>(sql`select slow_count as slow from broadcasts.pace`);
    assert.equal(pace.slow, 3);
    for (let turn = 0; turn < 3; turn += 1) {
      await sendBroadcasts(parts);
      await passMinutes(20);
    }
    assert.deepEqual(await progressOf(id), done({ sent: members.length, recipients: 12 }));
    assert.deepEqual(parts.health.troubles(), []);
    assert.equal((await readBroadcast(parts, id)).trouble, null);
  });
  it('gets mails although a clock was a month ahead when it throttled, and when mails began to wait', async () => {
    await newMembers(3);
    const id = await begin();
    smtp.answers.text = () => ({ responseCode: 421, message: 'Too many messages' });
    await passMinutes(30 * 24 * 60);
    await sendBroadcasts(parts);
    smtp.answers.text = () => undefined;
    await passMinutes(-30 * 24 * 60);
    assert.equal((await readBroadcast(parts, id)).waitsUntil, null);
    await sendBroadcasts(parts);
    assert.deepEqual(await progressOf(id), done({ sent: 3, recipients: 3 }));
  });
  it('that is away loses nobody', async () => {
    await newMembers(7);
    const id = await begin();
    const away = { ...parts, sendMail: createMailer({ ...config, smtpUrl: 'smtp://127.0.0.1:9' }) };
    await sendBroadcasts(away);
    assert.match((await readBroadcast(parts, id)).trouble ?? '', /ECONNREFUSED/);
    await passMinutes(6);
    await sendBroadcasts(parts);
    assert.deepEqual(await progressOf(id), done({ sent: 7, recipients: 7 }));
  });
  it('that takes the text and does not answer has perhaps sent the mail, once', async () => {
    const [silent] = await newMembers(2);
    const id = await begin();
    const { sendMail } = parts;
    const lost = {
      ...parts,
      sendMail: async (mail: Mail) => {
        await sendMail(mail);
        if (mail.to === silent?.email) throw new PerhapsSent('timeout');
      },
    };
    await sendBroadcasts(lost);
    await passMinutes(24 * 60);
    await sendBroadcasts(parts);
    assert.deepEqual(await progressOf(id), done({ sent: 1, perhapsSent: 1, recipients: 2 }));
    assert.equal(mailsTo(silent?.email ?? '').length, 1);
    await retryBroadcast(parts, operator, id, 'perhaps-sent');
    await sendBroadcasts(parts);
    assert.deepEqual(await progressOf(id), done({ sent: 2, recipients: 2 }));
  });
  it('that knows no such address twice ends broadcasts to it', async () => {
    const [gone, reader] = await newMembers(2);
    smtp.answers.recipient = (address) =>
      address === gone?.email ? { responseCode: 550, message: '5.1.1 user unknown' } : undefined;
    for (const recipients of [2, 2, 1]) {
      const id = await begin();
      await sendBroadcasts(parts);
      const failed = recipients - 1;
      assert.deepEqual(await progressOf(id), done({ sent: 1, failed, recipients }));
      await assert.rejects(retryBroadcast(parts, operator, id, 'failed'), { code: 'already-decided' });
    }
    assert.equal(mailsTo(reader?.email ?? '').length, 3);
  });
  it('that relays for nobody gives up no address, in whatever words it says so', async () => {
    const members = await newMembers(7);
    for (const message of ['relay not permitted', '5.1.1 unknown']) {
      smtp.answers.recipient = () => ({ responseCode: 550, message });
      const id = await begin();
      await sendBroadcasts(parts);
      assert.ok((await readBroadcast(parts, id)).trouble?.includes(message));
      await passMinutes(20);
      await sendBroadcasts(parts);
      smtp.answers.recipient = () => undefined;
      await passMinutes(20);
      await sendBroadcasts(parts);
      await passMinutes(20);
      await sendBroadcasts(parts);
      assert.deepEqual(await progressOf(id), done({ sent: members.length, recipients: 7 }));
    }
    const bounces = await owner.rows(sql`
      select from broadcasts.addresses where email = any (${members.map(({ email }) => email)}::text[])`);
    assert.equal(bounces.length, 0);
  });
  it('that has a full or deferring mailbox is asked again by hand, or by itself for two days', async () => {
    const [full, late, reader] = await newMembers(3);
    const full552 = { responseCode: 552, message: '5.2.2 mailbox full' };
    const later = { responseCode: 451, message: '4.7.1 greylisted' };
    smtp.answers.recipient = (address) =>
      address === full?.email ? full552 : address === late?.email ? later : undefined;
    const id = await begin();
    for (let turn = 0; turn < 10; turn += 1) {
      await sendBroadcasts(parts);
      await passMinutes(8 * 60 + 1);
    }
    assert.deepEqual(await progressOf(id), done({ sent: 1, failed: 2, recipients: 3 }));
    const { failures } = await readBroadcast(parts, id);
    assert.deepEqual(failures, { noAddress: 0, mailboxFull: 1, refused: 0, deferred: 1 });
    smtp.answers.recipient = () => undefined;
    await retryBroadcast(parts, operator, id, 'failed');
    await sendBroadcasts(parts);
    assert.deepEqual(await progressOf(id), done({ sent: 3, recipients: 3 }));
    assert.equal(mailsTo(reader?.email ?? '').length, 1);
  });
  it('that throttles or fails for one recipient alone holds up nobody else, and that mail fails', async () => {
    const [busy, broken] = await newMembers(6);
    smtp.answers.recipient = (address) =>
      address === busy?.email
        ? { responseCode: 450, message: '4.7.1 too many messages for this recipient' }
        : address === broken?.email
          ? { responseCode: 530, message: 'Authentication required' }
          : undefined;
    const first = await begin();
    await sendBroadcasts(parts);
    assert.equal((await progressOf(first)).sent, 4);
    const second = await begin();
    for (let turn = 0; turn < 22; turn += 1) {
      await sendBroadcasts(parts);
      if (turn === 2) assert.equal((await progressOf(second)).sent, 4);
      await passMinutes(8 * 60 + 1);
    }
    for (const id of [first, second]) {
      assert.deepEqual(await progressOf(id), done({ sent: 4, failed: 2, recipients: 6 }));
      const { failures } = await readBroadcast(parts, id);
      assert.deepEqual(failures, { noAddress: 0, mailboxFull: 0, refused: 0, deferred: 2 });
    }
  });
  it('that reports a failure while what failed is sent again loses none of the counts', async () => {
    const [full, reader] = await newMembers(2);
    smtp.answers.recipient = (address) =>
      address === full?.email ? { responseCode: 552, message: '5.2.2 mailbox full' } : undefined;
    const id = await begin();
    await sendBroadcasts(parts);
    smtp.answers.recipient = () => undefined;
    const repeated = await database.transaction(async (tx) => {
      await noteReport(tx, { broadcastId: id, memberId: reader?.id ?? 0 }, 'mailbox-full');
      const retried = retryBroadcast(parts, operator, id, 'failed');
      await isAwaited();
      return { retried };
    });
    await repeated.retried;
    await sendBroadcasts(parts);
    assert.deepEqual(await progressOf(id), done({ sent: 1, failed: 1, recipients: 2 }));
    await retryBroadcast(parts, operator, id, 'failed');
    await sendBroadcasts(parts);
    assert.deepEqual(await progressOf(id), done({ sent: 2, recipients: 2 }));
  });
  it('gets no more mails in a second than the site allows', async () => {
    await newMembers(8);
    await begin();
    const before = smtp.connectionCount;
    const startedAt = performance.now();
    await sendBroadcasts({ ...parts, config: { ...config, broadcastPerSecond: 10 } });
    assert.ok(smtp.connectionCount <= before + 5, 'connections are kept');
    const tookMs = performance.now() - startedAt;
    assert.equal(smtp.received.length, 8);
    assert.ok(tookMs >= 500, String(tookMs));
  });
});

describe('a report of a mail server', () => {
  const idOf = (email: string) =>
    /^Message-ID:\s+(<\S+>)/im.exec(mailsTo(email).at(-1)?.raw ?? '')?.[1] ?? '<none@points.example>';
  it('counts once for a mail, and the second mail that fails ends broadcasts to the address', async () => {
    const [gone] = await newMembers(2);
    const email = gone?.email ?? '';
    for (const recipients of [2, 2, 1]) {
      const id = await begin();
      await sendBroadcasts(parts);
      if (recipients === 1) {
        assert.deepEqual(await progressOf(id), done({ sent: 1, recipients }));
        return;
      }
      const report = reportOf('delivery-status', { address: email, messageId: idOf(email) });
      assert.deepEqual(
        [await takeReport(parts, report), await takeReport(parts, report)],
        ['bounce', 'known'],
      );
      assert.deepEqual(await progressOf(id), done({ sent: 1, failed: 1, recipients }));
    }
  });
  it('ends broadcasts to who complained, and does nothing if this site did not sign its Message-ID', async () => {
    const [reader] = await newMembers(1);
    const email = reader?.email ?? '';
    const wants = async () =>
      (
        await owner.one<{ wants: boolean }>(
          sql`select email_notifications as wants from members.members where id = ${reader?.id}`,
        )
      ).wants;
    await begin();
    await sendBroadcasts(parts);
    const forged = idOf(email).replace(/\.[\w-]{43}@/, `.${'a'.repeat(43)}@`);
    assert.equal(await takeReport(parts, reportOf('feedback-report', { messageId: forged })), 'not-ours');
    assert.equal(await wants(), true);
    assert.equal(
      await takeReport(parts, reportOf('feedback-report', { messageId: idOf(email) })),
      'complaint',
    );
    assert.equal(await wants(), false);
    assert.equal(await takeReport(parts, 'Subject: Hello\r\n\r\nHello'), 'no-report');
  });
});
