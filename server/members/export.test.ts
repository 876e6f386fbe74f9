import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { sql } from '#platform/database.ts';
import { deviceOf } from '../../test/device.ts';
import { type Person, testSite } from '../../test/site.ts';
import { hashPassword } from '../access/passwords.ts';

/** The export of a member's data, over HTTP. */
const site = await testSite({ after });
await site.owner.rows(sql`insert into withdrawals.methods (method, is_enabled) values ('paypal', true)`);

const download = (as: Person) => site.call('GET', '/api/user/export', { as });
const fingerprint = (canvas: string) => deviceOf({ canvas });

/** A member with data in every section, made through the site. */
async function busyMember(mark: string): Promise<Person> {
  const person = await site.member({ balancePoints: 5_000n, isPhoneVerified: true });
  const passwordHash = await hashPassword(`a quiet river ${mark}`);
  await site.owner.rows(sql`
    update members.members set password_hash = ${passwordHash}, first_name = ${mark} where id = ${person.id}`);
  const post = async (path: string, body: unknown) => {
    const { status } = await site.call('POST', path, { as: person, body });
    assert.ok(status < 300, `${path}: ${status}`);
  };
  await post('/api/device/fingerprint', fingerprint(mark));
  await post('/api/support/tickets', { subject: `Subject ${mark}`, message: 'Where are my points?' });
  await post('/api/withdrawal', {
    amountPoints: '2000',
    method: 'paypal',
    recipientInfo: { address: `${mark}@example.com` },
  });
  await post('/api/coin-flip', { betAmount: 10, playerChoice: 'heads' });
  await post('/api/daily-bonus/claim', {});
  await site.owner.rows(sql`
    insert into members.suspensions (member_id, reason, severity, suspension_type, expires_at, created_at)
    values (${person.id}, ${`Reason ${mark}`}, 'warning', 'withdrawal_blocked', platform.business_now(),
      platform.business_now())`);
  return person;
}

describe('the export', () => {
  it('is a JSON document to download with everything about the member', async () => {
    const person = await busyMember('alpha');
    const { status, headers, body } = await download(person);
    assert.equal(status, 200);
    assert.match(headers.get('content-type') ?? '', /^application\/json/);
    assert.equal(headers.get('content-disposition'), `attachment; filename="account-${person.id}.json"`);
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.equal(body.profile.id, String(person.id));
    assert.equal(body.profile.email, person.email);
    assert.deepEqual(body.settings, {
      language: 'en',
      timezone: 'Asia/Seoul',
      currency: 'USD',
      emailNotifications: true,
    });
    assert.equal(body.sessions.length, 1);
    assert.equal(body.devices[0].fields.canvas, 'alpha');
    assert.equal(body.suspensions[0].reason, 'Reason alpha');
    assert.equal(body.tickets[0].subject, 'Subject alpha');
    assert.equal(body.withdrawals[0].address, 'alpha@example.com');
    assert.equal(body.games[0].betAmount, 10);
    assert.equal(body.bonus[0].consecutiveDays, 1);
    const kinds = body.movements.map(({ kind }: { kind: string }) => kind);
    assert.deepEqual(kinds.slice(0, 3), ['grant', 'withdrawal', 'coinflip-stake']);
    const sum = body.movements.reduce(
      (total: bigint, { amount }: { amount: string }) => total + BigInt(amount),
      0n,
    );
    assert.equal(String(sum), body.movements.at(-1).balanceAfter);
  });
  it('holds no secret, no hash and no data of other members', async () => {
    const [one, other] = [await busyMember('bravo'), await busyMember('charlie')];
    const text = JSON.stringify((await download(one)).body);
    const secrets = await site.owner.one<{
      password: string;
      token: string;
      fingerprint: string;
      seed: string;
    }>(sql`
      select m.password_hash as password, encode(s.token_hash, 'hex') as token,
        encode(d.fingerprint_hash, 'hex') as fingerprint, p.server_seed as seed
      from members.members m join access.sessions s on s.member_id = m.id join access.devices d on d.member_id = m.id
        join coinflip.players p on p.member_id = m.id
      where m.id = ${one.id}`);
    for (const [what, secret] of Object.entries(secrets)) {
      assert.ok(secret.length > 10, what);
      assert.ok(!text.includes(secret), what);
    }
    assert.doesNotMatch(text, /argon2|hash/i);
    for (const mark of ['charlie', String(other.id), other.email]) assert.ok(!text.includes(mark), mark);
    assert.ok(!text.includes(one.cookie.split('=')[1] as string));
  });
  it('exports all pages in order, without duplicates', async () => {
    const person = await site.member({ balancePoints: 1n });
    await site.owner.rows(sql`
      select ledger.post(array(
        select row(${person.id}, 'bulk:' || ${person.id} || ':' || n, 'grant', 1, 'grants', 'Bulk', null, null,
          false, null)::ledger.item
        from generate_series(1, 1000) n))`);
    const { movements } = (await download(person)).body;
    assert.deepEqual(
      movements.map(({ id }: { id: string }) => Number(id)),
      Array.from({ length: 1_001 }, (_, index) => index + 1),
    );
    assert.equal(movements.at(-1).balanceAfter, '1001');
  });
  it('is complete for a member without activity', async () => {
    const { body } = await download(await site.member());
    assert.deepEqual(body.movements, []);
    assert.deepEqual(body.withdrawals, []);
    assert.deepEqual(body.tickets, []);
  });
});

describe('with the limits of a live site', async () => {
  const strict = await testSite({ after }, { LIMIT_FACTOR: '1' });
  it('allows ten exports an hour', async () => {
    const person = await strict.member();
    const statuses: number[] = [];
    for (let index = 0; index < 11; index += 1)
      statuses.push((await strict.call('GET', '/api/user/export', { as: person })).status);
    assert.deepEqual(statuses, [...Array(10).fill(200), 429]);
  });
});
