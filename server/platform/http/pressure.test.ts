import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { readConfig } from '../config.ts';
import { createLog } from '../log.ts';
import { createLimits } from './limits.ts';
import { createServer } from './server.ts';

const config = readConfig({ DATA_DIR: '/nowhere', APP_SECRET: Buffer.alloc(32, 7).toString('base64') });

/** Stops this process for 2.5 s, as a machine does that has no time for it. */
const stop = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_500);

describe('a process that comes late to its calls', () => {
  it('answers after two stops, and refuses calls while each turn takes over two seconds', async () => {
    const app = await createServer(config, createLog('silent'), createLimits(config, null));
    after(() => app.close());
    app.get('/answer', () => 'here');
    const ask = async () => (await app.inject('/answer')).statusCode;
    await wait(500);
    for (let stops = 0; stops < 2; stops += 1) {
      stop();
      await wait(1);
    }
    await wait(10);
    assert.equal(await ask(), 200, 'two stops are no overload');
    for (let stops = 0; stops < 6; stops += 1) {
      stop();
      await wait(1);
    }
    await wait(10);
    assert.equal(await ask(), 503, 'every turn was late');
  });
});
