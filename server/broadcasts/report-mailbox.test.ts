import assert from 'node:assert/strict';
import { after, beforeEach, describe, it } from 'node:test';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { sql } from '#platform/database.ts';
import { secretsOf } from '#platform/secrets.ts';
import { sendingParts } from '../../test/broadcast-parts.ts';
import { testDatabase } from '../../test/database.ts';
import { type TestImap, testImap } from '../../test/imap-server.ts';
import { reportOf } from '../../test/mail-reports.ts';
import { testSmtp } from '../../test/smtp-server.ts';
import { testCertificate } from '../../test/tls-certificate.ts';
import { ensureAccount } from '../access/access.ts';
import { sendBroadcasts } from './broadcast-sending.ts';
import { beginBroadcast, readBroadcast } from './broadcasts.ts';
import { createReportTurn } from './report-mailbox.ts';
import { takeReport } from './reports.ts';

/** Reports to the address of a mail, and those in a mailbox that the real IMAP client reads. */
const { database, owner } = await testDatabase({ after });
const [smtp, imap] = [await testSmtp({ after }), await testImap({ after })];
const plain = sendingParts(database, smtp.url, 6_000);
const config = { ...plain.config, bounceAddress: 'bounce@points.example', imapUrl: imap.url };
const parts = { ...plain, config, turnMs: 5_000 };

async function newMember(email: string, wantsNews: boolean): Promise<number> {
  const account = { email, password: null, firstName: 'Mina', lastName: null, role: 'user' } as const;
  const { id } = await ensureAccount(database, { ...account, isEmailVerified: true });
  await owner.rows(sql`
    update members.members set email_notifications = ${wantsNews}, language = 'en' where id = ${id}`);
  return id;
}
const operator = await newMember('operator@example.com', false);
const email = 'reader@example.com';
const reader = await newMember(email, true);

/** Sends a broadcast to the reader, and returns its id and the sender of its mail. */
async function sent(from = parts): Promise<{ id: bigint; sender: string }> {
  const texts = { subject: 'A short pause', content: 'On Monday at three.' };
  const id = BigInt((await beginBroadcast(parts, operator, texts)).id);
  await sendBroadcasts(from);
  return { id, sender: smtp.received.at(-1)?.from ?? '' };
}
const failedOf = async (id: bigint) => (await readBroadcast(parts, id)).failures.noAddress;
const failureTo = (sender: string, address = email) =>
  reportOf('delivery-status', { address, headers: [`To: <${sender}>`] });
const ordinary = 'From: a@b.example\r\nSubject: Hello\r\n\r\nIs this address read by somebody?';
const troubles = () => parts.health.troubles().map(({ name, trouble }) => `${name}: ${trouble}`);

beforeEach(async () => {
  parts.health.report('bounces', undefined);
  await owner.rows(sql`delete from broadcasts.addresses`);
  await owner.rows(sql`update members.members set email_notifications = true where id = ${reader}`);
  imap.mails.length = 0;
  imap.commands.length = 0;
  imap.silentAt = undefined;
  imap.numbering += 1;
});

describe('a report to the address of a mail', () => {
  it('is understood by it alone, in each field and case that servers write', async () => {
    const { id, sender } = await sent();
    assert.match(sender, /^bounce\+[\da-z]+-[\da-z]+-[\da-f]{32}@points\.example$/);
    assert.ok(sender.indexOf('@') <= 64);
    assert.equal(await takeReport(parts, failureTo(sender.toUpperCase())), 'bounce');
    assert.equal(await failedOf(id), 1);
    for (const field of ['Delivered-To', 'X-Original-To', 'Envelope-To']) {
      const report = { address: email, headers: ['To: postmaster@points.example', `${field}: ${sender}`] };
      assert.equal(await takeReport(parts, reportOf('delivery-status', report)), 'known', field);
    }
    const copied = [`Return-Path: <${sender}>`];
    assert.equal(await takeReport(parts, reportOf('delivery-status', { address: email, copied })), 'known');
  });
  it('is none if this site did not sign the address, and the former secret’s counts', async () => {
    const { sender } = await sent();
    const forged = sender.replace(/[\da-f]{32}@/, `${'0'.repeat(32)}@`);
    const other = sender.replace(/\+[\da-z]+-/, '+zz-');
    for (const address of [forged, other, 'bounce@points.example'])
      assert.equal(await takeReport(parts, failureTo(address)), 'not-ours', address);
    const appSecret = Buffer.alloc(32, 8);
    const rotated = secretsOf({ appSecret, appSecretFormer: Buffer.alloc(32, 7) });
    assert.equal(await takeReport({ ...parts, secrets: rotated }, failureTo(sender)), 'bounce');
  });
  it('is about another address after the mail was passed on: the mail failed, the address did not', async () => {
    const { sender } = await sent();
    assert.equal(await takeReport(parts, failureTo(sender, 'other@example.org')), 'failed');
    assert.equal(await owner.row(sql`select from broadcasts.addresses`), undefined);
  });
  it('does not come where no such address is set', async () => {
    const { sender } = await sent({ ...parts, config: { ...config, bounceAddress: null as never } });
    assert.equal(sender, 'no-reply@points.example');
  });
});

describe('a mailbox of reports', () => {
  it('is read: each report is applied and marked read, and every other mail is left alone', async () => {
    const { id, sender } = await sent();
    const [hello, report] = [imap.add(ordinary), imap.add(failureTo(sender))];
    const delayed = { address: email, headers: [`To: ${sender}`], action: 'delayed' } as const;
    const [late, foreign] = [
      imap.add(reportOf('delivery-status', delayed)),
      imap.add(failureTo('bounce@points.example')),
    ];
    const complaint = imap.add(reportOf('feedback-report', { copied: [`Return-Path: <${sender}>`] }));
    const turn = createReportTurn(parts);
    await turn();
    assert.equal(await failedOf(id), 1);
    assert.deepEqual(
      [hello, report, late, foreign, complaint].map(({ isSeen }) => isSeen),
      [false, true, false, false, true],
    );
    const read = imap.commands.filter((command) => command.includes('BODY.PEEK[]<'));
    assert.ok(
      read.every((command) => !command.startsWith(`UID FETCH ${hello.uid} `)),
      read.join('\n'),
    );
    const { wants } = await owner.one<{ wants: boolean }>(sql`
      select email_notifications as wants from members.members where id = ${reader}`);
    assert.equal(wants, false);
    imap.commands.length = 0;
    await turn();
    assert.deepEqual(
      imap.commands.filter((command) => /^UID (FETCH|STORE)/.test(command)),
      [],
      'what was left is not read again',
    );
    assert.deepEqual(troubles(), []);
  });
  it('is read to its end behind many mails that are left, and anew where its mails got other numbers', async () => {
    const { id, sender } = await sent();
    for (let number = 0; number < 1_200; number += 1) imap.add(ordinary);
    const report = imap.add(failureTo(sender));
    const turn = createReportTurn(parts);
    await turn();
    assert.equal(report.isSeen, false);
    await turn();
    assert.deepEqual([report.isSeen, await failedOf(id)], [true, 1]);
    const next = await sent();
    imap.numbering += 1;
    imap.mails.length = 0;
    const first = imap.add(failureTo(next.sender));
    await turn();
    assert.deepEqual([first.isSeen, await failedOf(next.id)], [true, 1]);
  });
  it('that is away, refuses or is silent is one line in health, and is read when it is back', async () => {
    const turnWith = (change: object, turnMs = 300) =>
      createReportTurn({ ...parts, turnMs, config: { ...config, ...change } });
    await turnWith({ imapUrl: 'imap://a:b@127.0.0.1:9/INBOX' })();
    assert.match(troubles().join(), /^bounces: The mailbox of IMAP_URL can’t be read: .*ECONNREFUSED.*$/);
    await turnWith({ imapUrl: imap.url.replace('4711', '4712') }, 5_000)();
    assert.match(troubles().join(), /^bounces: [^,]*Wrong name or password$/);
    const { id, sender } = await sent();
    const report = imap.add(failureTo(sender));
    // The last one must get so far within its time.
    const silences: [RegExp, number][] = [
      ...[/greeting/, /^LOGIN/, /^SELECT/, /^UID SEARCH/, /^UID FETCH/].map((at): [RegExp, number] => [
        at,
        300,
      ]),
      [/^UID STORE/, 3_000],
    ];
    for (const [silentAt, turnMs] of silences) {
      imap.silentAt = silentAt;
      const startedAt = performance.now();
      await turnWith({}, turnMs)();
      assert.ok(performance.now() - startedAt < turnMs + 2_000, String(silentAt));
      assert.deepEqual(troubles(), ['bounces: The mailbox of IMAP_URL can’t be read: no answer in time']);
      assert.equal(report.isSeen, false, String(silentAt));
    }
    assert.equal(await failedOf(id), 1, 'it was applied before it could be marked');
    assert.doesNotMatch(troubles().join(), /canary/);
    imap.silentAt = undefined;
    await turnWith({}, 5_000)();
    assert.deepEqual([report.isSeen, await failedOf(id), troubles()], [true, 1, []]);
  });
  it('is read over TLS, and one line says that its certificate is not trusted or has expired', async (context) => {
    const [own, others] = [testCertificate(), testCertificate({ host: 'mail.example' })];
    const [secure, misnamed, expired] = [
      await testImap({ after }, own),
      await testImap({ after }, others),
      await testImap({ after }, testCertificate({ isExpired: true })),
    ];
    const warned = context.mock.method(parts.log, 'warn', () => undefined);
    const turn = ({ url }: TestImap) => createReportTurn({ ...parts, config: { ...config, imapUrl: url } })();
    const { id, sender } = await sent();
    const report = secure.add(failureTo(sender));
    for (const _ of [1, 2]) await turn(secure);
    assert.match(troubles().join(), /^bounces: [^:]* can’t be read: self-signed certificate\b/);
    assert.deepEqual([secure.commands, warned.mock.callCount()], [[], 1]);
    const trusted = getCACertificates('default');
    setDefaultCACertificates([...trusted, own.cert, others.cert]);
    try {
      await turn(secure);
      assert.deepEqual([troubles(), report.isSeen, await failedOf(id)], [[], true, 1]);
      await turn(misnamed);
      assert.match(troubles().join(), /^bounces: .*IP: 127\.0\.0\.1 is not in the cert/);
    } finally {
      setDefaultCACertificates(trusted);
    }
    await turn(expired);
    assert.match(troubles().join(), /^bounces: .*certificate/);
    assert.deepEqual([misnamed.commands, expired.commands], [[], []]);
  });
  it('that nobody configured is not read', async () => {
    await createReportTurn({ ...parts, config: { ...config, imapUrl: null as never } })();
    assert.deepEqual([imap.commands, troubles()], [[], []]);
  });
});
