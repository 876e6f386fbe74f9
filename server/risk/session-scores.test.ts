import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readRiskySessions } from '#contract/risk-sessions.ts';
import { sql } from '#platform/database.ts';
import { networkFile } from '../../test/network-files.ts';
import { testSite } from '../../test/site.ts';
import { sessionScores } from '../access/session-scores.ts';
import { scoreNextSessions } from './session-scores.ts';

/** Scores of sessions in a database, with the operator's files of networks. */
const folder = mkdtempSync(join(tmpdir(), 'earnest-scores-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const file = (name: string, values: Parameters<typeof networkFile>[0]): string => {
  writeFileSync(join(folder, name), networkFile(values));
  return join(folder, name);
};
const GEOIP_DB = [
  file('country', {
    '45.0.0.0/8': { country: { iso_code: 'KR' } },
    '46.0.0.0/8': { country: { iso_code: 'US' } },
  }),
  file('anonymous', { '46.1.0.0/16': { is_anonymous: true, is_anonymous_vpn: true } }),
].join(',');
const site = await testSite({ after }, { GEOIP_DB });
const { owner, platform } = site;
const operator = await site.member({ role: 'admin' });
const score = () => scoreNextSessions(platform, sessionScores, 0);
const risky = async () =>
  readRiskySessions.reply.parse((await site.call('GET', '/api/admin/fraud/sessions', { as: operator })).body)
    .sessions;
const scoresOf = (memberId: number) =>
  owner.rows<{ score: number; reasons: { reason: string }[] }>(sql`
    select risk_score::integer as score, risk_reasons as reasons from access.sessions
    where member_id = ${memberId} order by created_at`);
const reasonsOf = async (memberId: number) =>
  (await scoresOf(memberId)).at(-1)?.reasons.map(({ reason }) => reason);

/** A member of 100 days, whose only session is of now and from this address. */
async function memberAt(address: string): Promise<number> {
  const { id } = await site.member();
  await owner.rows(sql`
    update members.members set created_at = created_at - interval '100 days' where id = ${id}`);
  await owner.rows(sql`update access.sessions set address = ${address}::inet where member_id = ${id}`);
  return id;
}
/** A device that the member has since so many days, and used last at this address a day ago, or today if it is new. */
const usesDevice = (memberId: number, name: string, address: string, days: number) =>
  owner.rows(sql`
    insert into access.devices (fingerprint_hash, member_id, address, fields, first_seen_at, last_seen_at)
    select sha256(convert_to(${name}, 'UTF8')), ${memberId}, ${address}::inet, '{}',
      now - make_interval(days => ${days}), now - make_interval(days => least(${days}, 1))
    from platform.business_now() now`);

test('§2-7 fraud: sessions of high risk are counted and listed, each with why', async () => {
  const taken = await memberAt('46.1.2.3');
  await usesDevice(taken, 'own', '45.1.1.1', 50);
  const calm = await memberAt('45.1.1.2');
  await usesDevice(calm, 'calm', '45.1.1.2', 50);
  assert.equal(await score(), null);
  const [session, ...others] = await risky();
  assert.deepEqual(others, []);
  assert.deepEqual(
    [session?.userId, session?.score, session?.ipAddress, session?.network],
    [String(taken), 50, '46.1.2.3', { country: 'US', kinds: ['vpn'], holder: null, connection: null }],
  );
  assert.deepEqual(session?.reasons, [
    { reason: 'hidden-network', points: 30 },
    { reason: 'other-country', points: 20 },
  ]);
  assert.deepEqual(await scoresOf(calm), [{ score: 0, reasons: [] }]);
  const stats = await site.call('GET', '/api/admin/fraud/stats', { as: operator });
  assert.equal(stats.body.highRiskSessions, 1);
  assert.deepEqual(await owner.rows(sql`select from members.suspensions`), [], 'nobody is suspended');
  const stranger = await site.member();
  assert.equal((await site.call('GET', '/api/admin/fraud/sessions', { as: stranger })).status, 403);
  const { body } = await site.call('GET', `/api/admin/users/${taken}`, { as: operator });
  assert.deepEqual(body.sessions[0].network.kinds, ['vpn'], 'the member’s page says it beside the address');
});

test('a device that came with the session, and a change of the account within a day', async () => {
  const member = await memberAt('45.2.1.1');
  await usesDevice(member, 'new', '45.2.1.1', 0);
  await score();
  assert.deepEqual(await reasonsOf(member), [], 'the first device is not new');
  await usesDevice(member, 'older', '45.2.1.1', 50);
  await owner.rows(sql`update members.members set email = 'changed@example.com' where id = ${member}`);
  await score();
  assert.deepEqual(await reasonsOf(member), ['new-device', 'account-changed']);
});

test('a trip with one’s own device is no other country, and a former country is known', async () => {
  const traveller = await memberAt('46.2.1.1');
  await usesDevice(traveller, 'traveller', '46.2.1.1', 50);
  const returning = await memberAt('46.2.1.2');
  await usesDevice(returning, 'returning', '45.2.1.2', 50);
  await owner.rows(sql`
    insert into access.sessions (token_hash, id, member_id, created_at, last_seen_at, user_agent, address,
      has_passed_gate)
    select sha256('former'), gen_random_uuid(), ${returning}, now - interval '9 days', now - interval '8 days', '',
      '46.9.9.9', false from platform.business_now() now`);
  await score();
  assert.deepEqual([await reasonsOf(traveller), await reasonsOf(returning)], [[], []]);
});

test('three accounts on one device at a public address, within 30 days', async () => {
  const ids = [await memberAt('45.3.1.1'), await memberAt('45.3.1.2'), await memberAt('45.3.1.3')];
  for (const id of ids) {
    await usesDevice(id, 'several', '45.3.1.1', 50);
    await usesDevice(id, 'home', '192.168.0.2', 50);
  }
  const [first = 0] = ids;
  await score();
  for (const id of ids) assert.deepEqual(await reasonsOf(id), ['device-of-several']);
  await owner.rows(sql`
    update access.devices set last_seen_at = last_seen_at - interval '31 days'
    where member_id = ${first} and address = '45.3.1.1'`);
  await score();
  for (const id of ids) assert.deepEqual(await reasonsOf(id), []);
});

test('a score ends with its session, and an ended one is not counted', async () => {
  const [session] = await risky();
  await owner.rows(sql`
    update access.sessions set last_seen_at = last_seen_at - interval '8 days' where id = ${session?.id}::uuid`);
  assert.deepEqual(await risky(), []);
});
