import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { Message } from '#contract/message.ts';
import {
  applyEvent,
  applyPage,
  beginFetch,
  type Conversation,
  emptyConversation,
  hasGap,
} from '#web/chat/messages.ts';
import { redisServer, withoutRedis } from './redis-server.ts';
import { secondNode } from './second-node.ts';
import { type Person, testSite } from './site.ts';

/**
 * Two nodes of a site share one chat through Redis, which is killed and comes back. Readers hear pushes of their node
 * and fetch as a browser does: after an opening, at a gap, and by polling.
 */
const redis = await redisServer({ after });
if (withoutRedis === false) await redis.start();
const site = await testSite({ after }, { REDIS_URL: redis.url });
const { platform: other, address: otherAddress } = await secondNode(site, { after });
const addresses = [site.address, otherAddress] as const;

const isJoined = () => [site.platform, other].every(({ bus }) => bus.redis?.isReady === true);
async function until(condition: () => boolean, what: string): Promise<void> {
  const deadlineMs = performance.now() + 10_000;
  while (!condition()) {
    assert.ok(performance.now() < deadlineMs, what);
    await sleep(10);
  }
}

/** A reader with a socket at one of the nodes. */
async function openReader(as: Person, address: string) {
  const reader = {
    conversation: emptyConversation as Conversation,
    heard: [] as string[],
    fetch: async () => {
      reader.conversation = beginFetch(reader.conversation);
      const page: Message[] = (await site.call('GET', '/api/chat/messages/1', { as })).body;
      reader.conversation = applyPage(reader.conversation, page, page.length < 50);
    },
    texts: () => reader.conversation.messages.map(({ message }) => message),
  };
  const headers = { cookie: as.cookie, origin: site.origin };
  const socket = new WebSocket(`${address.replace('http', 'ws')}/ws`, { headers });
  socket.on('message', (raw) => {
    const event = JSON.parse(String(raw));
    if (event.type !== 'new_message') return;
    reader.heard.push(event.message.message);
    reader.conversation = applyEvent(reader.conversation, event);
    if (hasGap(reader.conversation)) void reader.fetch();
  });
  await once(socket, 'open');
  after(() => socket.terminate());
  await reader.fetch();
  return reader;
}

describe('two nodes with one chat', { skip: withoutRedis }, () => {
  it('lose and double no message while Redis is killed and back', async () => {
    const writer = await site.member();
    const readers = [];
    for (const address of addresses) readers.push(await openReader(await site.member(), address));
    const [near, far] = readers;
    assert.ok(near && far);
    const written: string[] = [];
    const write = async (text: string) => {
      const body = { channelId: '1', content: text, clientId: text };
      assert.equal((await site.call('POST', '/api/chat/messages', { as: writer, body })).status, 201);
      written.push(text);
    };
    await until(isJoined, 'the nodes were not joined');
    await write('with Redis');
    await until(() => far.heard.includes('with Redis'), 'the other node was not told');

    await redis.kill();
    await write('without Redis 1');
    await write('without Redis 2');
    await until(() => near.heard.includes('without Redis 2'), 'its own node was not told');
    assert.deepEqual(far.heard, ['with Redis']);
    await far.fetch();
    assert.deepEqual(far.texts(), written, 'polling finds them');
    await write('without Redis 3');

    await redis.start();
    await until(isJoined, 'the nodes were not joined again');
    await write('with Redis again');
    // The push shows that a place is missing.
    await until(() => far.texts().length === written.length, 'the gap was not fetched');
    for (const reader of readers) assert.deepEqual(reader.texts(), written);
  });

  it('tell each other who is online, and who is not any more', async () => {
    const reader = await site.member();
    const count = () => other.presence.online().filter((memberId) => memberId === reader.id).length;
    await openReader(reader, addresses[0]);
    await until(() => count() === 1, 'the other node was not told');
    assert.equal((await site.call('POST', '/api/chat/offline', { as: reader })).status, 204);
    await until(() => count() === 0, 'the other node was not told that the member left');
  });
});
