import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, test } from 'node:test';
import { WebSocket } from 'ws';
import { memberKey } from '#platform/http/admission.ts';
import { ticketMessages } from '../server/chat/routes.ts';
import { deviceTextOf } from './device.ts';
import { type Person, testSite } from './site.ts';

/** The limits of a site with `LIMIT_FACTOR=0.1`: 60 calls a minute, and 1 registration and 1 phone code an hour. */
const site = await testSite({ after }, { LIMIT_FACTOR: '0.1' });

test('limits registrations of one address, successful or not', async () => {
  const body = {
    email: 'one@example.com',
    password: 'a quiet river 7',
    firstName: 'Mina',
    deviceFingerprint: deviceTextOf(),
    hcaptchaToken: '10000000-aaaa-bbbb-cccc-000000000001',
  };
  const first = await site.call('POST', '/api/auth/register', { body });
  assert.equal(first.status, 201);
  const second = await site.call('POST', '/api/auth/register', {
    body: { ...body, email: 'two@example.com' },
  });
  assert.deepEqual([second.status, second.problem.code], [429, 'rate-limited']);
});

test('limits each member’s calls by the minute', async () => {
  const [hasty, other] = [await site.member(), await site.member()];
  const statuses = [];
  for (let calls = 0; calls < 61; calls += 1)
    statuses.push((await site.call('GET', '/api/user', { as: hasty })).status);
  assert.deepEqual([statuses.filter((status) => status === 200).length, statuses.at(-1)], [60, 429]);
  const refused = await site.call('GET', '/api/user', { as: hasty });
  const seconds = Number(refused.headers.get('retry-after'));
  assert.ok(seconds > 0 && seconds <= 60, `Retry-After ${seconds}`);
  assert.equal((await site.call('GET', '/api/user', { as: other })).status, 200);
});

test('limits a member’s messages of a day in tickets, and not those in the general channel', async () => {
  const [inTicket, inGeneral] = [await site.member(), await site.member()];
  for (const { id } of [inTicket, inGeneral])
    for (let messages = 0; messages < 20; messages += 1)
      await site.platform.limits.count(ticketMessages, memberKey(id));
  const write = (as: Person, channelId: string) =>
    site.call('POST', '/api/chat/messages', { as, body: { channelId, content: 'Hello' } });
  const ticket = await site.call('POST', '/api/support/tickets', {
    as: inTicket,
    body: { subject: 'Points', message: 'Where?' },
  });
  const refused = await write(inTicket, ticket.body.channelId);
  assert.deepEqual([refused.status, refused.problem.code], [429, 'rate-limited']);
  assert.ok(Number(refused.headers.get('retry-after')) > 3_600);
  assert.equal((await write(inGeneral, '1')).status, 201);
});

test('limits the calls of a source also upgrades and documents, but not webhooks and health', async () => {
  const limited = await testSite({ after }, { LIMIT_FACTOR: '0.001' });
  const upgrade = { connection: 'upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' };
  const headers = { ...upgrade, 'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==', origin: limited.origin };
  const statuses = [];
  for (const path of [
    '/ws',
    '/sitemap.xml',
    '/api/openapi.json',
    '/robots.txt',
    '/nothing',
    '/api/docs',
    '/ws',
    '/auth',
  ])
    statuses.push((await limited.platform.app.inject({ method: 'GET', url: path, headers })).statusCode);
  assert.deepEqual(statuses.slice(-2), [429, 429]);
  assert.ok(!statuses.slice(0, 6).includes(429), String(statuses));
  for (const path of ['/healthz', '/readyz', '/api/webhooks/postback/cpx'])
    assert.notEqual((await limited.platform.app.inject(path)).statusCode, 429);
});

test('counts upgrades and frames of sockets like calls', async () => {
  const limited = await testSite({ after }, { LIMIT_FACTOR: '0.01' });
  const open = async ({ cookie }: Person) => {
    const socket = new WebSocket(`${limited.origin.replace('http', 'ws')}/ws`, {
      headers: { cookie, origin: limited.origin },
    });
    const status = new Promise((resolve, reject) => {
      socket.on('open', () => resolve(101));
      socket.on('unexpected-response', (_request, response) => resolve(response.statusCode));
      socket.on('error', reject);
    });
    return { socket, status: await status };
  };
  const statusOf = async (as: Person) => (await limited.call('GET', '/api/user', { as })).status;

  const busy = await limited.member();
  const { socket } = await open(busy);
  const errors: string[] = [];
  socket.on('message', (raw) => {
    const frame = JSON.parse(String(raw));
    if (frame.type === 'error') errors.push(frame.code);
  });
  const closed = once(socket, 'close');
  for (let sent = 0; sent < 6; sent += 1) socket.send('{"type":"auth"}');
  assert.deepEqual([(await closed)[0], errors], [1008, ['rate-limited']]);
  assert.equal(await statusOf(busy), 429);

  const restless = await limited.member();
  const statuses = [];
  for (let opened = 0; opened < 7; opened += 1) {
    const { socket, status } = await open(restless);
    socket.terminate();
    statuses.push(status);
  }
  assert.deepEqual(statuses, [...Array(6).fill(101), 429]);
});

test('limits each member’s exports of a list, but not its pages', async () => {
  const [hasty, other] = [await site.member(), await site.member()];
  const read = async (as: Person, query: string) =>
    (await site.call('GET', `/api/user/history?${query}`, { as })).status;
  for (let exports = 0; exports < 3; exports += 1) assert.equal(await read(hasty, 'format=csv'), 200);
  assert.equal(await read(hasty, 'format=csv'), 429);
  assert.deepEqual([await read(hasty, 'format=csv&page=1'), await read(other, 'format=csv')], [200, 200]);
});

test('limits how many tickets a member can open', async () => {
  const [angry, other] = [await site.member(), await site.member()];
  const body = { subject: 'A question', message: 'Why?' };
  const open = async (as: Person) => (await site.call('POST', '/api/support/tickets', { as, body })).status;
  assert.equal(await open(angry), 201);
  assert.deepEqual([await open(angry), await open(other)], [429, 201]);
  assert.equal((await site.call('GET', '/api/support/tickets', { as: angry })).body.length, 1);
});

test('counts no phone code of a call that is refused because another member has the number', async () => {
  const owner = await site.member({ isPhoneVerified: true });
  const phoneNumber = `+821${owner.id}`;
  const send = (as: Person) =>
    site.call('POST', '/api/auth/send-phone-verification', { as, body: { phoneNumber } });
  for (let calls = 0; calls < 3; calls += 1)
    assert.equal((await send(await site.member())).problem.code, 'phone-taken');
  assert.equal((await send(owner)).status, 200);
  assert.equal((await send(owner)).problem.code, 'rate-limited');
});

test('limits how many numbers of other members a member can try', async () => {
  const owner = await site.member({ isPhoneVerified: true });
  const [curious, other] = [await site.member(), await site.member()];
  const send = async (as: Person) => {
    const body = { phoneNumber: `+821${owner.id}` };
    return (await site.call('POST', '/api/auth/send-phone-verification', { as, body })).problem.code;
  };
  assert.deepEqual([await send(curious), await send(curious)], ['phone-taken', 'phone-taken']);
  assert.equal(await send(curious), 'rate-limited');
  assert.equal(await send(other), 'phone-taken');
});
