import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ClientOptions, WebSocket } from 'ws';
import { sql } from '#platform/database.ts';
import { createServer } from '#platform/http/server.ts';
import { createMetrics } from '#platform/metrics.ts';
import { registerRealtime } from '#platform/realtime.ts';
import { approve } from '../server/withdrawals/decision-queries.ts';
import { changePaymentMethod } from '../server/withdrawals/payment-methods.ts';
import { sweepPayouts } from '../server/withdrawals/payouts.ts';
import { vectors } from '../server/withdrawals/rails/litecoin/vectors.ts';
import { type Person, silentLog, testSite } from './site.ts';

/** The socket, called as by a browser and as by an attacker. */
const site = await testSite({ after }, { LITECOIN_NETWORK: 'regtest' });
const url = `${site.origin.replace('http', 'ws')}/ws`;

type Frame = { type: string; [field: string]: unknown };
type Opened = { socket: WebSocket; next: (type: string) => Promise<Frame>; closed: Promise<number> };

function open(cookie: string | undefined, origin: string | undefined = site.origin): Promise<Opened> {
  const headers = {
    ...(cookie === undefined ? {} : { cookie }),
    ...(origin === undefined ? {} : { origin }),
  };
  const socket = new WebSocket(url, { headers });
  const frames: Frame[] = [];
  const waiting: { type: string; resolve: (frame: Frame) => void }[] = [];
  socket.on('message', (raw) => {
    const frame = JSON.parse(String(raw)) as Frame;
    const index = waiting.findIndex(({ type }) => type === frame.type);
    if (index >= 0) waiting.splice(index, 1)[0]?.resolve(frame);
    else frames.push(frame);
  });
  const closed = new Promise<number>((resolve) => socket.on('close', resolve));
  const next = (type: string) =>
    new Promise<Frame>((resolve, reject) => {
      const index = frames.findIndex((frame) => frame.type === type);
      if (index >= 0) return resolve(frames.splice(index, 1)[0] as Frame);
      waiting.push({ type, resolve });
      setTimeout(() => reject(new Error(`No ${type} came`)), 3_000).unref();
    });
  return new Promise((resolve, reject) => {
    socket.on('open', () => resolve({ socket, next, closed }));
    socket.on('unexpected-response', (_request, response) => reject(new Error(String(response.statusCode))));
    socket.on('error', reject);
  });
}
const signedIn = async (): Promise<Person> => site.member();

describe('the socket', () => {
  it('§1-3 real-time messages: opens for a session and confirms it', async () => {
    const { socket, next } = await open((await signedIn()).cookie);
    assert.equal((await next('auth_success')).type, 'auth_success');
    socket.send(JSON.stringify({ type: 'auth', userId: '1', sessionId: 'x' }));
    assert.equal((await next('auth_success')).type, 'auth_success');
    socket.close();
  });
  it('answers 401 without a session and 403 to a foreign origin', async () => {
    const { cookie } = await signedIn();
    await assert.rejects(open(undefined), /401/);
    await assert.rejects(open('sid=forged'), /401/);
    for (const origin of [
      'https://evil.example',
      'null',
      `${site.origin}.evil.example`,
      site.origin.replace('http', 'https'),
    ])
      await assert.rejects(open(cookie, origin), /403/, origin);
    const bare = new WebSocket(url, { headers: { cookie } });
    const status = await new Promise((resolve) =>
      bare.on('unexpected-response', (_request, response) => resolve(response.statusCode)),
    );
    assert.equal(status, 403);
  });
  it('hints to operators what changed, at most once a second, and to nobody else', async () => {
    const [operator, member] = [await site.member({ role: 'admin' }), await signedIn()];
    const [there, here] = [await open(operator.cookie), await open(member.cookie)];
    await Promise.all([there.next('auth_success'), here.next('auth_success')]);
    // What tests before left behind.
    await sleep(1_100);
    const seen: Frame[] = [];
    there.socket.on('message', (raw) => seen.push(JSON.parse(String(raw))));
    here.socket.on('message', (raw) => seen.push({ ...JSON.parse(String(raw)), isMembers: true }));
    const { bus } = site.platform;
    for (let count = 0; count < 20; count += 1) bus.announceWaiting(['quarantine']);
    const { id } = (
      await site.call('POST', '/api/support/tickets', {
        as: member,
        body: { subject: 'My points', message: 'Where are they?' },
      })
    ).body;
    const answered = await site.call('POST', `/api/admin/support/tickets/${id}/respond`, {
      as: operator,
      body: { response: 'On their way', status: 'resolved' },
    });
    assert.equal(answered.status, 200);
    await sleep(1_500);
    const hints = seen.filter(({ type }) => type === 'waiting');
    assert.deepEqual([...new Set(hints.flatMap(({ topics }) => topics as string[]))].sort(), [
      'quarantine',
      'tickets',
    ]);
    assert.ok(hints.length <= 2, JSON.stringify(hints));
    assert.ok(hints.every(({ isMembers }) => isMembers !== true));
    await site.owner.rows(sql`update members.members set role = 'user' where id = ${operator.id}`);
    bus.announceSessionChange({ memberId: operator.id });
    await sleep(300);
    seen.length = 0;
    bus.announceWaiting(['grants']);
    await sleep(1_300);
    assert.deepEqual(
      seen.filter(({ type }) => type === 'waiting'),
      [],
    );
    for (const { socket } of [there, here]) socket.close();
  });
  it('pushes a balance to its member only', async () => {
    const [mine, other] = [await signedIn(), await signedIn()];
    const [here, there] = [await open(mine.cookie), await open(other.cookie)];
    site.platform.bus.announce({ memberId: mine.id, event: { type: 'balance', balance: '180' } });
    assert.deepEqual(await here.next('balance'), { type: 'balance', balance: '180' });
    await assert.rejects(there.next('balance'), /No balance came/);
    here.socket.close();
    there.socket.close();
  });
  it('§1-4 live connection: closes at once when the session ends', async () => {
    const person = await signedIn();
    const { closed } = await open(person.cookie);
    await site.call('POST', '/api/auth/logout', { as: person });
    assert.equal(await closed, 1008);
  });
  it('answers an unknown frame with an error and closes', async () => {
    for (const text of ['{', '5', '{"type":"grant"}', '{}', '[]']) {
      const { socket, next, closed } = await open((await signedIn()).cookie);
      socket.send(text);
      assert.equal((await next('error')).code, 'invalid-request');
      assert.equal(await closed, 1008);
    }
  });
  it('counts pings and pongs like frames', async () => {
    for (const control of ['ping', 'pong'] as const) {
      const { socket, next, closed } = await open((await signedIn()).cookie);
      await next('auth_success');
      for (let sent = 0; sent < 60; sent += 1) socket[control]();
      assert.equal((await next('error')).code, 'rate-limited', control);
      assert.equal(await closed, 1008);
    }
  });
  it('closes after more than 20 frames a second or one over 16 KiB', async () => {
    const fast = await open((await signedIn()).cookie);
    for (let sent = 0; sent < 60; sent += 1) fast.socket.send('{"type":"user_typing","channelId":"1"}');
    assert.equal(await fast.closed, 1008);
    const large = await open((await signedIn()).cookie);
    large.socket.send(JSON.stringify({ type: 'auth', text: 'x'.repeat(17_000) }));
    assert.equal(await large.closed, 1009);
  });
});

describe('a line on which nothing happens', () => {
  it('is pinged so that both ends notice it, and is ended for a client that does not answer', async () => {
    const { config, platform } = site;
    const app = await createServer(config, silentLog(), platform.limits);
    const metrics = createMetrics();
    await registerRealtime({ ...platform, app, metrics }, { pingedEveryMs: 150 });
    const address = await app.listen({ host: '127.0.0.1', port: 0 });
    after(() => app.close());
    const openAt = async (options: ClientOptions) => {
      const headers = { origin: site.origin, cookie: (await signedIn()).cookie };
      const socket = new WebSocket(`${address.replace('http', 'ws')}/ws`, { ...options, headers });
      const seen: string[] = [];
      socket.on('message', (raw) => seen.push((JSON.parse(String(raw)) as Frame).type));
      await once(socket, 'open');
      return { socket, seen };
    };
    const [answering, silent] = [await openAt({}), await openAt({ autoPong: false })];
    const [code] = await once(silent.socket, 'close');
    assert.equal(code, 1006);
    const counted = await metrics.registry.getSingleMetricAsString('earnest_socket_faults_total');
    assert.match(counted, /fault="answers-no-ping"} 1$/m);
    while (answering.seen.filter((type) => type === 'ping').length < 5)
      await once(answering.socket, 'message');
    assert.equal(answering.socket.readyState, WebSocket.OPEN);
    const seen = new Set(answering.seen);
    // Others of the site are in the chat meanwhile.
    for (const type of ['presence', 'user_typing']) seen.delete(type);
    assert.deepEqual(seen, new Set(['auth_success', 'ping']));
    answering.socket.close();
  });
});

/** Asks for an upgrade by hand, so that a test can break the protocol. The client answers nothing by itself. */
function upgradeRaw(call: string, headers: readonly string[] = []): Socket {
  const { hostname, port } = new URL(site.origin);
  const raw = connect(Number(port), hostname);
  raw.on('error', () => {});
  const lines = [
    `${call} HTTP/1.1`,
    `Host: ${hostname}:${port}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ...headers,
  ];
  raw.write(`${lines.join('\r\n')}\r\n\r\n`);
  return raw;
}

async function openRaw(person: Person): Promise<Socket> {
  const raw = upgradeRaw('GET /ws', [`Origin: ${site.origin}`, `Cookie: ${person.cookie}`]);
  const [answer] = await once(raw, 'data');
  assert.match(String(answer), /^HTTP\/1\.1 101 /);
  return raw;
}

/** The bytes of a frame; masked with zeros, as a client must mask. */
function frameBytes(firstByte: number, text: Buffer, { isMasked = true } = {}): Buffer {
  const maskBit = isMasked ? 0x80 : 0;
  const length =
    text.length < 126 ? [maskBit | text.length] : [maskBit | 126, text.length >> 8, text.length & 255];
  return Buffer.concat([Buffer.from([firstByte, ...length, ...(isMasked ? [0, 0, 0, 0] : [])]), text]);
}

const metricOf = async (name: string): Promise<string> =>
  (await site.platform.metrics.registry.getSingleMetricAsString(name)).replaceAll(/^#.*\n/gm, '');

describe('an upgrade of another path than /ws', () => {
  it('is answered 404 and cut off, from anybody, and is counted but not logged', async (t) => {
    const { log } = site.platform.app;
    const spies = (['info', 'warn', 'error', 'fatal'] as const).map((level) => t.mock.method(log, level));
    const own = [`Origin: ${site.origin}`, `Cookie: ${(await signedIn()).cookie}`];
    const calls = ['GET /', 'GET /assets/x.js', 'GET /not-me?token=secret', 'GET /api/user', 'GET /ws/'];
    calls.push('GET //ws', 'GET /WS', 'GET /%77s', `GET ${site.origin}/ws`, 'HEAD /ws', 'POST /ws');
    calls.push('POST /api/auth/logout', 'OPTIONS *');
    for (const call of calls)
      for (const headers of [[], own, ['Content-Length: 5'], ['Origin: https://evil.example']]) {
        const raw = upgradeRaw(call, headers);
        let answer = '';
        raw.on('data', (chunk: Buffer) => {
          answer += String(chunk);
        });
        await once(raw, 'close', { signal: AbortSignal.timeout(1_000) });
        assert.match(answer, /^HTTP\/1\.1 404 Not Found\r\n/, call);
      }
    const counted = new RegExp(`fault="upgrade-of-another-path"} ${4 * calls.length}$`, 'm');
    assert.match(await metricOf('earnest_socket_faults_total'), counted);
    for (const spy of spies) assert.equal(spy.mock.callCount(), 0);
  });
});

describe('a client that breaks the rules of sockets', { concurrency: true }, () => {
  it('is cut off when it does not answer the close, and takes no place meanwhile', async () => {
    const person = await signedIn();
    const raws: Socket[] = [];
    const askedToClose = new Set<number>();
    for (let opened = 0; opened < 24; opened += 1) {
      const raw = await openRaw(person);
      raw.on(
        'data',
        (chunk: Buffer) => void (chunk.includes('too many sockets') && askedToClose.add(opened)),
      );
      raws.push(raw);
    }
    while (askedToClose.size < 4) await sleep(5);
    assert.deepEqual([...askedToClose], [0, 1, 2, 3]);
    const startedMs = performance.now();
    await site.call('POST', '/api/auth/logout', { as: person });
    await Promise.all(raws.filter(({ closed }) => !closed).map((raw) => once(raw, 'close')));
    assert.ok(performance.now() - startedMs < 4_500);
  });

  it('is no error in the log when it breaks the protocol, but is counted', async (t) => {
    const { log } = site.platform.app;
    const spies = (['warn', 'error', 'fatal'] as const).map((level) => t.mock.method(log, level));
    const text = (bytes: string | number[]) => Buffer.from(bytes as string);
    const faults: [string, Buffer, number][] = [
      ['ws_err_invalid_utf8', frameBytes(0x81, text([0xc3, 0x28])), 1007],
      ['ws_err_expected_mask', frameBytes(0x81, text('{}'), { isMasked: false }), 1002],
      ['ws_err_unsupported_message_length', frameBytes(0x81, Buffer.alloc(17_000, 120)), 1009],
      ['ws_err_invalid_opcode', frameBytes(0x83, text('{}')), 1002],
      ['ws_err_unexpected_rsv_2_3', frameBytes(0xf1, text('{}')), 1002],
    ];
    for (const [fault, bytes, code] of faults) {
      const raw = await openRaw(await signedIn());
      raw.write(bytes);
      let received = Buffer.alloc(0);
      raw.on('data', (chunk: Buffer) => {
        received = Buffer.concat([received, chunk]);
      });
      while (received.length < 4 || !received.includes(Buffer.from([0x88]))) await sleep(5);
      const close = received.indexOf(0x88);
      assert.equal(received.readUInt16BE(close + 2), code, fault);
      raw.destroy();
      assert.match(await metricOf('earnest_socket_faults_total'), new RegExp(`fault="${fault}"} [1-9]`));
    }
    for (const spy of spies) assert.equal(spy.mock.callCount(), 0);
  });

  it('is cut off when it does not read', async () => {
    const person = await signedIn();
    const raw = await openRaw(person);
    raw.pause();
    const news = { type: 'balance', balance: '1'.repeat(200_000) } as const;
    for (let sent = 0; sent < 100; sent += 1) {
      site.platform.bus.announce({ memberId: person.id, event: news });
      await sleep(1);
    }
    assert.match(await metricOf('earnest_socket_faults_total'), /fault="reads-too-slowly"} 1$/m);
    raw.resume();
    await once(raw, 'close');
  });
});

describe('the notice of a decision on a withdrawal', () => {
  const NEWS_MS_MAX = 1_000;
  it('arrives as quickly of a payment as of a rejection, within a second of the commit', async () => {
    const { platform, database, owner } = site;
    const [operator, member] = [
      await site.member({ role: 'admin' }),
      await site.member({ balancePoints: 5_000n, isPhoneVerified: true }),
    ];
    assert(vectors.start);
    const party = await vectors.start({ after });
    await changePaymentMethod(platform, 'litecoin', { isEnabled: true, credentials: party.credentials });
    const ask = async (): Promise<string> => {
      const body = { amountPoints: '1000', method: 'litecoin', recipientInfo: party.recipient() };
      const answer = await site.call('POST', '/api/withdrawal', { as: member, body });
      assert.equal(answer.status, 201, JSON.stringify(answer.body));
      return answer.body.id;
    };
    const [rejected, paid] = [await ask(), await ask()];
    const { socket, next } = await open(member.cookie);
    await next('auth_success');
    /** The commit is a part of the work, so the time from its start is longer than the time that is limited. */
    const arrival = async (work: () => Promise<unknown>) => {
      const startedAtMs = performance.now();
      const arrived = next('notice').then(({ kind }) => ({ kind, ms: performance.now() - startedAtMs }));
      await work();
      const { kind, ms } = await arrived;
      assert(ms < NEWS_MS_MAX, `the notice ${kind} took ${ms} ms`);
      return kind;
    };
    const reject = () =>
      site.call('POST', `/api/admin/withdrawals/${rejected}/reject`, {
        as: operator,
        body: { reason: 'No' },
      });
    assert.equal(await arrival(reject), 'rejected');

    await database.transaction((tx) =>
      approve(tx, paid, operator.id, {
        rate: '80.5',
        amountUnits: 1_242_236n,
        delaySeconds: 0,
        holdsDestinations: false,
        secondPersonPoints: null,
        memberDayPoints: null,
        methodDayPoints: null,
      }),
    );
    await sweepPayouts(platform);
    await party.settle();
    await owner.rows(sql`update withdrawals.payouts set due_at = platform.business_now()`);
    assert.equal(await arrival(() => sweepPayouts(platform)), 'paid');
    socket.close();
  });
});
