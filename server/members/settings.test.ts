import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { sql } from '#platform/database.ts';
import { deviceOf } from '../../test/device.ts';
import { type Person, testSite } from '../../test/site.ts';

/** A member's settings, over HTTP. */
const site = await testSite({ after });
const mailed = { mail: true, push: false };
const notices = {
  paid: mailed,
  rejected: mailed,
  chargeback: mailed,
  held: mailed,
  approved: mailed,
  granted: mailed,
  ticket: mailed,
  decision: mailed,
  message: mailed,
  'sign-in': mailed,
  security: mailed,
};

const get = async (as: Person, headers: Record<string, string> = {}) =>
  (await site.call('GET', '/api/user/settings', { as, headers })).body;
const put = (as: Person, body: unknown) => site.call('PUT', '/api/user/settings', { as, body });

/** The same member on a device with this language. */
const onDevice = (person: Person, language: 'en' | 'ko'): Person => ({
  ...person,
  cookie: `${person.cookie}; language=${language}`,
});

describe('settings', () => {
  it('start with the device’s language, the site’s zone, dollars and notifications', async () => {
    const person = await site.member();
    const start = {
      language: 'en',
      timezone: 'Asia/Seoul',
      currency: 'USD',
      emailNotifications: true,
      notices,
    };
    assert.deepEqual(await get(person), start);
    assert.deepEqual(await get(onDevice(person, 'ko')), { ...start, language: 'ko' });
    assert.deepEqual(await get(person, { 'accept-language': 'ko-KR,ko;q=0.9' }), {
      ...start,
      language: 'ko',
    });
  });
  it('§1-3 settings: change any subset, keep the rest and return all', async () => {
    const person = await site.member();
    const first = await put(person, { currency: 'KRW' });
    assert.equal(first.status, 200);
    assert.deepEqual(first.body, {
      language: 'en',
      timezone: 'Asia/Seoul',
      currency: 'KRW',
      emailNotifications: true,
      notices,
    });
    const whole = {
      language: 'ko',
      timezone: 'America/Argentina/Buenos_Aires',
      currency: 'EUR',
      emailNotifications: false,
      notices: { ...notices, held: { mail: false, push: false } },
    };
    assert.deepEqual((await put(person, whole)).body, whole);
    assert.deepEqual((await put(person, {})).body, whole);
    assert.deepEqual((await put(person, { emailNotifications: true })).body, {
      ...whole,
      emailNotifications: true,
    });
    assert.deepEqual(await get(person), { ...whole, emailNotifications: true });
  });
  it('switch the mail of a kind of notice off and on, except about logins and security', async () => {
    const person = await site.member();
    const off = { mail: false, push: false };
    const first = await put(person, { notices: { paid: { mail: false }, held: off, 'sign-in': mailed } });
    assert.deepEqual(first.body.notices, { ...notices, paid: off, held: off });
    const second = await put(person, { notices: { paid: { mail: true } } });
    assert.deepEqual(second.body.notices, { ...notices, held: off });
    for (const body of [
      { 'sign-in': { mail: false } },
      { security: off },
      { paid: { mail: true, push: true } },
      { news: { mail: true } },
      { paid: { mail: 'no' } },
    ])
      assert.equal((await put(person, { notices: body })).status, 400, JSON.stringify(body));
    assert.deepEqual((await get(person)).notices, second.body.notices);
  });
  it('take a zone only if PostgreSQL and the program know its name', async () => {
    const person = await site.member();
    for (const timezone of ['KST', 'JST', 'UTC+9', 'foo+3', '+09:00', 'Mars/Olympus']) {
      const { status, problem } = await put(person, { timezone });
      assert.deepEqual(
        [status, problem.errors?.[0]?.message],
        [400, 'Must be the name of a time zone, such as Asia/Seoul'],
        timezone,
      );
    }
  });
  it('§1-4 language: apply a chosen language on every device', async () => {
    const person = await site.member();
    await put(onDevice(person, 'en'), { language: 'ko' });
    assert.equal((await get(onDevice(person, 'en'))).language, 'ko');
  });
  it('take a valid zone from the latest device', async () => {
    const person = await site.member();
    const device = (timezone: string) => deviceOf({ timezone, canvas: timezone });
    const record = (timezone: string) =>
      site.call('POST', '/api/device/fingerprint', { as: person, body: device(timezone) });
    assert.equal((await record('Europe/Berlin')).status, 204);
    assert.equal((await get(person)).timezone, 'Europe/Berlin');
    await record('Mars/Olympus_Mons');
    assert.equal((await get(person)).timezone, 'Asia/Seoul');
    await put(person, { timezone: 'UTC' });
    assert.equal((await get(person)).timezone, 'UTC');
  });
  it('refuse unknown fields and values, and store nothing', async () => {
    const person = await site.member();
    const before = await get(person);
    for (const body of [
      { theme: 'dark' },
      { language: 'fr' },
      { language: null },
      { timezone: 'Mars/Olympus_Mons' },
      { timezone: '+09:00' },
      { timezone: '' },
      { timezone: 'Asia/Seoul\u0000' },
      { timezone: 'x'.repeat(65) },
      { currency: 'GBP' },
      { currency: 'krw' },
      { emailNotifications: 'false' },
      { emailNotifications: 0 },
      { currency: 'EUR', extra: 1 },
      [],
    ]) {
      const { status, problem } = await put(person, body);
      assert.deepEqual([status, problem.code], [400, 'invalid-request'], JSON.stringify(body));
    }
    assert.deepEqual(await get(person), before);
  });
  it('affect no other member', async () => {
    const [one, other] = [await site.member(), await site.member()];
    await put(one, { currency: 'EUR', language: 'ko' });
    assert.equal((await get(other)).currency, 'USD');
  });
  it('set the language of mails', async () => {
    const person = await site.member();
    await put(person, { language: 'ko' });
    const row = await site.owner.one<{ language: string }>(
      sql`select language from members.members where id = ${person.id}`,
    );
    assert.equal(row.language, 'ko');
  });
});
