import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { WebSocket } from 'ws';
import { type Person, testSite } from './site.ts';

/** The socket, called as by a browser and as by an attacker. */
const site = await testSite({ after });
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
  it('opens for a session and confirms it', async () => {
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
  it('pushes a balance to its member only', async () => {
    const [mine, other] = [await signedIn(), await signedIn()];
    const [here, there] = [await open(mine.cookie), await open(other.cookie)];
    site.platform.bus.announce({ memberId: mine.id, event: { type: 'balance', balance: '180' } });
    assert.deepEqual(await here.next('balance'), { type: 'balance', balance: '180' });
    await assert.rejects(there.next('balance'), /No balance came/);
    here.socket.close();
    there.socket.close();
  });
  it('closes at once when the session ends', async () => {
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
  it('closes after more than 20 frames a second or one over 16 KiB', async () => {
    const fast = await open((await signedIn()).cookie);
    for (let sent = 0; sent < 60; sent += 1) fast.socket.send('{"type":"user_typing","channelId":"1"}');
    assert.equal(await fast.closed, 1008);
    const large = await open((await signedIn()).cookie);
    large.socket.send(JSON.stringify({ type: 'auth', text: 'x'.repeat(17_000) }));
    assert.equal(await large.closed, 1009);
  });
});
