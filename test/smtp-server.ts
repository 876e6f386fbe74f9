import { SMTPServer } from 'smtp-server';

/** A real SMTP server in the test process, which keeps what it accepts and answers as the test says. */
export type ReceivedMail = { from: string; to: string; raw: string };
export type SmtpAnswer = { responseCode: number; message: string };

export type TestSmtp = {
  url: string;
  received: ReceivedMail[];
  connectionCount: number;
  /** The answer to a recipient, and to the text of a mail; undefined accepts it. */
  answers: {
    recipient: (address: string) => SmtpAnswer | undefined;
    text: (address: string) => SmtpAnswer | undefined;
  };
  /** Called when the server has accepted a mail, before it says so. */
  onAccepted: (mail: ReceivedMail) => void;
};

const errorOf = ({ responseCode, message }: SmtpAnswer) =>
  Object.assign(new Error(message), { responseCode });

export async function testSmtp(lifetime: {
  after: (callback: () => Promise<void>) => void;
}): Promise<TestSmtp> {
  const answers: TestSmtp['answers'] = { recipient: () => undefined, text: () => undefined };
  const smtp: TestSmtp = { url: '', received: [], connectionCount: 0, answers, onAccepted: () => {} };
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    onConnect(_session, done) {
      smtp.connectionCount += 1;
      done();
    },
    onRcptTo({ address }, _session, done) {
      const answer = answers.recipient(address);
      if (answer === undefined) done();
      else done(errorOf(answer));
    },
    onData(stream, { envelope }, done) {
      const to = envelope.rcptTo[0]?.address ?? '';
      const answer = answers.text(to);
      let raw = '';
      stream.on('data', (chunk: Buffer) => {
        raw += String(chunk);
      });
      stream.on('end', () => {
        if (answer !== undefined) return done(errorOf(answer));
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        const mail = { from, to, raw };
        smtp.received.push(mail);
        smtp.onAccepted(mail);
        done();
      });
    },
  });
  // A client that is killed leaves its connection.
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  lifetime.after(() => new Promise((resolve) => server.close(() => resolve())));
  const { port } = server.server.address() as { port: number };
  smtp.url = `smtp://127.0.0.1:${port}`;
  return smtp;
}

/** The text of a received mail, decoded. */
export function textOfMail({ raw }: ReceivedMail): string {
  const [head = '', ...body] = raw.split('\r\n\r\n');
  const text = body.join('\r\n\r\n');
  const encoding = /^content-transfer-encoding: (\S+)/im.exec(head)?.[1]?.toLowerCase();
  if (encoding === 'base64') return Buffer.from(text, 'base64').toString('utf8');
  if (encoding !== 'quoted-printable') return text;
  const bytes = text
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
