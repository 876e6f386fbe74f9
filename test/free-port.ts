import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that Linux gives to outgoing connections, and above those that browsers refuse. */
const PORT_FIRST = 20_000;
const PORT_LAST = 31_999;
const ATTEMPTS_MAX = 20;

/**
 * Finds a free port for a program that is started later. It is chosen at random, because tests run at the same time. A
 * port from the range of outgoing connections could be taken by one of them before the program listens.
 */
export async function freePort(): Promise<number> {
  for (let attempt = 1; ; attempt += 1) {
    const port = randomInt(PORT_FIRST, PORT_LAST + 1);
    if (await isFree(port)) return port;
    assert(attempt < ATTEMPTS_MAX, `None of ${ATTEMPTS_MAX} ports is free`);
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw error;
  }
  server.close();
  await once(server, 'close');
  return true;
}
