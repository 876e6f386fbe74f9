import { unescape as decoded } from 'node:querystring';
import type { ImapFlow } from 'imapflow';

/**
 * A mailbox that the site reads by IMAP. Looking at a mail changes nothing in it; only `markRead` does. Every wait ends
 * with the signal, which closes the connection.
 */
export type Mailbox = {
  /** Changes when the server numbers the mails anew. */
  numbering: bigint;
  /** The unread mails of a kind (`multipart/report`) with a number from `first`, and the last number looked at. */
  listUnread(first: number, type: string): Promise<{ numbers: number[]; lastNumber: number }>;
  /** The beginning of a mail, as bytes in a text. */
  read(number: number, bytesMax: number): Promise<string>;
  markRead(number: number): Promise<void>;
};

/** So many unread mails are looked at by one command. */
const LISTED_MAX = 1_000;
const CONNECTION_MS = 10_000;
const SILENCE_MS = 10_000;
/** More than a mail of `read` and the numbers of half a million mails have. */
const ANSWER_BYTES_MAX = 4_000_000;
const HOSTS_OF_THIS_MACHINE: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** A failure of the mail server or of the way to it, in its words. */
export class MailboxTrouble extends Error {}

/**
 * Opens the mailbox of an `imaps:` URL for the time of `use`. With `imap:`, another machine must offer STARTTLS. The
 * library is loaded here, because most nodes read no mailbox. @throws MailboxTrouble, and what `use` throws
 */
export async function withMailbox(
  imapUrl: string,
  signal: AbortSignal,
  use: (mailbox: Mailbox) => Promise<void>,
): Promise<void> {
  const { ImapFlow } = await import('imapflow');
  const { protocol, hostname, port, username, password, pathname } = new URL(imapUrl);
  const isSecure = protocol === 'imaps:';
  const client = new ImapFlow({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port || (isSecure ? 993 : 143)),
    secure: isSecure,
    ...(isSecure || HOSTS_OF_THIS_MACHINE.includes(hostname) ? {} : { doSTARTTLS: true }),
    auth: { user: decoded(username), pass: decoded(password) },
    logger: false,
    disableAutoIdle: true,
    connectionTimeout: CONNECTION_MS,
    greetingTimeout: CONNECTION_MS,
    socketTimeout: SILENCE_MS,
    maxLineLength: ANSWER_BYTES_MAX,
    maxLiteralSize: ANSWER_BYTES_MAX,
    maxResponseSize: 2 * ANSWER_BYTES_MAX,
  });
  const close = () => client.close();
  // What is asked at that moment fails.
  client.on('error', close);
  signal.addEventListener('abort', close);
  try {
    await asked(signal, () => client.connect());
    const folder = decoded(pathname.slice(1)) || 'INBOX';
    const { uidValidity } = await asked(signal, () => client.mailboxOpen(folder));
    await use(mailboxOf(client, uidValidity, signal));
    await asked(signal, () => client.logout());
  } finally {
    signal.removeEventListener('abort', close);
    close();
  }
}

function mailboxOf(client: ImapFlow, numbering: bigint, signal: AbortSignal): Mailbox {
  const byNumber = { uid: true } as const;
  return {
    numbering,
    listUnread: async (first, type) => {
      const unread = { seen: false, deleted: false, uid: `${first}:*` };
      const found = (await asked(signal, () => client.search(unread, byNumber))) || [];
      // Where no mail has such a number, `*` is the last mail.
      const numbers = found.filter((number) => number >= first).sort((left, right) => left - right);
      const looked = numbers.slice(0, LISTED_MAX);
      const lastNumber = looked.at(-1);
      if (lastNumber === undefined) return { numbers: [], lastNumber: first - 1 };
      const mails = await asked(signal, () =>
        client.fetchAll(looked.join(','), { uid: true, headers: ['content-type'] }, byNumber),
      );
      const ofType = mails.filter(({ headers }) => String(headers).toLowerCase().includes(type));
      return { numbers: ofType.map(({ uid }) => uid).sort((left, right) => left - right), lastNumber };
    },
    read: async (number, bytesMax) => {
      const query = { uid: true, source: { maxLength: bytesMax } };
      const mail = await asked(signal, () => client.fetchOne(String(number), query, byNumber));
      return mail === false ? '' : (mail.source?.toString('latin1') ?? '');
    },
    markRead: async (number) => {
      await asked(signal, () => client.messageFlagsAdd(String(number), ['\\Seen'], byNumber));
    },
  };
}

/** Asks the server, and gives its failure in the server's own words. */
async function asked<T>(signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
  try {
    signal.throwIfAborted();
    return await ask();
  } catch (error) {
    const { message, responseText } = error as Error & { responseText?: unknown };
    const words = signal.aborted ? 'no answer in time' : String(responseText ?? message);
    throw new MailboxTrouble(words.replaceAll(/\s+/g, ' ').slice(0, 300), { cause: error });
  }
}
