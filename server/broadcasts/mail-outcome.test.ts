import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { PerhapsSent, RecipientDeferred, RecipientRefused } from '#platform/mail.ts';
import { outcomeOf } from './mail-outcome.ts';

/** What answers of real mail servers mean for a broadcast. */
const answered = (command: string, responseCode: number, text: string) =>
  Object.assign(new Error(`Can't send mail - ${responseCode} ${text}`), {
    command,
    responseCode,
    response: `${responseCode} ${text}`,
  });
const kindOf = (command: string, code: number, text: string) => outcomeOf(answered(command, code, text)).kind;
const RCPT = 'RCPT TO';

describe('the outcome of a mail', () => {
  it('is a throttle where the answer is about the sender, whatever its code', () => {
    const throttles = [
      [RCPT, 454, 'Throttling failure: Maximum sending rate exceeded.'],
      ['DATA', 454, 'Throttling failure: Daily message quota exceeded.'],
      ['MAIL FROM', 421, 'Too many messages in this connection'],
      ['CONN', 421, '4.7.0 Try again later, closing connection.'],
      ['DATA', 552, 'You have exceeded your relay quota'],
      ['DATA', 552, '5.7.0 Message rejected: sending quota reached'],
      [RCPT, 450, '4.7.1 Error: too many recipients from this sender'],
      [RCPT, 550, '5.4.5 Daily user sending limit exceeded.'],
      [RCPT, 550, 'relay not permitted'],
      [RCPT, 550, 'Relaying denied'],
      [RCPT, 553, 'sorry, that domain is blocked by our policy'],
      [RCPT, 554, '5.7.1 <a@b.example>: Relay access denied'],
      [RCPT, 550, '5.7.1 Client host blocked using a list'],
      [RCPT, 550, 'Authentication is required for this sender'],
    ] as const;
    for (const [command, code, text] of throttles)
      assert.equal(kindOf(command, code, text), 'throttled', `${command}: ${code} ${text}`);
  });
  it('names an address that does not exist, and no other failure, for good', () => {
    assert.equal(kindOf(RCPT, 550, '5.1.1 <a@b.example>: user unknown'), 'no-address');
    assert.equal(kindOf(RCPT, 550, 'No such user here'), 'no-address');
    assert.equal(kindOf(RCPT, 550, '5.2.1 The mailbox is disabled'), 'no-address');
    assert.equal(kindOf('DATA', 550, '5.1.1 no such user'), 'no-address');
    assert.equal(kindOf(RCPT, 550, '5.1.1 relay2: mailbox is blocked, access denied'), 'no-address');
    assert.equal(kindOf(RCPT, 550, 'No such user at relay.example'), 'no-address');
    assert.equal(kindOf(RCPT, 554, 'Transaction failed'), 'refused');
    assert.equal(kindOf('DATA', 554, '5.7.1 spam'), 'refused');
    assert.equal(kindOf('DATA', 552, '5.3.4 message size exceeds limit of this server'), 'refused');
  });
  it('tells a full mailbox from a sender with a spent quota', () => {
    assert.equal(
      kindOf(RCPT, 552, '5.2.2 mailbox full: daily quota of the mailbox exceeded'),
      'mailbox-full',
    );
    assert.equal(kindOf(RCPT, 552, 'Requested mail action aborted'), 'mailbox-full');
    assert.equal(kindOf(RCPT, 452, '4.2.2 mailbox is over quota'), 'deferred');
    assert.equal(kindOf(RCPT, 451, '4.7.1 greylisted'), 'deferred');
  });
  it('is found in the errors that the mailer makes', () => {
    const refused = answered(RCPT, 550, '5.1.1 unknown');
    assert.equal(outcomeOf(new RecipientRefused('x', { cause: refused })).kind, 'no-address');
    const deferred = answered(RCPT, 450, 'busy');
    assert.equal(outcomeOf(new RecipientDeferred('x', { cause: deferred })).kind, 'deferred');
    const throttled = answered('DATA', 421, 'closing');
    assert.equal(outcomeOf(new PerhapsSent('x', { cause: throttled })).kind, 'throttled');
  });
  it('is perhaps sent without an answer to the text, and a trouble before it', () => {
    assert.equal(outcomeOf(new PerhapsSent('timeout', { cause: new Error('timeout') })).kind, 'perhaps');
    assert.deepEqual(outcomeOf(new Error('connect ECONNREFUSED')), {
      kind: 'trouble',
      answer: 'connect ECONNREFUSED',
    });
    assert.equal(kindOf('AUTH PLAIN', 535, '5.7.8 bad credentials'), 'trouble');
    assert.equal(kindOf('MAIL FROM', 550, 'sender rejected'), 'trouble');
  });
});
