import { connect } from 'node:net';

/** The whole answer of one call as received: the status line, the headers and the body. */
export type WireAnswer = { bytes: number; head: string; body: string };

/** Calls once over a new kept-alive connection and reads until the body is complete. */
export function readAnswer(
  port: number,
  path: string,
  headers: Record<string, string> = {},
): Promise<WireAnswer> {
  const lines = Object.entries({ host: `127.0.0.1:${port}`, ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(`GET ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    });
    socket.setTimeout(10_000, () => socket.destroy(new Error('No whole answer in 10 s')));
    let received = Buffer.alloc(0);
    socket.on('error', reject);
    socket.on('end', () => reject(new Error('The connection ended before the answer was whole')));
    socket.on('data', (chunk) => {
      received = Buffer.concat([received, chunk]);
      const end = received.indexOf('\r\n\r\n');
      if (end < 0) return;
      const head = received.subarray(0, end).toString('latin1');
      const length = Number(/^content-length: (\d+)$/im.exec(head)?.[1]);
      if (received.length < end + 4 + length) return;
      socket.destroy();
      resolve({ bytes: received.length, head, body: received.subarray(end + 4).toString() });
    });
  });
}
