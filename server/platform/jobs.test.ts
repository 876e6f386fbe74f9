import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { testDatabase } from '../../test/database.ts';
import { freePort } from '../../test/free-port.ts';
import { startDatabaseProxy } from '../../test/tcp-proxy.ts';
import { sql, sqlText } from './database.ts';
import { createHealth } from './health.ts';
import { prepareJobs, startJobs } from './jobs.ts';
import { createLog } from './log.ts';

const { owner, database, workerUrl } = await testDatabase({ after });
const prepare = () => prepareJobs(workerUrl, 'earnest_app', createLog('silent'));
const prepareAtOnce = () => Promise.all(Array.from({ length: 4 }, prepare));

describe('the job tables', () => {
  it('are made by nodes that start at the same time, on a new database and on one that has them', async () => {
    for (let round = 0; round < 5; round += 1) {
      for (const schema of ['jobs', 'graphile_worker'])
        await owner.rows(sqlText(`drop schema ${schema} cascade`));
      await prepareAtOnce();
      await prepareAtOnce();
    }
    await assert.doesNotReject(database.rows(sql`select jobs.enqueue('nothing', '{}'::json, 'nothing')`));
  });
});

describe('the worker of jobs', () => {
  it('starts once a database answers that was silent at the start', async () => {
    const proxy = await startDatabaseProxy({ after }, workerUrl);
    const log = createLog('silent');
    proxy.leadTo(await freePort());
    setTimeout(() => proxy.leadTo(Number(new URL(workerUrl).port)), 1_000);
    const jobs = await startJobs(proxy.url, {}, { log, health: createHealth(log) });
    await jobs.close();
  });
});
