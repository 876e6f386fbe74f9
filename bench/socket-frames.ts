/**
 * The frames that a server sends, as far as a bench needs them: whole ones with at most 65,535 bytes of text. It does
 * little for each, because thousands of sockets share the process that reads them.
 */
const TEXT = 0x81;
const PING = 0x89;

export type FrameReader = (chunk: Buffer) => void;

/** Makes a function that reads the bytes of one socket, and tells each text and each ping. */
export function readFrames(onText: (text: Buffer) => void, onPing: () => void): FrameReader {
  let before: Buffer | undefined;
  return (chunk) => {
    let bytes = before === undefined ? chunk : Buffer.concat([before, chunk]);
    before = undefined;
    while (bytes.length >= 2) {
      const short = bytes[1] as number;
      const start = short < 126 ? 2 : 4;
      if (bytes.length < start) break;
      const end = start + (short < 126 ? short : bytes.readUInt16BE(2));
      if (bytes.length < end) break;
      if (bytes[0] === TEXT) onText(bytes.subarray(start, end));
      else if (bytes[0] === PING) onPing();
      bytes = bytes.subarray(end);
    }
    // The chunk is a part of a buffer that is used again.
    if (bytes.length > 0) before = Buffer.from(bytes);
  };
}

/** An empty pong, masked as a client must. */
export const PONG = Buffer.from([0x8a, 0x80, 0, 0, 0, 0]);
