import { connect, type Socket } from 'node:net';
import { PONG, readFrames } from './socket-frames.ts';
import { type ClientOrder, SENT_AT, TEXT_BYTES_MIN } from './socket-orders.ts';

/**
 * The readers of the benches of sockets, a separate process: thousands of plain connections that read frames. It is
 * ordered by its parent, counts the messages of the bench that arrive, and notes how long each was under way.
 */
const sockets: Socket[] = [];
let received = 0;
let awaited = 0;
let delaysMs: number[] | undefined;

const told = (answer: object) => void process.send?.(answer);

function take(text: Buffer): void {
  // Other frames of the server are shorter.
  if (text.length < TEXT_BYTES_MIN) return;
  received += 1;
  if (delaysMs !== undefined) {
    const at = text.indexOf(SENT_AT) + SENT_AT.length;
    delaysMs.push(Number(process.hrtime.bigint() - BigInt(text.toString('latin1', at, at + 20))) / 1e6);
  }
  if (received === awaited) told({ received });
}

function open(port: number, cookie: string): Promise<Socket> {
  return new Promise((resolve, reject) => {
    let isOpen = false;
    const read = readFrames(take, () => socket.write(PONG));
    const socket = connect({
      port,
      host: '127.0.0.1',
      noDelay: true,
      onread: {
        // All sockets of the process share one buffer, because each read is used up before the next.
        buffer: shared,
        callback: (count) => {
          let bytes = shared.subarray(0, count);
          if (!isOpen) {
            const end = bytes.indexOf('\r\n\r\n');
            if (!bytes.toString('latin1', 0, 12).endsWith(' 101') || end < 0)
              throw new Error(`An upgrade was refused: ${bytes}`);
            isOpen = true;
            resolve(socket);
            bytes = bytes.subarray(end + 4);
          }
          read(bytes);
          return true;
        },
      },
    });
    socket.once('error', reject);
    socket.once('close', () => {
      if (sockets.includes(socket)) throw new Error('The server closed a socket');
    });
    const lines = [
      'GET /ws HTTP/1.1',
      `Host: 127.0.0.1:${port}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      `Origin: http://127.0.0.1:${port}`,
      `Cookie: ${cookie}`,
    ];
    socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  });
}
const shared = Buffer.alloc(64 * 1024);

const OPENED_AT_ONCE = 50;

const acts: { [Kind in ClientOrder['kind']]: (order: Extract<ClientOrder, { kind: Kind }>) => unknown } = {
  open: async ({ port, cookies }) => {
    for (let start = 0; start < cookies.length; start += OPENED_AT_ONCE) {
      const some = cookies.slice(start, start + OPENED_AT_ONCE);
      sockets.push(...(await Promise.all(some.map((cookie) => open(port, cookie)))));
    }
    told({ open: sockets.length });
  },
  leave: ({ count }) => {
    for (const socket of sockets.splice(count)) socket.destroy();
    told({ open: sockets.length });
  },
  await: ({ count, notesDelays }) => {
    received = 0;
    awaited = count;
    delaysMs = notesDelays ? [] : undefined;
    told({ awaited });
  },
  delays: () => {
    const sorted = Float64Array.from(delaysMs ?? []).sort();
    const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
    told({ p50Ms: at(0.5), p99Ms: at(0.99) });
  },
};

process.on('message', (order: ClientOrder) => acts[order.kind](order as never));
