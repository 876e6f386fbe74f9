import { EventEmitter } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * Upgrades of connections. After one, the server's times and limits of calls no longer hold, so only a GET of the path
 * that has sockets gets that far. Another is answered 404 and cut off before anything reads it, and is not logged.
 */
const NOT_FOUND = 'HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';

/** Makes an emitter that emits the server's `upgrade` for this path only. The others are counted by `onRefused`. */
export function admitUpgrades(server: Server, path: string, onRefused: () => void): EventEmitter {
  const admitted = new EventEmitter();
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    const isAdmitted = request.method === 'GET' && request.url?.split('?', 1)[0] === path;
    if (!isAdmitted) onRefused();
    // While the server closes, nobody listens any more.
    if (!isAdmitted || !admitted.emit('upgrade', request, socket, head)) refuse(socket);
  });
  return admitted;
}

/** The client may be gone already, and nothing reads what else it sends. */
function refuse(socket: Duplex): void {
  socket.on('error', () => socket.destroy());
  socket.end(NOT_FOUND, () => socket.destroy());
}
