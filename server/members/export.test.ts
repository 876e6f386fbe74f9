import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { sql } from '#platform/database.ts';
import { deviceOf } from '../../test/device.ts';
import { offerMethod } from '../../test/offered-methods.ts';
import { type Person, testSite } from '../../test/site.ts';
import { hashPassword } from '../access/passwords.ts';

/** The export of a member's data, over HTTP. */
const site = await testSite({ after });
await offerMethod(site.platform, 'litecoin');

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
    method: 'litecoin',
    recipientInfo: { address: 'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9' },
  });
  await site.owner.rows(sql`
    update withdrawals.withdrawals set destination = ${`${mark}@example.com`} where member_id = ${person.id}`);
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
    const { notices, ...settings } = body.settings;
    assert.deepEqual(settings, {
      language: 'en',
      timezone: 'Asia/Seoul',
      currency: 'USD',
      emailNotifications: true,
    });
    assert.deepEqual(notices.paid, { mail: true, push: false });
    assert.equal(body.sessions.length, 1);
    assert.equal(body.devices[0].fields.canvas, 'alpha');
    assert.equal(body.suspensions[0].reason, 'Reason alpha');
    assert.equal(body.tickets[0].subject, 'Subject alpha');
    assert.equal(body.withdrawals[0].address, 'alpha@example.com');
    assert.equal(body.games[0].betAmount, 10);
    assert.equal(body.bonus[0].consecutiveDays, 1);
    const columns = ['amount', 'balanceAfter', 'createdAt', 'description', 'id', 'kind', 'provider', 'txId'];
    assert.deepEqual(Object.keys(body.movements[0]).sort(), columns);
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
  it('holds all opened walls, earnings that wait, referrals, games and responses', async () => {
    const [person, friend] = [await busyMember('delta'), await site.member()];
    const as = await site.member({ role: 'admin' });
    const [{ id }] = (await site.call('GET', '/api/support/tickets', { as: person })).body;
    const body = { response: 'They are here.' };
    assert.equal(
      (await site.call('POST', `/api/admin/support-tickets/${id}/respond`, { as, body })).status,
      200,
    );
    await site.owner.rows(sql`
      insert into earning.openings (member_id, provider, opened_at)
      select ${person.id}, 'cpx', timestamptz '2026-01-01Z' + n * interval '1 second' from generate_series(1, 501) n`);
    await site.owner.rows(sql`
      insert into earning.earnings (provider, transaction_id, member_id, points, left_points, subject, is_screen_out,
        state, created_at, held_id)
      values ('cpx', 'waiting', ${person.id}, 12000, 12000, 'Long survey', false, 'held', '2026-01-02Z', 1)`);
    await site.owner.rows(sql`update members.members set referred_by = ${person.id} where id = ${friend.id}`);
    await site.owner.rows(sql`select referrals.begin_referral(${friend.id}, ${person.id})`);

    const exported = (await download(person)).body;
    const seconds = exported.walls.map(({ openedAt }: { openedAt: string }) => Date.parse(openedAt) / 1_000);
    const first = Date.parse('2026-01-01T00:00:01Z') / 1_000;
    assert.deepEqual(
      seconds,
      Array.from({ length: 501 }, (_, index) => first + index),
    );
    assert.equal(exported.walls[0].provider, 'cpx');
    assert.deepEqual(exported.heldEarnings, [
      {
        provider: 'cpx',
        txId: 'waiting',
        amount: '12000',
        description: 'CPX Research: Long survey',
        createdAt: '2026-01-02T00:00:00.000Z',
      },
    ]);
    const [referral] = exported.referrals;
    assert.deepEqual(
      [exported.referrals.length, referral.friend, referral.status, referral.decidedAt],
      [1, String(friend.id).slice(-6), 'pending', null],
    );
    const [game] = exported.games;
    assert.equal(game.winAmount, game.isWin ? 20 : 0);
    assert.deepEqual([game.id, game.seedNumber, game.nonce], ['1', 1, 0]);
    assert.deepEqual(
      exported.tickets[0].responses.map(({ response }: { response: string }) => response),
      ['They are here.'],
    );
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
