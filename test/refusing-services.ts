import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';

/** Outside parties on this machine that know none of the site's secrets, and refuse whoever shows one. */
type Lifetime = { after: (callback: () => Promise<void>) => void };

/** Answers every call with this status and body, and with what it was shown. Returns its origin. */
export async function refusingHttp(
  lifetime: Lifetime,
  status: number,
  answer: (asked: string) => string,
): Promise<string> {
  const server = createHttpServer(async (request, response) => {
    let asked = '';
    for await (const piece of request) asked += String(piece);
    response.writeHead(status, { 'content-type': 'application/json' }).end(answer(asked));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  lifetime.after(async () => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A mail server that takes no password. Returns its port. */
export async function refusingMailServer(lifetime: Lifetime): Promise<number> {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.write('220 mail.example ESMTP\r\n');
    socket.on('data', (piece) => {
      const line = String(piece);
      if (/^EHLO/i.test(line)) socket.write('250-mail.example\r\n250 AUTH PLAIN LOGIN\r\n');
      else if (/^AUTH/i.test(line)) socket.write('535 5.7.8 Authentication credentials invalid\r\n');
      else if (/^QUIT/i.test(line)) socket.end('221 Bye\r\n');
      else socket.write('530 5.7.0 Authentication required\r\n');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  lifetime.after(async () => void server.close());
  return (server.address() as AddressInfo).port;
}
