import type { AddressInfo } from 'node:net';
import PostalMime from 'postal-mime';
import { SMTPServer } from 'smtp-server';
import type { Database } from '#platform/database.ts';
import type { Log } from '#platform/log.ts';
import { addToOutbox } from './outbox.ts';

/**
 * Simulates an SMTP server: accepts all mail, delivers none and stores it in the outbox. It answers 250 only after the
 * mail is stored, as a real server does with its queue.
 */
const MAIL_BYTES_MAX = 1024 * 1024;

export async function startMailServer(
  database: Database,
  log: Log,
): Promise<{ url: string; close: () => Promise<void> }> {
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    size: MAIL_BYTES_MAX,
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const recipients = session.envelope.rcptTo.map(({ address }) => address);
        keep(database, Buffer.concat(chunks), recipients).then(() => done(), done);
      });
    },
  });
  server.on('error', (error) => log.warn({ error }, 'the sandbox mail server lost a connection'));
  await new Promise<void>((resolve, reject) => {
    server.server.once('error', reject);
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

async function keep(database: Database, raw: Buffer, recipients: readonly string[]): Promise<void> {
  const mail = await PostalMime.parse(raw);
  const [subject, text] = [mail.subject ?? '', (mail.text ?? '').trimEnd()];
  for (const to of recipients) await addToOutbox(database, { kind: 'mail', to, subject, text, code: null });
}
