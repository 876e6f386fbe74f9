import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readMailReport } from './mail-report.ts';

/** Reports in the shapes of real mail servers, with each kind of line end. */
const original = [
  'Return-Path: <no-reply@points.example>',
  'From: Earnest <no-reply@points.example>',
  'To: gone@reader.example',
  'Subject: A short pause',
  'Message-ID:',
  ' <broadcast.7.500000001.abcdefghijklmnopqrstuvwxyz@points.example>',
];
const messageId = '<broadcast.7.500000001.abcdefghijklmnopqrstuvwxyz@points.example>';

const mailOf = (reportType: string, parts: string[][], isClosed = true): string =>
  [
    'From: MAILER-DAEMON@mx.reader.example (Mail Delivery System)',
    'Subject: Undelivered Mail Returned to Sender',
    `Content-Type: multipart/report; report-type=${reportType};`,
    '\tboundary="7A1B.1700000000/mx.reader.example"',
    'MIME-Version: 1.0',
    '',
    'This is a MIME-encapsulated message.',
    '',
    ...parts.flatMap((part) => ['--7A1B.1700000000/mx.reader.example', ...part, '']),
    ...(isClosed ? ['--7A1B.1700000000/mx.reader.example--', ''] : []),
  ].join('\n');

const notice = ['Content-Type: text/plain; charset=us-ascii', '', 'I could not deliver your message.'];
const statusOf = (...fields: string[]) => [
  'Content-Type: message/delivery-status',
  '',
  'Reporting-MTA: dns; mx.reader.example',
  'Arrival-Date: Mon, 23 Nov 2026 03:00:00 +0900 (KST)',
  '',
  ...fields,
];
const returned = ['Content-Type: text/rfc822-headers', '', ...original];

const postfix = mailOf('delivery-status', [
  notice,
  statusOf(
    'Final-Recipient: rfc822; Gone@reader.example',
    'Original-Recipient: rfc822;gone@reader.example',
    'Action: failed',
    'Status: 5.1.1',
    'Diagnostic-Code: smtp; 550 5.1.1 <gone@reader.example>: Recipient address rejected:',
    '    User unknown in virtual mailbox table',
  ),
  returned,
]);
const bounce = (status: string, diagnostic: string, action = 'failed') =>
  readMailReport(
    mailOf('delivery-status', [
      notice,
      statusOf(
        'Final-Recipient: RFC822; <gone@reader.example>',
        `Action: ${action}`,
        `Status: ${status}`,
        `Diagnostic-Code: smtp;${diagnostic}`,
      ),
      ['Content-Type: message/rfc822', '', ...original, '', 'On Monday at three.'],
    ]),
  );

describe('a report about a mail', () => {
  it('names the mail in the form for addresses beyond ASCII (RFC 6533) too', () => {
    const [head = '', ...fields] = statusOf(
      'Final-Recipient: utf-8; gone@reader.example',
      'Action: failed',
      'Status: 5.1.1',
    );
    const status = [head.replace('delivery-status', 'global-delivery-status'), ...fields];
    const copies = ['message/global', 'message/global-headers'].map((type) => [
      `Content-Type: ${type}`,
      '',
      ...original,
    ]);
    for (const copy of copies)
      assert.equal(readMailReport(mailOf('delivery-status', [notice, status, copy]))?.messageId, messageId);
  });
  it('names the address, the mail, and that it fails for good, with every kind of line end', () => {
    const expected = {
      kind: 'bounce',
      recipient: 'gone@reader.example',
      reason: 'no-address',
      isPermanent: true,
      messageId,
      addresses: ['<no-reply@points.example>'],
    };
    for (const lineEnd of ['\r\n', '\n', '\r'])
      assert.deepEqual(readMailReport(postfix.replaceAll('\n', lineEnd)), expected, JSON.stringify(lineEnd));
    assert.deepEqual(readMailReport(`From MAILER-DAEMON Mon Nov 23 03:00:00 2026\n${postfix}`), expected);
  });
  it('tells a full mailbox, a refusal and a server that gave up from an address that does not exist', () => {
    const reasonOf = (...given: [string, string]) => {
      const report = bounce(...given);
      return report?.kind === 'bounce' ? [report.reason, report.isPermanent] : report;
    };
    assert.deepEqual(reasonOf('5.2.2', '552 5.2.2 mailbox is full'), ['mailbox-full', true]);
    assert.deepEqual(reasonOf('5.7.1', '554 5.7.1 Message blocked'), ['refused', true]);
    assert.deepEqual(reasonOf('4.4.1', '451 connection timed out'), ['deferred', false]);
    assert.deepEqual(reasonOf('5.0.0', '550 no such user'), ['no-address', true]);
    assert.deepEqual(reasonOf('5.4.5', '550 5.4.5 Daily user sending limit exceeded'), ['refused', true]);
  });
  it('is none while the server still tries, and none of an ordinary mail', () => {
    assert.equal(bounce('4.4.1', '451 connection timed out', 'delayed'), undefined);
    assert.equal(
      readMailReport(['From: a@b.example', 'Subject: Hello', '', 'failed 5.1.1'].join('\n')),
      undefined,
    );
    assert.equal(readMailReport(''), undefined);
    assert.equal(readMailReport(mailOf('delivery-status', [notice])), undefined);
  });
  it('occupies nobody for long if it was made for that', () => {
    const long = (part: string) => part.repeat(300_000 / part.length);
    const startedAt = performance.now();
    for (const value of [`a${long(' ')}a`, `${long(' ')}a`, long(';boundary="'), `;boundary${long(' ')}`])
      for (const name of ['Subject', 'Content-Type', 'x'.repeat(100_000)])
        assert.equal(readMailReport(`${name}: ${value}\n\ntext`), undefined);
    const hostile = statusOf(
      ...Array.from({ length: 30 }, () => `\nFinal-Recipient: x;${'@'.repeat(9_000)}<`),
    );
    assert.equal(readMailReport(mailOf('delivery-status', [notice, hostile, returned])), undefined);
    const tookMs = performance.now() - startedAt;
    assert.ok(tookMs < 1_000, String(tookMs));
  });
  it('is read where its parts are encoded, and where it was cut off or holds no copy', () => {
    const fields =
      'Reporting-MTA: dns; x\r\n\r\nFinal-Recipient: rfc822;gone@reader.example\r\nAction: failed\r\nStatus: 5.1.1\r\n';
    const encoded = [
      'Content-Type: message/delivery-status',
      'Content-Transfer-Encoding: base64',
      '',
      Buffer.from(fields).toString('base64'),
    ];
    const report = readMailReport(mailOf('delivery-status', [notice, encoded], false));
    assert.deepEqual(report?.kind === 'bounce' && [report.reason, report.recipient, report.messageId], [
      'no-address',
      'gone@reader.example',
      null,
    ]);
  });
  it('is a complaint in the form of ARF, and no complaint if its reader says that it was wanted', () => {
    const arf = (kind: string) =>
      mailOf('feedback-report', [
        notice,
        [
          'Content-Type: message/feedback-report',
          '',
          `Feedback-Type: ${kind}`,
          'User-Agent: Mailbox/1.0',
          'Version: 1',
          'Original-Rcpt-To: <removed>',
        ],
        ['Content-Type: message/rfc822', 'Content-Disposition: inline', '', ...original, '', 'Text'],
      ]);
    for (const lineEnd of ['\r\n', '\n', '\r'])
      assert.deepEqual(readMailReport(arf('abuse').replaceAll('\n', lineEnd)), {
        kind: 'complaint',
        messageId,
        addresses: ['<no-reply@points.example>'],
      });
    assert.equal(readMailReport(arf('not-spam')), undefined);
  });
});
