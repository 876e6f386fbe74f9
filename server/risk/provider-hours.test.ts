import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { activity } from '#contract/risk-signals.ts';
import { sql } from '#platform/database.ts';
import { testSite } from '../../test/site.ts';
import { listSharedDevices } from '../access/member-records.ts';
import { listEarningPaces, listSurveyPaces } from '../earning/member-records.ts';
import { countProviderCredits } from '../earning/provider-credits.ts';
import { listInvitations } from '../referrals/referrals.ts';
import { listSharedDestinations } from '../withdrawals/member-records.ts';
import { readProviderHours } from './provider-hours.ts';
import { lookForAbuse } from './signals.ts';

/** Providers' hours are counted once they are over, and an unusual one is told without a member. */
const site = await testSite({ after });
const { owner, platform } = site;
const operator = await site.member({ role: 'admin' });
await owner.rows(sql`update earning.providers set was_enabled = id in ('cpx', 'bitlabs')`);
const call = (at: string, { provider = 'cpx', verdict = 'credited', times = 1 } = {}) =>
  owner.rows(sql`
    insert into earning.postbacks (at, provider, raw, address, verdict)
    select ${at}::timestamptz, ${provider}, '', '', ${verdict} from generate_series(1, ${times})`);
const read = (now: string) => readProviderHours(platform, countProviderCredits, new Date(now));
const kept = () =>
  owner.rows<{ provider: string; hour: string; credits: number }>(sql`
    select provider, to_char(starts_at at time zone 'UTC', 'MM-DD HH24') as hour, credits
    from risk.provider_hours order by starts_at, provider`);

test('an hour of each provider is counted once, five minutes after its end, and kept for 31 days', async () => {
  await call('2026-03-02T08:59:59.999Z');
  await call('2026-03-02T09:00:00Z');
  await call('2026-03-02T09:59:59.999Z', { verdict: 'held' });
  await call('2026-03-02T09:30:00Z', { verdict: 'duplicate' });
  await call('2026-03-02T10:00:00Z');
  await read('2026-03-02T10:04:59Z');
  assert.deepEqual(await kept(), [
    { provider: 'bitlabs', hour: '03-02 08', credits: 0 },
    { provider: 'cpx', hour: '03-02 08', credits: 1 },
  ]);
  const hour = { provider: 'cpx', hour: '2026-03-02T09', credits: 2, hoursKnown: 1, usualMost: 1 };
  assert.deepEqual(await read('2026-03-02T10:05:00Z'), [hour]);
  await call('2026-03-02T09:10:00Z');
  assert.deepEqual(await read('2026-03-02T11:04:00Z'), [hour], 'once');
  await read('2026-04-02T10:05:00Z');
  assert.deepEqual(
    (await kept()).map((one) => `${one.provider} ${one.hour}`),
    ['bitlabs 03-02 09', 'cpx 03-02 09', 'bitlabs 04-02 09', 'cpx 04-02 09'],
  );
});

test('§2-3 suspicious activity: an hour of a provider unlike its month is told once and names no member', async () => {
  await owner.rows(sql`delete from risk.provider_hours`);
  await owner.rows(sql`
    insert into risk.provider_hours (provider, starts_at, credits)
    select 'cpx', '2026-05-20T09:00:00Z'::timestamptz - make_interval(hours => back),
      case when back % 20 = 0 then 500 else 12 end
    from generate_series(1, 200) back`);
  const sources = {
    listSharedDestinations,
    listSharedDevices,
    listEarningPaces,
    listSurveyPaces,
    listInvitations,
    countProviderCredits,
  };
  const look = (now: string) => lookForAbuse(platform, sources, { after: 0, now: new Date(now) });
  const told = () => site.call('GET', '/api/admin/suspicious-activities', { as: operator });
  await call('2026-05-20T09:20:00Z', { times: 61 });
  await call('2026-05-20T10:20:00Z', { times: 60 });
  await look('2026-05-20T10:06:00Z');
  await look('2026-05-20T10:07:00Z');
  await look('2026-05-20T11:06:00Z');
  const { body } = await told();
  assert.deepEqual(activity.strict().array().parse(body), body);
  assert.deepEqual(
    body.map(({ id: _, createdAt: __, ...shown }: Record<string, unknown>) => shown),
    [
      {
        userId: null,
        riskLevel: 'high',
        activityType: 'provider-burst',
        ruleVersion: 1,
        details:
          '61 credits in an hour (cpx 2026-05-20T09 UTC). 95 of 100 hours of the month had 12 or less.',
        isShadow: false,
        ipAddress: null,
        evidence: {
          subject: 'cpx 2026-05-20T09',
          kinds: [],
          members: [],
          memberCount: 0,
          count: 61,
          total: 12,
        },
      },
    ],
  );
  const csv = await site.call('GET', '/api/admin/suspicious-activities?format=csv', { as: operator });
  assert.match(csv.body, /\d,,high,provider-burst,1,/);
});
