import assert from 'node:assert/strict';
import { type AddressInfo, connect } from 'node:net';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '../config.ts';
import { createLog } from '../log.ts';
import { createLimits } from './limits.ts';
import { createServer, usualCallTimes } from './server.ts';

const config = readConfig({ DATA_DIR: '/nowhere', APP_SECRET: Buffer.alloc(32, 7).toString('base64') });
const times = { headersMsMax: 200, callMsMax: 500, lookedAtEveryMs: 50 };
const app = await createServer(config, createLog('silent'), createLimits(config, null), times);
after(() => app.close());
app.post('/echo', async ({ body }) => body);
await app.listen({ host: '127.0.0.1', port: 0 });
const { port } = app.server.address() as AddressInfo;

/** Sends the first text at once, then a letter every 20 ms. Returns the answer's status line and the time it took. */
async function dripped(first: string, letter: string): Promise<{ status: string; tookMs: number }> {
  const socket = connect(port, '127.0.0.1');
  const startedMs = performance.now();
  let answer = '';
  socket.on('data', (chunk: Buffer) => {
    answer += String(chunk);
  });
  // Writing to a connection that the server has ended may fail, which is what the test waits for.
  socket.on('error', () => {});
  const ended = new Promise((resolve) => socket.once('close', resolve));
  if (first !== '') socket.write(first);
  while (!socket.closed && performance.now() - startedMs < 5_000) {
    if (letter !== '' && socket.writable) socket.write(letter);
    await sleep(20);
  }
  socket.destroy();
  await ended;
  return { status: answer.split('\r\n')[0] ?? '', tookMs: performance.now() - startedMs };
}

describe('a client that sends slowly', { concurrency: true }, () => {
  const slowly: [string, string, string, number][] = [
    ['its headers', 'POST /echo HTTP/1.1\r\nHost: a\r\nX-Slow: ', 'x', times.headersMsMax],
    [
      'its body',
      'POST /echo HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9000\r\n\r\n"',
      'x',
      times.callMsMax,
    ],
    ['nothing at all', '', '', times.headersMsMax],
  ];
  for (const [what, first, letter, atLeastMs] of slowly)
    it(`is answered 408, or just cut off, after the time for ${what}`, async () => {
      const { status, tookMs } = await dripped(first, letter);
      // The answer is lost if bytes are still coming when the server closes.
      assert.match(status, letter === '' ? /^HTTP\/1\.1 408 / : /^(HTTP\/1\.1 408 .*)?$/);
      assert.ok(tookMs >= atLeastMs && tookMs < 2_500, `${tookMs} ms`);
    });

  it('does not disturb the others', async () => {
    const answer = await fetch(`http://127.0.0.1:${port}/echo`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '[1]',
    });
    assert.deepEqual([answer.status, await answer.json()], [200, [1]]);
  });

  it('has less than 30 seconds', () => {
    const { headersMsMax, callMsMax, lookedAtEveryMs } = usualCallTimes;
    assert.ok(Math.max(headersMsMax, callMsMax) + lookedAtEveryMs < 30_000);
  });
});
