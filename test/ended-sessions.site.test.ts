import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { endAllSessions } from '../server/access/access.ts';
import { startWork } from '../server/work.ts';
import { runAdmin, runAdminProcess } from './admin-command.ts';
import { redisServer } from './redis-server.ts';
import { secondNode } from './second-node.ts';
import { testSite } from './site.ts';

/**
 * Sessions that another process ended: a command of the command line, or a node that found a restore. Two nodes have
 * sockets of them. Their Redis does not run, so no news goes between them.
 */
const { url: REDIS_URL } = await redisServer({ after });
const site = await testSite({ after }, { REDIS_URL });
const { platform: other, address: otherAddress } = await secondNode(site, { after });
for (const node of [site.platform, other]) after(startWork(node).close);

const dataDir = mkdtempSync(join(tmpdir(), 'earnest-admin-'));
after(() => rmSync(dataDir, { recursive: true, force: true }));
const command = async (run: typeof runAdmin, ...words: string[]) => {
  const environment = {
    DATA_DIR: dataDir,
    DATABASE_URL: site.urls.appUrl,
    DATABASE_OWNER_URL: site.urls.ownerUrl,
  };
  const { code, complained } = await run(environment, ...words);
  assert.equal(code, 0, complained);
};

/** A turn of the look and the closing, and what a busy machine takes. */
const CLOSED_MS_MAX = 2_500;

/** Makes a member with a socket on each of both nodes. */
async function connected(role: 'user' | 'admin') {
  const { email, cookie } = await site.member({ role });
  const headers = { cookie, origin: site.origin };
  const sockets = [site.address, otherAddress].map(
    (address) => new WebSocket(`${address.replace('http', 'ws')}/ws`, { headers }),
  );
  // Before a command begins: a socket may be closed before the command's process has ended.
  const closes = sockets.map((socket) => once(socket, 'close'));
  await Promise.all(sockets.map((socket) => once(socket, 'open')));
  return { email, sockets, closes };
}

/** The close codes of the sockets, when all are closed in time. */
async function closeCodes(closes: readonly Promise<unknown[]>[]): Promise<unknown[]> {
  const late = sleep(CLOSED_MS_MAX, ['open']);
  return Promise.all(closes.map(async (close) => (await Promise.race([close, late]))[0]));
}

describe('a socket whose session another process ended', () => {
  it('is closed on every node soon after the command that removed the operator', async () => {
    const [left, stays] = [await connected('admin'), await connected('admin')];
    await command(runAdminProcess, 'operator', 'remove', left.email, 'Left');
    assert.deepEqual(await closeCodes(left.closes), [1008, 1008]);
    for (const socket of stays.sockets) assert.equal(socket.readyState, WebSocket.OPEN);
  });
  it('is closed on every node soon after the command that suspended the member', async () => {
    const member = await connected('user');
    await command(runAdmin, 'suspend', member.email, 'full_suspension', 'Test');
    assert.deepEqual(await closeCodes(member.closes), [1008, 1008]);
  });
  it('is closed with those of all others after a restore', async () => {
    const members = [await connected('user'), await connected('admin')];
    await site.owner.transaction((tx) => endAllSessions(tx));
    assert.deepEqual(await closeCodes(members.flatMap(({ closes }) => closes)), [1008, 1008, 1008, 1008]);
  });
});
