import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';

/**
 * A mailbox on this machine for a real IMAP client: it answers the few commands (RFC 3501) that reading it needs, and
 * nothing at all to a command that the test names. With a certificate it speaks TLS from the first byte.
 */
export type StoredMail = { uid: number; raw: string; isSeen: boolean };
export type TestImap = {
  url: string;
  mails: StoredMail[];
  commands: string[];
  /** The commands that get no answer. */
  silentAt: RegExp | undefined;
  /** Changes when the mails are numbered anew. */
  numbering: number;
  add(raw: string): StoredMail;
};

const USER = 'reports';
const PASSWORD = 'canary imap 4711';

export async function testImap(
  lifetime: { after: (callback: () => Promise<void>) => void },
  certificate?: { key: string; cert: string },
): Promise<TestImap> {
  const sockets = new Set<Socket>();
  const imap: TestImap = {
    url: '',
    mails: [],
    commands: [],
    silentAt: undefined,
    numbering: 1,
    add: (raw) => {
      const mail = { uid: (imap.mails.at(-1)?.uid ?? 0) + 1, raw, isSeen: false };
      imap.mails.push(mail);
      return mail;
    },
  };
  const serve = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    if (imap.silentAt?.test('greeting')) return;
    socket.write('* OK [CAPABILITY IMAP4rev1] ready\r\n');
    let rest = '';
    socket.on('data', (piece) => {
      const lines = (rest + String(piece)).split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) answer(imap, socket, line);
    });
  };
  const server = certificate === undefined ? createServer(serve) : createTlsServer(certificate, serve);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  lifetime.after(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const scheme = certificate === undefined ? 'imap' : 'imaps';
  imap.url = `${scheme}://${USER}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}/Bounces`;
  return imap;
}

function answer(imap: TestImap, socket: Socket, line: string): void {
  const [, tag = '', command = ''] = /^(\S+) (.*)$/.exec(line) ?? [];
  imap.commands.push(command);
  if (imap.silentAt?.test(command)) return;
  if (
    /^LOGIN/.test(command) &&
    command !== `LOGIN ${USER} "${PASSWORD}"` &&
    command !== `LOGIN "${USER}" "${PASSWORD}"`
  )
    return void socket.write(`${tag} NO [AUTHENTICATIONFAILED] Wrong name or password\r\n`);
  for (const reply of repliesTo(imap, command)) socket.write(Buffer.from(`* ${reply}\r\n`, 'latin1'));
  socket.write(`${tag} OK done\r\n`);
  if (command === 'LOGOUT') socket.end();
}

function repliesTo(imap: TestImap, command: string): string[] {
  const { mails } = imap;
  if (command === 'CAPABILITY') return ['CAPABILITY IMAP4rev1'];
  if (command.startsWith('LIST')) return ['LIST (\\HasNoChildren) "/" Bounces'];
  if (command.startsWith('SELECT'))
    return [
      'FLAGS (\\Seen \\Deleted)',
      `${mails.length} EXISTS`,
      '0 RECENT',
      `OK [UIDVALIDITY ${imap.numbering}] valid`,
      `OK [UIDNEXT ${(mails.at(-1)?.uid ?? 0) + 1}] next`,
      'OK [PERMANENTFLAGS (\\Seen \\Deleted)] limited',
    ];
  const [, first = ''] = /^UID SEARCH .*?(\d+):\*/.exec(command) ?? [];
  if (first !== '') {
    // `first:*` always has the last mail (RFC 3501, 6.4.8).
    const last = mails.at(-1)?.uid ?? 0;
    const found = mails.filter(({ uid, isSeen }) => !isSeen && (uid >= Number(first) || uid === last));
    return [['SEARCH', ...found.map(({ uid }) => uid)].join(' ')];
  }
  const [, named = ''] = /^UID (?:FETCH|STORE) (\S+)/.exec(command) ?? [];
  return mails.flatMap((mail, index) => {
    if (!isNamed(named, mail.uid)) return [];
    if (command.startsWith('UID STORE')) mail.isSeen = true;
    return [`${index + 1} FETCH (UID ${mail.uid}${fetched(mail, command)})`];
  });
}

const isNamed = (named: string, uid: number): boolean =>
  named.split(',').some((part) => {
    const [from = '', to = from] = part.split(':');
    return part !== '' && uid >= Number(from) && uid <= Number(to);
  });

function fetched({ raw, isSeen }: StoredMail, command: string): string {
  const literal = (text: string) => `{${Buffer.byteLength(text, 'latin1')}}\r\n${text}`;
  if (command.startsWith('UID STORE')) return ` FLAGS (${isSeen ? '\\Seen' : ''})`;
  const [, length] = /BODY\.PEEK\[\]<0\.(\d+)>/.exec(command) ?? [];
  if (length !== undefined) return ` BODY[]<0> ${literal(raw.slice(0, Number(length)))}`;
  const head = raw.split('\r\n\r\n')[0] ?? '';
  const type = /^content-type:.*(\r\n[ \t].*)*/im.exec(head)?.[0] ?? '';
  return ` BODY[HEADER.FIELDS (CONTENT-TYPE)] ${literal(`${type}\r\n\r\n`)}`;
}
