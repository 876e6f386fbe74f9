import { PerhapsSent } from '#platform/mail.ts';

/**
 * What became of a mail, from the error of the mail library. RFC 5321 has the codes, RFC 3463 the enhanced ones, which
 * are believed first: `x.1.x` is about the recipient's address, `x.2.x` about the mailbox, `x.7.x` about the sender.
 *
 * Many servers answer a sender who is too fast with a code that RFC 5321 has for recipients, as `552 … relay quota`.
 * So does one who may not send through the server, as `550 relay not permitted`. Such an answer says nothing about a
 * recipient: the site waits and sends more slowly.
 */
export type MailOutcome =
  | { kind: 'no-address' | 'mailbox-full' | 'refused' | 'deferred'; smtpCode: number; answer: string }
  /** The server wants fewer mails of this sender, or none, now. */
  | { kind: 'throttled'; smtpCode: number; answer: string }
  /** The text went to the server, and no answer came. */
  | { kind: 'perhaps' }
  /** The server, its network or the site's own login does not work. The mail certainly was not sent. */
  | { kind: 'trouble'; answer: string };

type SmtpError = Error & { command?: unknown; responseCode?: unknown; response?: unknown };

const SENDER_WORDS = [
  /throttl|rate.?limit|too many (messages|mails|connections|recipients)/i,
  /(relay|sending|sender|message|daily|hourly) (quota|limit|rate)/i,
];
/** The words of a server that takes no mail of this sender, with a code "for good". */
const UNWANTED_SENDER = /\brelay(ing)?\b(?![.@-])|not permitted|denied|authenticat|blocked|policy/i;
/** "Service not available", and "temporary authentication failure", which relays send to a sender who is too fast. */
const THROTTLING_CODES: readonly number[] = [421, 454];
/** An enhanced status. */
const STATUS = /\b[245]\.(\d{1,3})\.(\d{1,3})\b/;
/** These are about the site's own login. */
const LOGIN_CODES: readonly number[] = [530, 534, 535, 538];

export function outcomeOf(error: unknown): MailOutcome {
  const { code, answer, command } = answerOf(error);
  if (code === undefined)
    return error instanceof PerhapsSent ? { kind: 'perhaps' } : { kind: 'trouble', answer };
  const [, subject = '', detail = ''] = STATUS.exec(answer) ?? [];
  if (THROTTLING_CODES.includes(code) || isAboutSender({ code, subject, answer }))
    return { kind: 'throttled', smtpCode: code, answer };
  if (LOGIN_CODES.includes(code) || (command !== 'RCPT TO' && command !== 'DATA'))
    return { kind: 'trouble', answer };
  return { kind: kindOf({ code, subject, detail, command }), smtpCode: code, answer };
}

function isAboutSender({
  code,
  subject,
  answer,
}: {
  code: number;
  subject: string;
  answer: string;
}): boolean {
  if (subject === '1' || subject === '2') return false;
  return SENDER_WORDS.some((words) => words.test(answer)) || (code >= 500 && UNWANTED_SENDER.test(answer));
}

type Answered = {
  code: number;
  subject: string;
  detail: string;
  command: unknown;
  reason: 'no-address' | 'mailbox-full' | 'refused' | 'deferred';
};

function kindOf({ code, subject, detail, command }: Omit<Answered, 'reason'>): Answered['reason'] {
  const isFull = subject === '2' && detail === '2';
  if (code < 500) return 'deferred';
  if (isFull || (subject === '' && code === 552 && command === 'RCPT TO')) return 'mailbox-full';
  if (subject === '1' || (subject === '2' && detail === '1')) return 'no-address';
  const isAboutAddress = [550, 551, 553].includes(code) && command === 'RCPT TO';
  return subject === '' && isAboutAddress ? 'no-address' : 'refused';
}

/** The answer of the mail server in an error or its causes; without a code if the server answered nothing. */
function answerOf(error: unknown): { code: number | undefined; answer: string; command: unknown } {
  for (let found: unknown = error; found instanceof Error; found = found.cause) {
    const { command, responseCode, response, message } = found as SmtpError;
    if (typeof responseCode === 'number' && responseCode >= 400)
      return { code: responseCode, answer: textOf(response ?? message), command };
  }
  return { code: undefined, answer: textOf(error), command: undefined };
}

const textOf = (value: unknown): string =>
  (value instanceof Error ? value.message : String(value)).replaceAll(/\s+/g, ' ').slice(0, 500);

/** The reason that a mail server reports later: by its status, else by the code and the text of its answer. */
export function reasonOf({
  status,
  diagnostic,
  code,
}: {
  status: string;
  diagnostic: string;
  code: number;
}): Answered['reason'] {
  const [, subject = '', detail = ''] = STATUS.exec(diagnostic) ?? STATUS.exec(status) ?? [];
  if (isAboutSender({ code, subject, answer: diagnostic })) return 'refused';
  // `5.0.0` says nothing: the code of the answer does.
  const known = subject === '0' ? { subject: '', detail: '' } : { subject, detail };
  return kindOf({ code, ...known, command: 'RCPT TO' });
}
