import { connect } from 'node:net';

/**
 * A kept-alive connection with one request at a time. It reads only what it needs of an answer: the status, the
 * length, and whether all of it has arrived.
 */
export type Connection = {
  /** Sends a whole request. Calls `done` with the status and the length of the body. */
  ask(request: Buffer, done: Answered): void;
  close(): void;
};

export type Answered = (status: number, bodyBytes: number) => void;

const CHUNK_BYTES = 64 * 1024;
const headEnd = Buffer.from('\r\n\r\n');
const lengthField = Buffer.from('\r\ncontent-length: ');
const ZERO = 48;

function numberAt(bytes: Buffer, start: number): number {
  let value = 0;
  for (let at = start; ; at += 1) {
    const digit = (bytes[at] as number) - ZERO;
    if (digit < 0 || digit > 9) return value;
    value = value * 10 + digit;
  }
}

/** The end of the answer in `bytes`, its status and the length of its body; undefined while it is incomplete. */
function readAnswer(bytes: Buffer): { status: number; bodyBytes: number } | undefined {
  const end = bytes.indexOf(headEnd);
  if (end < 0) return undefined;
  const field = bytes.indexOf(lengthField);
  if (field < 0 || field > end)
    throw new Error(`An answer without length: ${bytes.toString('latin1', 0, end)}`);
  const bodyBytes = numberAt(bytes, field + lengthField.length);
  if (bytes.length < end + headEnd.length + bodyBytes) return undefined;
  return { status: numberAt(bytes, 9), bodyBytes };
}

export function openConnection(port: number): Promise<Connection> {
  let answered: Answered | undefined;
  let before: Buffer | undefined;
  const received = (count: number, chunk: Uint8Array): boolean => {
    const fresh = Buffer.from(chunk.buffer, chunk.byteOffset, count);
    const bytes = before === undefined ? fresh : Buffer.concat([before, fresh]);
    const answer = readAnswer(bytes);
    if (answer === undefined) {
      before = Buffer.from(bytes);
      return true;
    }
    before = undefined;
    const tell = answered;
    answered = undefined;
    tell?.(answer.status, answer.bodyBytes);
    return true;
  };
  return new Promise((resolve, reject) => {
    const socket = connect({
      port,
      host: '127.0.0.1',
      noDelay: true,
      onread: { buffer: Buffer.alloc(CHUNK_BYTES), callback: received },
    });
    socket.once('error', reject);
    socket.once('connect', () =>
      resolve({
        ask(request, done) {
          answered = done;
          socket.write(request);
        },
        close: () => void socket.destroy(),
      }),
    );
    socket.once('close', () => {
      if (answered !== undefined) throw new Error('The server closed a connection that waited for an answer');
    });
  });
}
