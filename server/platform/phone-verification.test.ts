import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, describe, it } from 'node:test';
import { createHealth } from './health.ts';
import { createLog } from './log.ts';
import { readPhoneNumber } from './phone-number.ts';
import { createPhoneVerification } from './phone-verification.ts';
import { Refusal } from './refusal.ts';

/** The service's answers if it can't send: status and error code, from twilio.com/docs/api/errors. */
let answer = { status: 201, body: '{"sid":"VE1"}' };
const service = createServer((_request, response) => {
  response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.body);
});
await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
after(() => void service.close());
const health = createHealth(createLog('silent'));
const twilio = {
  accountSid: 'AC1',
  authToken: 'token',
  serviceSid: 'VA1',
  baseUrl: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
};
const verification = createPhoneVerification(twilio, health);

const refusalOf = async (act: Promise<unknown>): Promise<[string, number]> => {
  const error = await act.then(
    () => assert.fail('was not refused'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof Refusal, String(error));
  return [error.code, error.status];
};

describe('a phone number', () => {
  it('has one text, by the rule of its country', () => {
    const texts = {
      '+821055501234': '+821055501234',
      '+8201055501234': '+821055501234',
      '+4407418123456': '+447418123456',
      '+610403123456': '+61403123456',
      '+390612345678': '+390612345678',
      '+13075550121': '+13075550121',
    };
    for (const [text, number] of Object.entries(texts)) assert.equal(readPhoneNumber(text), number);
  });
  it('is refused if its country has no such numbers', () => {
    for (const text of ['+82105550123456', '+10307555012', '+99912345678', '+39612345678', '01055501234'])
      assert.equal(readPhoneNumber(text), undefined, text);
  });
});

describe('the text message service', () => {
  it('refuses a number that can’t receive messages as an invalid request', async () => {
    answer = { status: 400, body: '{"code":60200,"message":"Invalid parameter `To`"}' };
    assert.deepEqual(await refusalOf(verification.start('+19999999999')), ['invalid-request', 400]);
  });
  it('limits the messages to one number', async () => {
    answer = { status: 429, body: '{"code":60203,"message":"Max send attempts reached"}' };
    assert.deepEqual(await refusalOf(verification.start('+821012345678')), ['rate-limited', 429]);
  });
  it('refuses as overloaded when the service fails or answers unexpectedly', async () => {
    for (const [status, body] of [
      [503, 'upstream'],
      [401, '{"code":20003}'],
      [201, '<html>'],
      [201, '{}'],
    ] as const) {
      answer = { status, body };
      assert.deepEqual(await refusalOf(verification.start('+821012345678')), ['overloaded', 503]);
      if (status !== 201) assert.deepEqual(await refusalOf(verification.cancel('VE1')), ['overloaded', 503]);
      assert.deepEqual(await refusalOf(verification.check('VE1', '123456')), ['overloaded', 503]);
    }
  });
  it('is reported while it fails, until it answers again', async () => {
    const trouble = () => health.troubles().find(({ name }) => name === 'sms')?.trouble;
    const sentence = 'Text messages can’t be sent: The text message service answered';
    answer = { status: 401, body: '{"code":20003}' };
    await refusalOf(verification.start('+821012345678'));
    assert.equal(trouble(), `${sentence} 401`);
    answer = { status: 400, body: '{"code":60200,"message":"Invalid parameter `To`"}' };
    await refusalOf(verification.start('+19999999999'));
    assert.equal(trouble(), undefined);
    answer = { status: 500, body: '{}' };
    await refusalOf(verification.check('VE1', '123456'));
    assert.equal(trouble(), `${sentence} 500`);
    answer = { status: 201, body: '{"sid":"VE1"}' };
    await verification.start('+821012345678');
    assert.equal(trouble(), undefined);
  });
  it('refuses as overloaded when the service can’t be reached', async () => {
    await new Promise((resolve) => service.close(resolve));
    const refused = verification.start('+821012345678');
    assert.deepEqual(await refusalOf(refused), ['overloaded', 503]);
    await assert.rejects(refused, ({ cause }) => cause instanceof Error);
  });
});
