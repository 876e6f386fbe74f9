import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { sql } from '#platform/database.ts';
import { createPhoneVerification } from '#platform/phone-verification.ts';
import { type Person, testSite } from '../../test/site.ts';
import { phoneCodesOfNumber } from './limits.ts';
import { hashPassword } from './passwords.ts';
import { sendPhoneCode, verifyPhoneCode } from './phone.ts';
import { mergePhoneNumbers } from './phone-merge.ts';
import { addSignInNotice } from './sign-in.ts';

/** Changing a verified phone, and codes to a number that several members ask for. A site with the live limits. */
const site = await testSite({ after }, { LIMIT_FACTOR: '1', TRUSTED_PROXIES: '127.0.0.1' });
const PASSWORD = 'a quiet river 7';
const passwordHash = await hashPassword(PASSWORD);

let addresses = 0;
const nextAddress = () => {
  addresses += 1;
  return `192.0.2.${addresses}`;
};
const caller = (as: Person, address = nextAddress()) => ({
  send: (body: object) =>
    site.call('POST', '/api/auth/send-phone-verification', {
      as,
      body,
      headers: { 'x-forwarded-for': address },
    }),
  verify: (phoneNumber: string, code: string) =>
    site.call('POST', '/api/auth/verify-phone-code', { as, body: { phoneNumber, code } }),
});
const codesTo = async (phoneNumber: string): Promise<string[]> =>
  (await site.call('GET', '/sandbox/outbox')).body
    .filter(({ to }: { to: string }) => to === phoneNumber)
    .map(({ code }: { code: string }) => code);
const wrongFor = (code: string | undefined) => (code === '000000' ? '000001' : '000000');

/** A member with a password and a verified number. */
async function verified(): Promise<{ person: Person; number: string }> {
  const person = await site.member({ isPhoneVerified: true });
  await site.owner.rows(sql`
    update members.members set password_hash = ${passwordHash} where id = ${person.id}`);
  return { person, number: `+821${person.id}` };
}

describe('changing a verified phone', () => {
  it('needs the password or a code to the old number, not a session alone', async () => {
    const { person } = await verified();
    const { send } = caller(person);
    const refused = await send({ phoneNumber: '+821099990001' });
    assert.deepEqual([refused.status, refused.problem.code], [403, 'fresh-factor-required']);
    const wrong = await send({ phoneNumber: '+821099990001', password: 'not this one' });
    assert.deepEqual([wrong.status, wrong.problem.code], [403, 'wrong-password']);
    assert.deepEqual(await codesTo('+821099990001'), []);
  });
  it('sends the code with the password, and replaces the number with it', async () => {
    const { person } = await verified();
    const { send, verify } = caller(person);
    assert.equal((await send({ phoneNumber: '+821099990002', password: PASSWORD })).status, 200);
    const [code = ''] = await codesTo('+821099990002');
    assert.equal((await verify('+821099990002', code)).body.phoneNumber, '+821099990002');
  });
  it('takes the code sent to the old number once, and counts wrong ones', async () => {
    const { person, number } = await verified();
    const { send } = caller(person);
    assert.equal((await send({ phoneNumber: number })).status, 200, 'the own number needs no factor');
    const [oldCode] = await codesTo(number);
    const wrong = await send({ phoneNumber: '+821099990003', oldCode: wrongFor(oldCode) });
    assert.deepEqual([wrong.problem.code, wrong.problem.triesLeft], ['wrong-code', 4]);
    assert.equal((await send({ phoneNumber: '+821099990003', oldCode })).status, 200);
    const again = await send({ phoneNumber: '+821099990004', oldCode });
    assert.equal(again.problem.code, 'code-expired');
  });
  it('asks for the factor before it tells that a number is taken', async () => {
    const [{ person }, { number: taken }] = [await verified(), await verified()];
    const { send } = caller(person);
    assert.equal((await send({ phoneNumber: taken })).problem.code, 'fresh-factor-required');
    assert.equal((await send({ phoneNumber: taken, password: PASSWORD })).problem.code, 'phone-taken');
  });
});

describe('a number that is written with a national 0 after its country code', () => {
  it('is the same number: taken by another member, and verified under its one text', async () => {
    const [first, second] = [caller(await site.member()), caller(await site.member())];
    assert.equal((await first.send({ phoneNumber: '+8201055501234' })).status, 200);
    const [code = ''] = await codesTo('+821055501234');
    assert.equal((await first.verify('+8201055501234', code)).body.phoneNumber, '+821055501234');
    for (const phoneNumber of ['+821055501234', '+8201055501234'])
      assert.equal((await second.send({ phoneNumber })).problem.code, 'phone-taken');
    const { problem } = await second.send({ phoneNumber: '+82105550123456' });
    assert.deepEqual([problem.code, problem.errors?.[0]?.path], ['invalid-request', 'phoneNumber']);
  });
  it('is merged at a start; of two members the first one keeps it, and an act names both', async () => {
    const members = await Promise.all([0, 1, 2, 3].map(() => site.member()));
    const [alone, first, second, roman] = members.map(({ id }) => id);
    const store = (id: number | undefined, number: string, minutes: number) =>
      site.owner.rows(sql`
        update members.members
        set phone_number = ${number}, phone_verified_at = now() - ${minutes} * interval '1 minute' where id = ${id}`);
    await store(alone, '+8201055507001', 9);
    await store(first, '+8201055507002', 9);
    await store(second, '+821055507002', 5);
    await store(roman, '+390612345678', 9);
    const merge = () => mergePhoneNumbers(site.database, site.platform.log);
    await Promise.all([merge(), merge(), merge()]);
    await merge();
    const rows = await site.owner.rows<{ id: number; number: string | null; isVerified: boolean }>(sql`
      select id, phone_number as number, phone_verified_at is not null as "isVerified"
      from members.members where id = any(${[alone, first, second, roman]}::integer[])`);
    const of = (id: number | undefined) => rows.find((row) => row.id === id);
    assert.deepEqual(of(alone), { id: alone, number: '+821055507001', isVerified: true });
    assert.deepEqual(of(first), { id: first, number: '+821055507002', isVerified: true });
    assert.deepEqual(of(second), { id: second, number: null, isVerified: false });
    assert.deepEqual(of(roman), { id: roman, number: '+390612345678', isVerified: true });
    const acts = await site.owner.rows(sql`
      select member_id as id, after from platform.acts where act = 'member.free-phone'`);
    assert.deepEqual(acts, [{ id: second, after: { samePhoneAs: first } }]);
  });
});

describe('a stored number that is none by the rules of today', () => {
  it('gets a code, so that its member can change it', async () => {
    const person = await site.member();
    await site.owner.rows(sql`
      update members.members set phone_number = '+5215512345678', phone_verified_at = now() where id = ${person.id}`);
    assert.equal((await caller(person).send({ phoneNumber: '+5215512345678' })).status, 200);
  });
});

describe('a code that was asked for before another number was verified', () => {
  it('replaces that number with nothing, because it was asked for without a factor', async () => {
    const { id } = await site.member();
    const service = createPhoneVerification(site.platform.config.twilio, site.platform.health);
    const [own, thiefs] = ['+821099990051', '+821099990052'];
    const { limits } = site.platform;
    const ask = (phoneNumber: string, count = limits.count) => {
      const platform = { ...site.platform, limits: { ...limits, count } };
      return sendPhoneCode(platform, service, { id, address: nextAddress() }, { phoneNumber });
    };
    const enter = async (phoneNumber: string) => {
      const code = (await codesTo(phoneNumber)).at(-1) ?? '';
      return verifyPhoneCode(site.platform, service, id, { phoneNumber, code });
    };
    await ask(own);
    // The owner enters their code just before the thief's call voids it.
    await ask(thiefs, async (limit, key) => {
      await enter(own);
      await limits.count(limit, key);
    });
    await assert.rejects(enter(thiefs), { code: 'fresh-factor-required' });
    await assert.rejects(enter(thiefs), { code: 'code-expired' });
    assert.equal((await enter(own)).phoneNumber, own);
  });
});

describe('a first password that a session alone set', () => {
  it('is no proof for another phone number for 24 hours; a code to the old one is', async () => {
    const { person, number } = await verified();
    await site.owner.rows(sql`update members.members set password_hash = null where id = ${person.id}`);
    const body = { newPassword: 'set by a thief 1' };
    assert.equal((await site.call('POST', '/api/auth/set-password', { as: person, body })).status, 204);
    const changed = { currentPassword: 'set by a thief 1', newPassword: PASSWORD };
    const change = await site.call('PUT', '/api/user/password', { as: person, body: changed });
    assert.equal(change.status, 204);
    const { send } = caller(person);
    const byPassword = { phoneNumber: '+821099990021', password: PASSWORD };
    const refused = await send(byPassword);
    assert.deepEqual([refused.status, refused.problem.code], [403, 'fresh-factor-required']);
    await send({ phoneNumber: number });
    const oldCode = (await codesTo(number)).at(-1);
    assert.equal((await send({ phoneNumber: '+821099990021', oldCode })).status, 200);
    await site.owner.rows(sql`update platform.clock set offset_seconds = offset_seconds + 25 * 3600`);
    assert.equal((await send(byPassword)).status, 200);
  });
});

describe('a first phone number', () => {
  const isHeld = async (person: Person) =>
    (await site.owner.row(sql`
      select from members.members where id = ${person.id} and security_changed_at is not null`)) !==
    undefined;
  const verify = async (person: Person, number: string) => {
    const { send, verify: enter } = caller(person);
    assert.equal((await send({ phoneNumber: number })).status, 200);
    assert.equal((await enter(number, (await codesTo(number)).at(-1) ?? '')).status, 200);
  };
  it('is a change of security within 24 hours of a login with a new browser, else not', async () => {
    const [known, robbed, later] = [await site.member(), await site.member(), await site.member()];
    const from = { userAgent: 'new', address: '203.0.113.9' };
    for (const { id } of [robbed, later])
      await site.database.transaction((tx) => addSignInNotice(tx, id, from));
    await verify(known, '+821099990031');
    await verify(robbed, '+821099990032');
    await site.owner.rows(sql`update platform.clock set offset_seconds = offset_seconds + 25 * 3600`);
    await verify(later, '+821099990033');
    assert.deepEqual([await isHeld(known), await isHeld(robbed), await isHeld(later)], [false, true, false]);
  });
  it('is told as verified, and another number as a change', async () => {
    const person = await site.member();
    const { send, verify: enter } = caller(person);
    await verify(person, '+821099990071');
    await site.owner.rows(sql`
      update members.members set password_hash = ${passwordHash} where id = ${person.id}`);
    const another = { phoneNumber: '+821099990072', password: PASSWORD };
    assert.equal((await send(another)).status, 200);
    await enter(another.phoneNumber, (await codesTo(another.phoneNumber)).at(-1) ?? '');
    const told = await site.owner.rows<{ change: string }>(sql`
      select facts ->> 'change' as change from notices.notices where member_id = ${person.id} order by member_number`);
    assert.deepEqual(
      told.map(({ change }) => change),
      ['first-phone', 'phone'],
    );
  });
});

describe('codes to a number that is not verified', () => {
  const reachesOwner = async (owner: ReturnType<typeof caller>, number: string) => {
    const asked = await owner.send({ phoneNumber: number });
    assert.equal(asked.status, 200, JSON.stringify(asked.problem));
    const code = (await codesTo(number)).at(-1) ?? '';
    assert.equal((await owner.verify(number, code)).status, 200);
  };
  it('are not used up by other members who ask for them', async () => {
    const number = '+821099990011';
    const [stranger, owner] = [caller(await site.member()), caller(await site.member())];
    for (let asked = 0; asked < 5; asked += 1)
      assert.equal((await stranger.send({ phoneNumber: number })).status, 200);
    assert.equal((await stranger.send({ phoneNumber: number })).status, 429);
    assert.equal((await owner.send({ phoneNumber: number })).status, 200);
    const code = (await codesTo(number)).at(-1) ?? '';
    assert.equal((await owner.verify(number, code)).status, 200);
  });
  it('stay good while another member asks for the same number and guesses', async () => {
    const number = '+821099990012';
    const [stranger, owner] = [caller(await site.member()), caller(await site.member())];
    await owner.send({ phoneNumber: number });
    const [code = ''] = await codesTo(number);
    await stranger.send({ phoneNumber: number });
    await stranger.send({ phoneNumber: number });
    for (let tries = 0; tries < 5; tries += 1)
      assert.equal((await stranger.verify(number, wrongFor(code))).problem.code, 'wrong-code');
    assert.equal((await stranger.verify(number, wrongFor(code))).problem.code, 'code-expired');
    assert.equal((await owner.verify(number, wrongFor(code))).problem.triesLeft, 4);
    assert.equal((await owner.verify(number, code)).status, 200);
  });
  it('are fresh for the owner when another member guessed before', async () => {
    const number = '+821099990013';
    const [stranger, owner] = [caller(await site.member()), caller(await site.member())];
    await stranger.send({ phoneNumber: number });
    const [first] = await codesTo(number);
    for (let tries = 0; tries < 5; tries += 1) await stranger.verify(number, wrongFor(first));
    await owner.send({ phoneNumber: number });
    const code = (await codesTo(number)).at(-1) ?? '';
    assert.equal((await owner.verify(number, code)).status, 200);
  });
  it('reach the owner after three members entered wrong codes', async () => {
    const number = '+821099990014';
    for (let strangers = 0; strangers < 3; strangers += 1) {
      const { send, verify } = caller(await site.member());
      assert.equal((await send({ phoneNumber: number })).status, 200);
      const wrong = wrongFor((await codesTo(number)).at(-1));
      for (let tries = 0; tries < 2; tries += 1) await verify(number, wrong);
    }
    await reachesOwner(caller(await site.member()), number);
  });
  it('reach the owner after two members asked five times in turn', async () => {
    const number = '+821099990015';
    const strangers = [caller(await site.member()), caller(await site.member())] as const;
    for (const place of [0, 1, 0, 1, 0] as const)
      assert.equal((await strangers[place].send({ phoneNumber: number })).status, 200);
    await reachesOwner(caller(await site.member()), number);
  });
  it('stay good for the owner while many newer members ask and guess, also at the same time', async () => {
    const number = '+821099990016';
    const owner = caller(await site.member());
    await owner.send({ phoneNumber: number });
    const code = (await codesTo(number)).at(-1) ?? '';
    const strangers = await Promise.all(Array.from({ length: 7 }, async () => caller(await site.member())));
    for (const turns of [0, 1])
      await Promise.all(
        strangers.map(async ({ send, verify }, place) => {
          if (turns === 0 || place % 2 === 0) await send({ phoneNumber: number });
          await Promise.all([verify(number, wrongFor(code)), verify(number, wrongFor(code))]);
        }),
      );
    assert.equal((await owner.verify(number, code)).status, 200);
  });
  it('are replaced for an older account though newer ones fill the code, and not for another new one', async () => {
    const number = '+821099990017';
    const owner = caller(await site.member());
    const strangers = [];
    for (let asked = 0; asked < 5; asked += 1) {
      const stranger = caller(await site.member());
      assert.equal((await stranger.send({ phoneNumber: number })).status, 200);
      strangers.push(stranger);
    }
    const sixth = await caller(await site.member()).send({ phoneNumber: number });
    assert.deepEqual([sixth.status, sixth.problem.code], [429, 'rate-limited']);
    const waitS = Number(sixth.headers.get('retry-after'));
    assert.ok(waitS > 0 && waitS <= 180, String(waitS));
    await reachesOwner(owner, number);
    const late = await strangers[0]?.verify(number, '000000');
    assert.equal(late?.problem.code, 'code-expired');
  });
  it('are replaced for any member after those who asked had three minutes to enter them', async () => {
    const number = '+821099990018';
    for (let asked = 0; asked < 5; asked += 1)
      await caller(await site.member()).send({ phoneNumber: number });
    const owner = caller(await site.member());
    assert.equal((await owner.send({ phoneNumber: number })).status, 429);
    await site.owner.rows(sql`update platform.clock set offset_seconds = offset_seconds + 181`);
    await reachesOwner(owner, number);
  });
  it('stay good while a member who shares one asks for a code to another number', async () => {
    const number = '+821099990061';
    const [owner, stranger] = [caller(await site.member()), caller(await site.member())];
    await owner.send({ phoneNumber: number });
    const code = (await codesTo(number)).at(-1) ?? '';
    assert.equal((await stranger.send({ phoneNumber: number })).status, 200);
    assert.equal((await stranger.send({ phoneNumber: '+821099990062' })).status, 200);
    assert.equal((await owner.verify(number, code)).status, 200);
  });
  it('are bounded per number, except the first two of a member', async () => {
    const number = '+821099990019';
    for (let asked = 0; asked < 21; asked += 1)
      await site.platform.limits.isWithin(phoneCodesOfNumber, number);
    const { send } = caller(await site.member());
    const statuses = [];
    for (let asked = 0; asked < 3; asked += 1) statuses.push((await send({ phoneNumber: number })).status);
    assert.deepEqual(statuses, [200, 200, 429]);
  });
  it('are sent thirty times an hour per address of the internet', async () => {
    const address = nextAddress();
    const statuses = [];
    for (let member = 0; member < 7; member += 1) {
      const { send } = caller(await site.member(), address);
      for (let asked = 0; asked < 5; asked += 1)
        statuses.push((await send({ phoneNumber: `+82109999${2000 + member}` })).status);
    }
    assert.equal(statuses.filter((status) => status === 200).length, 30);
  });
});
