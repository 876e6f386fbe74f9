import type { Readable } from 'node:stream';
import type { Transporter } from 'nodemailer';
import type { Config } from './config.ts';

/**
 * A plain-text mail to one person. Text chosen by members may be in the subject and the text, never in another header.
 */
export type Mail = {
  to: string;
  /** The name of the sender: the site's. Mails of an older release have none. */
  fromName?: string;
  subject: string;
  text: string;
  /** A name that stays the same when the mail is sent again. The library makes one by default. */
  messageId?: string;
  /** Where reports about the mail come, if not to its sender. */
  reportsTo?: string;
  /** Further headers, by name. They hold no text that a person chose. */
  headers?: Readonly<Record<string, string>>;
};

/** Makes a mail of the site: it is from the site's name, which ends it, with the address that a member writes to. */
export const mailOf = (
  { name, supportEmail }: { name: string; supportEmail: string },
  { to, subject, lines }: { to: string; subject: string; lines: readonly string[] },
): Mail => ({ to, fromName: name, subject, text: [...lines, `${name}\n${supportEmail}`].join('\n\n') });

/** The address in MAIL_FROM, which may have a name. */
const addressIn = (mailFrom: string): string => /<([^<>]+)>\s*$/.exec(mailFrom)?.[1] ?? mailFrom;

/** The job that sends one mail, which is its payload. */
export const MAIL_JOB = 'mail.send';

/** For one mail, from the connection to the server's acceptance. A mail that is given up is sent again by its job. */
const TIMEOUT_MS = 5_000;

export type SendMail = (mail: Mail) => Promise<void>;

/** The mail server works, and takes this mail for this recipient neither now nor later. */
export class RecipientRefused extends Error {}

/** The mail server works, and does not take this mail for this recipient now. */
export class RecipientDeferred extends Error {}

/** The mail's text went to the server, and no answer came in time. The server may have sent the mail. */
export class PerhapsSent extends Error {}

/** A mail that perhaps was sent is sent again until it had this many attempts, because each may be a copy. */
export const COPIES_MAX = 3;

/** More mails at the same time wait for each other, within the time of each. */
export const CONNECTIONS_MAX = 5;
/** Connections are shared by the mails of one burst, and closed soon after it. */
const POOL = { pool: true, maxConnections: CONNECTIONS_MAX, idleTimeout: 1_000 } as const;
/** A mail whose connection broke may have been accepted. Only its sender knows whether to send it again. */
const NO_REPEATS = { maxRequeues: 0 } as const;

/**
 * Makes a function that sends by SMTP. It throws on failure, so that the job runs again. The mail library is loaded at
 * the first mail, because most processes send none. @throws RecipientRefused, RecipientDeferred, PerhapsSent, or the
 * library's error
 */
export function createMailer(config: Pick<Config, 'smtpUrl' | 'mailFrom'>): SendMail {
  const { smtpUrl, mailFrom } = config;
  if (smtpUrl === null) throw new Error('SMTP_URL is not set');
  let transport: Promise<Transporter> | undefined;
  return async ({ to, fromName, subject, text, messageId, reportsTo, headers = {} }) => {
    transport ??= openTransport(smtpUrl, mailFrom, { ...POOL, ...NO_REPEATS });
    const source: { stream?: Readable } = {};
    try {
      await (await transport).sendMail({
        to: { name: '', address: to },
        ...(fromName === undefined ? {} : { from: { name: fromName, address: addressIn(mailFrom) } }),
        subject: subject.replaceAll(/[\r\n]+/g, ' '),
        text,
        ...(messageId === undefined ? {} : { messageId }),
        ...(reportsTo === undefined ? {} : { envelope: { from: reportsTo, to } }),
        headers: Object.entries(headers).map(([key, value]) => ({ key, value })),
        signal: AbortSignal.timeout(TIMEOUT_MS),
        source,
      } as SentMail);
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const isBegun = source.stream?.readableDidRead === true;
      throw recipientError(error) ?? (isBegun ? new PerhapsSent(error.message, { cause: error }) : error);
    }
  };
}

/** A mail in the library, which fills `source` with the stream of the mail when it opens it. */
type SentMail = Parameters<Transporter['sendMail']>[0] & { source?: { stream?: Readable } };

/**
 * Makes the library show the stream of each mail. It reads from the stream when the server asked for the text, so the
 * stream tells whether the server may have the mail.
 */
function showStreams(transport: Transporter): void {
  transport.use('stream', ({ data, message }, done) => {
    const { source } = data as SentMail;
    const open = message.createReadStream.bind(message);
    message.createReadStream = (options) => {
      const stream = open(options);
      if (source !== undefined) source.stream = stream;
      return stream;
    };
    done();
  });
}

/**
 * Answers that are about the server or the site's own login: "service not available", "temporary authentication
 * failure", "authentication required", "mechanism too weak" and "credentials invalid".
 */
const SERVER_CODES: readonly number[] = [421, 454, 530, 534, 535, 538];

/** The steps that are about one mail: its recipient and its text. */
const MAIL_STEPS: readonly unknown[] = ['RCPT TO', 'DATA'];

/** Makes the error of a mail whose recipient or text the server answered with a failure; undefined for others. */
function recipientError(error: Error): RecipientRefused | RecipientDeferred | undefined {
  const { command, responseCode } = error as Error & { command?: unknown; responseCode?: unknown };
  const code = Number(responseCode);
  if (!MAIL_STEPS.includes(command) || !(code >= 400) || SERVER_CODES.includes(code)) return undefined;
  const Kind = code >= 500 ? RecipientRefused : RecipientDeferred;
  return new Kind(error.message, { cause: error });
}

const VERIFY_MS = 5_000;

/** Connects to the mail server and signs in, without sending. @throws the library's error */
export async function verifyMail({ smtpUrl, mailFrom }: Pick<Config, 'smtpUrl' | 'mailFrom'>): Promise<void> {
  if (smtpUrl === null) throw new Error('SMTP_URL is not set');
  const timeouts = { connectionTimeout: VERIFY_MS, greetingTimeout: VERIFY_MS, socketTimeout: VERIFY_MS };
  const transport = await openTransport(smtpUrl, mailFrom, timeouts);
  try {
    await transport.verify();
  } finally {
    transport.close();
  }
}

async function openTransport(smtpUrl: string, from: string, options: object): Promise<Transporter> {
  const { createTransport } = await import('nodemailer');
  // Beside an address in a text, the library would take the options as fields of every mail.
  const given = { url: smtpUrl, ...options, disableFileAccess: true, disableUrlAccess: true };
  const transport = createTransport(given as Parameters<typeof createTransport>[0], { from });
  showStreams(transport);
  return transport;
}
