import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { after, it } from 'node:test';
import { createHealth } from '#platform/health.ts';
import { createLog } from '#platform/log.ts';
import { createMailer } from '#platform/mail.ts';
import { createPhoneVerification } from '#platform/phone-verification.ts';
import { checkCaptcha } from './captcha.ts';

/** A server that keeps sending, and never an end: a limit on inactivity would wait for ever. */
async function startTrickle(begin: string): Promise<string> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.write(begin);
    const timer = setInterval(() => socket.write(' '), 100);
    socket.on('error', () => clearInterval(timer));
    socket.on('close', () => clearInterval(timer));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return `127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function durationMs(work: Promise<unknown>): Promise<number> {
  const startedAtMs = performance.now();
  await assert.rejects(work);
  return performance.now() - startedAtMs;
}

it('gives up mail, captcha and text messages after 5 s in all, however slowly the answer comes', async () => {
  const slowHttp = await startTrickle('HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n{');
  const slowMail = await startTrickle('220 mail.example.com ESMTP\r\n250');
  const baseUrl = `http://${slowHttp}`;
  const twilio = { accountSid: 'a', authToken: 'b', serviceSid: 'c', baseUrl };
  const health = createHealth(createLog('silent'));
  const hcaptcha = { sitekey: 'a', secret: 'b', verifyUrl: baseUrl };
  const sendMail = createMailer({ smtpUrl: `smtp://${slowMail}`, mailFrom: 'site@example.com' });
  const durations = await Promise.all([
    durationMs(sendMail({ to: 'kim@example.com', subject: 'Hello', text: 'Hello' })),
    durationMs(createPhoneVerification(twilio, health).start('+821012345678')),
    durationMs(checkCaptcha({ config: { hcaptcha }, health }, 'token', '203.0.113.1')),
  ]);
  for (const ms of durations) assert.ok(ms > 4_500 && ms < 7_000, String(durations));
});
