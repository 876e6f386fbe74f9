import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from '#platform/database.ts';
import { createSettings } from '#platform/settings.ts';
import { newTransaction } from '../../test/postback-site.ts';
import { testSite } from '../../test/site.ts';
import { advanceIntoSiteDay } from '../../test/site-day.ts';
import { createCeilings } from './ceilings.ts';

/** What a provider may pay before its credits wait for an operator. */
const site = await testSite({ after });
await advanceIntoSiteDay(site.owner);
const operator = await site.member({ role: 'admin' });
const member = await site.member();
/** A credit goes by the settings that its node read last, so the node reads them. */
const set = async (providerCeilingTimes: number | null) => {
  await site.call('PUT', '/api/admin/site', { as: operator, body: { providerCeilingTimes } });
  await site.platform.settings.read();
};
const secret = 'cpx secret of a test';
const body = { isEnabled: true, apiKey: 'app', secret };
assert.equal((await site.call('PUT', '/api/admin/providers/cpx', { as: operator, body })).status, 200);

const verdictOf = async (points: number): Promise<string> => {
  const transaction = newTransaction();
  const hash = createHash('md5').update(`${transaction}-${secret}`).digest('hex');
  const query = `status=1&trans_id=${transaction}&user_id=${member.id}&amount_local=${points}&secure_hash=${hash}`;
  assert.equal((await site.call('GET', `/api/webhooks/postback/cpx?${query}`)).body, '1');
  const last = sql`select verdict from earning.postbacks order by id desc limit 1`;
  return (await site.owner.one<{ verdict: string }>(last)).verdict;
};
const sumOf = async (period: string) =>
  (
    await site.owner.row<{ points: bigint }>(sql`
      select sum(points)::bigint as points from earning.paid_sums where provider = 'cpx' and period = ${period}`)
  )?.points;
const advance = (seconds: number) =>
  site.call('POST', '/sandbox/clock', { body: { advanceSeconds: seconds } });
const node = () => createCeilings(site.platform);

describe('the ceilings of a provider', () => {
  it('are off in the sandbox', async () => {
    assert.equal(node().take('cpx', 5_000_000n), 'off');
  });

  it('hold credits beyond a million points an hour, which an operator may approve', async () => {
    await set(10);
    await sleep(1_100);
    assert.equal(await verdictOf(9_000), 'credited');
    // A credit that waits for another reason, or is not new, does not count.
    assert.equal(await verdictOf(20_000), 'held');
    const readSums = async () => [await sumOf('hour'), await sumOf('day')];
    // The process writes its sums each second, later on a busy machine.
    for (let tries = 0; tries < 100 && (await readSums())[1] !== 9_000n; tries += 1) await sleep(100);
    assert.deepEqual(await readSums(), [9_000n, 9_000n]);
    await site.owner.rows(sql`update earning.paid_sums set points = 995000 where provider = 'cpx'`);
    await sleep(1_200);
    assert.equal(await verdictOf(4_000), 'credited');
    assert.equal(await verdictOf(4_000), 'held');
    assert.equal(await verdictOf(500), 'credited');
    const held = await site.call('GET', '/api/admin/pending-earnings?maxAmount=4000', { as: operator });
    assert.deepEqual(
      held.body.map(({ amount }: { amount: string }) => amount),
      ['4000'],
    );
    const ready = (await site.call('GET', '/readyz')).body;
    assert.ok(ready.degraded.includes('ceiling-cpx'), JSON.stringify(ready));
    const url = `/api/admin/pending-earnings/${held.body[0].id}/approve`;
    assert.equal((await site.call('POST', url, { as: operator, body: {} })).status, 200);
    const { balance } = (await site.call('GET', '/api/user/stats', { as: member })).body;
    assert.equal(balance, String(9_000 + 4_000 + 500 + 4_000));
  });

  it('are told with the sum, the limit and since when, until they are off or the provider is', async () => {
    const { health } = site.platform;
    let nowMs = 0;
    const now = () => {
      nowMs += 10_000;
      return nowMs;
    };
    const settings = createSettings({ ...site.platform, mode: 'sandbox', now });
    const trouble = () => health.troubles().find(({ name }) => name === 'ceiling-cpx')?.trouble;
    const enable = (isEnabled: boolean) =>
      site.call('PUT', '/api/admin/providers/cpx', { as: operator, body: { isEnabled } });
    await advance(3_600);
    const ceilings = createCeilings({ ...site.platform, settings });
    await settings.read();
    await ceilings.flush();
    const reach = () => assert.equal(ceilings.take('cpx', 200_000n), 'beyond');
    reach();
    const told = trouble();
    assert.match(
      told ?? '',
      /^It has paid \d{6} P in this day, and may pay 1000000 P\. Since 20.+Z its credits/,
    );
    reach();
    assert.equal(trouble(), told, 'since the first credit beyond');
    await set(null);
    await settings.read();
    await ceilings.flush();
    assert.equal(trouble(), undefined);
    await set(10);
    await settings.read();
    reach();
    assert.ok(trouble());
    await ceilings.flush();
    assert.ok(trouble());
    await enable(false);
    await ceilings.flush();
    assert.equal(trouble(), undefined);
    await enable(true);
  });

  it('are the same for all nodes, after a second', async () => {
    await advance(3_600);
    const [one, other] = [node(), node()];
    await one.flush();
    assert.equal(one.take('adgem', 600_000n), 'within');
    assert.equal(one.take('adgem', 600_000n), 'beyond');
    one.giveBack('adgem', 600_000n);
    assert.equal(one.take('adgem', 700_000n), 'within');
    await one.flush();
    await other.flush();
    assert.equal(other.take('adgem', 400_000n), 'beyond');
    assert.equal(other.take('adgem', 300_000n), 'within');
    await other.flush();
    await one.flush();
    assert.deepEqual([one.isBeyond('adgem', 1n), one.isBeyond('adgem', 0n)], [true, false]);
    assert.equal(one.take('adgem', 1n), 'beyond');
  });

  it('keep their sums while the database refuses them', async () => {
    const ceilings = node();
    await ceilings.flush();
    assert.equal(ceilings.take('kiwiwall', 700_000n), 'within');
    await site.owner.rows(sql`revoke insert on earning.paid_sums from earnest_app`);
    await assert.rejects(ceilings.flush());
    assert.equal(ceilings.take('kiwiwall', 400_000n), 'beyond');
    await site.owner.rows(sql`grant insert on earning.paid_sums to earnest_app`);
    await ceilings.flush();
    const other = node();
    await other.flush();
    assert.equal(other.take('kiwiwall', 400_000n), 'beyond');
    assert.equal(other.take('kiwiwall', 300_000n), 'within');
  });

  it('grow with the best hour and day, but not within a day', async () => {
    const ceilings = node();
    await ceilings.flush();
    assert.equal(ceilings.take('bitlabs', 800_000n), 'within');
    await ceilings.flush();
    await advance(3_600);
    await ceilings.flush();
    assert.equal(ceilings.take('bitlabs', 1_000_001n), 'beyond', 'one hour later');
    await advance(2 * 86_400);
    await ceilings.flush();
    assert.equal(ceilings.take('bitlabs', 8_000_000n), 'within', 'two days later');
    assert.equal(ceilings.take('bitlabs', 1n), 'beyond');
    await ceilings.flush();
    await advance(3_600);
    await ceilings.flush();
    assert.equal(ceilings.take('bitlabs', 1n), 'beyond', 'by the day');
    await advance(41 * 86_400);
    const later = node();
    await later.flush();
    assert.equal(later.take('bitlabs', 1_000_001n), 'beyond', 'its best days are too long ago');
    assert.equal(later.take('bitlabs', 1_000_000n), 'within');
  });
});
