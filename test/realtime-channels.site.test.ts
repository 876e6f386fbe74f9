import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket } from 'ws';
import type { ServerEvent } from '#contract/events.ts';
import { sql } from '#platform/database.ts';
import { createServer } from '#platform/http/server.ts';
import { createMetrics } from '#platform/metrics.ts';
import type { Platform } from '#platform/platform.ts';
import { registerRealtime } from '#platform/realtime.ts';
import { openSession } from '../server/access/sessions.ts';
import { redisServer, withoutRedis } from './redis-server.ts';
import { secondNode } from './second-node.ts';
import { type Person, silentLog, testSite } from './site.ts';

/**
 * The sockets of two nodes that hear each other over Redis: who gets the news of a channel, who is told that somebody
 * writes, who is online, and which sockets are closed. Without Redis only what one node does is tested.
 */
const redis = await redisServer({ after });
if (withoutRedis === false) await redis.start();
const site = await testSite({ after }, { REDIS_URL: redis.url });
const { platform: other } = await secondNode(site, { after });
const log = silentLog();

/** The sockets of a node, on a server of their own, because who may write is told to them. */
async function listen(platform: Platform): Promise<string> {
  const app = await createServer(site.config, log, platform.limits);
  await registerRealtime(
    { ...platform, app, metrics: createMetrics() },
    {
      // A ticket of the member is the channel of the same number.
      findTypist: async (memberId, isOperator, channelId) => {
        if (channelId === '1') return { ownerId: null, firstName: 'Ann' };
        const isReader = isOperator || channelId === String(memberId);
        return isReader ? { ownerId: Number(channelId), firstName: 'Ann' } : undefined;
      },
    },
  );
  after(() => app.close());
  return app.listen({ host: '127.0.0.1', port: 0 });
}
const [here, there] = [await listen(site.platform), await listen(other)];

type Line = { socket: WebSocket; events: ServerEvent[]; closed: Promise<number> };

async function open({ cookie }: Pick<Person, 'cookie'>, address = here): Promise<Line> {
  const socket = new WebSocket(`${address.replace('http', 'ws')}/ws`, {
    headers: { cookie, origin: site.origin },
  });
  const events: ServerEvent[] = [];
  const closed = once(socket, 'close').then(([code]) => code as number);
  await new Promise<void>((resolve, reject) => {
    socket.on('error', reject);
    socket.on('message', (raw) => {
      const event = JSON.parse(String(raw)) as ServerEvent;
      if (event.type === 'auth_success') resolve();
      else if (event.type !== 'presence' && event.type !== 'waiting') events.push(event);
    });
  });
  after(() => socket.terminate());
  return { socket, events, closed };
}

async function until(what: string, isTrue: () => boolean, withinMs = 5_000): Promise<void> {
  const endMs = performance.now() + withinMs;
  while (!isTrue()) {
    assert.ok(performance.now() < endMs, `Not in time: ${what}`);
    await sleep(5);
  }
}
/** What a deletion of each message says, which is the shortest event of a channel. */
const deletion = (channelId: string, id: string): ServerEvent => ({ type: 'message_deleted', channelId, id });
/** An event that every socket gets, to wait for what came before it. */
const mark = async (...lines: Line[]) => {
  site.platform.bus.announceSiteChange();
  await until('the mark', () => lines.every(({ events }) => events.at(-1)?.type === 'site'));
  for (const { events } of lines) events.pop();
};

describe('the news of a channel', () => {
  it('of all members goes to every socket, and of a ticket to its owner and to operators', async () => {
    const [owner, member] = [await site.member(), await site.member()];
    const operator = await site.member({ role: 'admin' });
    const lines = [await open(owner), await open(owner), await open(member), await open(operator)];
    const { bus } = site.platform;
    const sent = Array.from({ length: 20 }, (_, index) => deletion('1', String(index)));
    for (const event of sent) bus.announceChannel({ ownerId: null, event });
    bus.announceChannel({ ownerId: owner.id, event: deletion('2', '1') });
    bus.announceChannel({ ownerId: operator.id, event: deletion('3', '1') });
    await mark(...lines);
    const [first, second, others, operators] = lines.map(({ events }) => events);
    assert.deepEqual(first, [...sent, deletion('2', '1')]);
    assert.deepEqual(second, first);
    assert.deepEqual(others, sent);
    assert.deepEqual(operators, [...sent, deletion('2', '1'), deletion('3', '1')], 'each once, in order');
    for (const { socket } of lines) socket.terminate();
  });

  it('does not reach a fully suspended member, until the suspension is lifted', async () => {
    const [operator, member] = [await site.member({ role: 'admin' }), await site.member()];
    const before = await open(member);
    const suspension = await site.call('POST', '/api/admin/suspend-user', {
      as: operator,
      body: { userId: String(member.id), reason: 'A test', suspensionType: 'full_suspension' },
    });
    assert.equal(suspension.status, 201);
    assert.equal(await before.closed, 1008);
    // The member signs in again to read why.
    const token = await site.database.transaction((tx) => openSession(tx, member.id, 'test', '127.0.0.1'));
    const line = await open({ cookie: `sid=${token}` });
    const { bus } = site.platform;
    bus.announceChannel({ ownerId: null, event: deletion('1', '1') });
    bus.announceChannel({ ownerId: member.id, event: deletion('2', '2') });
    await mark(line);
    assert.deepEqual(line.events, [deletion('2', '2')], 'the member hears of the own tickets');
    const lifted = await site.call('POST', `/api/admin/lift-suspension/${suspension.body.id}`, {
      as: operator,
      body: { liftReason: 'A test' },
    });
    assert.equal(lifted.status, 200);
    await until('chat again', () => {
      bus.announceChannel({ ownerId: null, event: deletion('1', '3') });
      return line.events.length > 1;
    });
    line.socket.terminate();
  });
});

describe('typing', () => {
  it('§1-3 real-time messages: tells typing to the channel’s other readers, with the member’s own id', async () => {
    const [writer, reader] = [await site.member(), await site.member()];
    const operator = await site.member({ role: 'admin' });
    const [own, second, line, operators] = [
      await open(writer),
      await open(writer),
      await open(reader),
      await open(operator),
    ];
    const send = (frame: object) => own.socket.send(JSON.stringify(frame));
    const event = { userId: String(writer.id), firstName: 'Ann', channelId: '1' };
    send({ type: 'user_typing', channelId: '1', userId: '1', firstName: 'Forged' });
    send({ type: 'stop_typing', channelId: '1' });
    await until('both', () => line.events.length === 2 && operators.events.length === 2);
    assert.deepEqual(line.events, [
      { type: 'user_typing', ...event },
      { type: 'stop_typing', ...event },
    ]);
    await sleep(1_000);
    send({ type: 'user_typing', channelId: String(writer.id) });
    await until('the operator sees the ticket', () => operators.events.length === 3);
    for (const frame of [{ type: 'user_typing' }, { type: 'user_typing', channelId: {} }]) send(frame);
    send({ type: 'chat_message', channelId: '1', message: 'x' });
    await sleep(1_000);
    send({ type: 'user_typing', channelId: String(reader.id) });
    await mark(own, second, line, operators);
    assert.deepEqual(
      [own.events, second.events, line.events.length, operators.events.length],
      [[], [], 2, 3],
    );
    for (const { socket } of [own, second, line, operators]) socket.terminate();
  });
});

/** Opens a connection whose client never answers anything. */
function openSilent({ cookie }: Person): Socket {
  const { hostname, port } = new URL(here);
  const raw = connect(Number(port), hostname);
  raw.on('error', () => {});
  raw.write(
    `GET /ws HTTP/1.1\r\nHost: ${hostname}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n` +
      `Origin: ${site.origin}\r\nCookie: ${cookie}\r\n\r\n`,
  );
  return raw;
}

describe('a member who opens many sockets at once', () => {
  it('has never more than 20 of them, and 20 more that are being closed for 3 seconds', async () => {
    const person = await site.member();
    const raws = Array.from({ length: 200 }, () => openSilent(person));
    let opened = 0;
    let mostOpen = 0;
    const isOpen = new Set<Socket>();
    for (const raw of raws) {
      raw.once('data', () => {
        opened += 1;
        isOpen.add(raw);
        mostOpen = Math.max(mostOpen, isOpen.size);
      });
      // Reads the close without answering it.
      raw.resume();
      raw.on('close', () => isOpen.delete(raw));
    }
    await until('all were opened', () => opened === 200, 20_000);
    await until('those beyond 40 are cut off at once', () => isOpen.size <= 40, 1_000);
    await until('those beyond 20 are cut off', () => isOpen.size === 20, 4_500);
    await sleep(200);
    assert.equal(isOpen.size, 20);
    assert.ok(
      raws.slice(-1).every((raw) => isOpen.has(raw)),
      'the newest stay',
    );
    for (const raw of raws) raw.destroy();
  });
});

/** A member's socket on each node. */
const onBoth = async (person: Person): Promise<[Line, Line]> => [
  await open(person),
  await open(person, there),
];

describe('two nodes', { skip: withoutRedis }, () => {
  before(() =>
    until('both joined', () => [site.platform, other].every(({ bus }) => bus.redis?.isReady === true)),
  );

  it('carry the news of channels and typing, in order', async () => {
    const [writer, reader] = [await site.member(), await site.member()];
    const [[own], [near, far]] = [await onBoth(writer), await onBoth(reader)];
    const sent = Array.from({ length: 50 }, (_, index) => deletion('1', String(index)));
    for (const event of sent) site.platform.bus.announceChannel({ ownerId: null, event });
    own.socket.send('{"type":"user_typing","channelId":"1"}');
    await until('all', () => near.events.length === 51 && far.events.length === 51);
    assert.deepEqual(far.events.slice(0, 50), sent);
    assert.deepEqual(far.events[50], {
      type: 'user_typing',
      userId: String(writer.id),
      firstName: 'Ann',
      channelId: '1',
    });
    assert.deepEqual(near.events, far.events);
  });

  it('close sockets within a second of a logout, a full suspension and the end of an operator’s role', async () => {
    const [leaving, banned] = [await site.member(), await site.member()];
    const [left, operator] = [await site.member({ role: 'admin' }), await site.member({ role: 'admin' })];
    const within = async (act: () => Promise<unknown>, lines: readonly Line[]) => {
      const closes = Promise.all(lines.map(({ closed }) => closed));
      await act();
      assert.deepEqual(
        await Promise.race([closes, sleep(1_000, 'still open')]),
        lines.map(() => 1008),
      );
    };
    await within(() => site.call('POST', '/api/auth/logout', { as: leaving }), await onBoth(leaving));
    const body = { userId: String(banned.id), reason: 'A test', suspensionType: 'full_suspension' };
    await within(
      () => site.call('POST', '/api/admin/suspend-user', { as: operator, body }),
      await onBoth(banned),
    );
    const lines = await onBoth(left);
    await site.owner.rows(sql`update members.members set role = 'user' where id = ${left.id}`);
    site.platform.bus.announceSessionChange({ memberId: left.id });
    await sleep(1_000);
    site.platform.bus.announceChannel({ ownerId: banned.id, event: deletion('2', '1') });
    await mark(...lines);
    assert.deepEqual(
      lines.map(({ events }) => events),
      [[], []],
    );
  });

  it('know of each other who is online', async () => {
    const [person, caller] = [await site.member(), await site.member()];
    const line = await open(person, there);
    other.presence.goOnline(caller.id);
    const { presence } = site.platform;
    const sees = (id: number) => presence.online().includes(id);
    await until('both are seen', () => sees(person.id) && sees(caller.id));
    presence.goOffline(caller.id);
    assert.ok(!sees(caller.id));
    await until('the other node heard it', () => !other.presence.online().includes(caller.id));
    line.socket.terminate();
    await until('the socket is gone', () => !sees(person.id));
  });
});

describe('presence', () => {
  it('is pushed to every socket when the number changed', async () => {
    const watcher = await open(await site.member());
    const counts: number[] = [];
    watcher.socket.on('message', (raw) => {
      const event = JSON.parse(String(raw)) as ServerEvent;
      if (event.type === 'presence') counts.push(event.count);
    });
    const others = await Promise.all([1, 2, 3].map(async () => open(await site.member())));
    const online = site.platform.presence.online().length;
    await until('three more', () => counts.at(-1) === online);
    for (const { socket } of others) socket.terminate();
    await until('three less', () => counts.at(-1) === online - 3);
  });
});

describe('a session that ends during the upgrade', () => {
  it('closes the socket that opens after it', async () => {
    const person = await site.member();
    const app = await createServer(site.config, log, site.platform.limits);
    const { bus } = site.platform;
    await registerRealtime({
      ...site.platform,
      app,
      metrics: createMetrics(),
      // Ends the session after it was read, before the socket opens.
      authenticate: async (...its) => {
        const caller = await site.platform.authenticate(...its);
        await site.owner.rows(sql`delete from access.sessions where member_id = ${person.id}`);
        if (caller !== undefined) bus.announceSessionChange({ memberId: person.id });
        return caller;
      },
    });
    after(() => app.close());
    const { closed } = await open(person, await app.listen({ host: '127.0.0.1', port: 0 }));
    assert.equal(await Promise.race([closed, sleep(1_000, 'still open')]), 1008);
  });
});
