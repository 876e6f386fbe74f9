import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { sql } from '#platform/database.ts';
import { prepareJobs } from '#platform/jobs.ts';
import { silentLog, testSite } from '../../test/site.ts';
import { observeWithdrawals } from './metrics.ts';
import { changePaymentMethod } from './payment-methods.ts';
import { createRailWatch } from './rail-watch.ts';

/** What an operator learns about rails and payouts from health and metrics, on the sandbox's own coin nodes. */
const site = await testSite({ after });
await prepareJobs(site.urls.workerUrl, 'earnest_app', silentLog());
await site.sandbox.prepare(site.platform);
const { health, metrics } = site.platform;
const watch = createRailWatch(site.platform);
observeWithdrawals(site.platform, watch.states);

const troubles = () => health.troubles().map(({ name }) => name);
/** The lines of this site's own metrics. */
const readMetrics = async () =>
  (await metrics.registry.metrics())
    .split('\n')
    .filter((line) => line.startsWith('earnest_'))
    .join('\n');

describe('the watch of rails', () => {
  it('finds every enabled rail well, and shows its balance', async () => {
    await watch.look();
    assert.deepEqual(troubles(), []);
    assert.match(await readMetrics(), /^earnest_rail_balance\{method="litecoin"\} \d/m);
  });

  it('reports a method that is switched on without what it needs to pay, until it is set', async () => {
    const { credentials } = await changePaymentMethod(site.platform, 'dash', {
      credentials: { rpcUser: '' },
    });
    await watch.look();
    assert.deepEqual(
      health.troubles().map(({ name, trouble }) => [name, trouble]),
      [
        [
          'rail-dash',
          'No payout rail is set up for this method. The method is switched on, but members are not offered it.',
        ],
      ],
    );
    await changePaymentMethod(site.platform, 'dash', { credentials: { ...credentials, rpcUser: 'sandbox' } });
    await watch.look();
    assert.deepEqual(troubles(), []);
  });

  it('reports a rail with another account than the one that paid before, until it is that one again', async () => {
    await site.owner.rows(sql`
      insert into withdrawals.paying_accounts (method, account, noted_at)
      values ('litecoin', 'the seed of another wallet', now())`);
    await watch.look();
    assert.deepEqual(troubles(), [], 'that one never paid');
    const paid = (account: string | null) =>
      site.owner.rows(sql`update withdrawals.payouts set account = ${account} where method = 'litecoin'`);
    await paid('the seed of another wallet');
    await watch.look();
    const [trouble] = health.troubles();
    assert.equal(trouble?.name, 'rail-litecoin');
    assert.match(trouble?.trouble ?? '', /^The account that pays is another one than before/);
    assert.doesNotMatch(await readMetrics(), /^earnest_rail_balance\{method="litecoin"\}/m);
    await site.owner.rows(sql`delete from withdrawals.paying_accounts`);
    await paid(null);
    await watch.look();
    assert.deepEqual(troubles(), []);
  });

  it('reports a rail whose node refuses the password, until it is mended', async () => {
    const { credentials } = await changePaymentMethod(site.platform, 'litecoin', {});
    await changePaymentMethod(site.platform, 'litecoin', {
      credentials: { ...credentials, rpcPassword: 'wrong' },
    });
    await watch.look();
    assert.deepEqual(troubles(), ['rail-litecoin']);
    assert.doesNotMatch(await readMetrics(), /^earnest_rail_balance\{method="litecoin"\}/m);
    assert.match(await readMetrics(), /^earnest_degraded\{name="rail-litecoin"\} 1$/m);
    await changePaymentMethod(site.platform, 'litecoin', { isEnabled: false });
    await watch.look();
    assert.deepEqual(troubles(), ['rail-litecoin'], 'the demo has unfinished payouts of it');
    await site.platform.database.rows(sql`
      update withdrawals.payouts set state = 'failed'
      where method = 'litecoin' and state in ('queued', 'signed', 'broadcast', 'parked')`);
    await watch.look();
    assert.deepEqual(
      troubles(),
      [],
      'a method that is switched off, without unfinished payouts, pays nobody',
    );
  });
});

describe('the metrics of withdrawals', () => {
  it('count unfinished payouts, and tell the age of the oldest', async () => {
    const operator = await site.member({ role: 'admin' });
    const member = await site.member({ balancePoints: 5_000n, isPhoneVerified: true });
    const body = {
      amountPoints: '1000',
      method: 'dash',
      recipientInfo: { address: 'XmN7PQYWKn5MJFna5fRYgP6mxT2F7xpekE' },
    };
    await site.call('POST', '/api/admin/withdrawals/reject-all', {
      as: operator,
      body: { reason: 'Those of the demo' },
    });
    assert.match(await readMetrics(), /^earnest_withdrawal_pending_age_seconds 0$/m);
    const asked = await site.call('POST', '/api/withdrawal', { as: member, body });
    assert.equal(asked.status, 201, JSON.stringify(asked.body));
    assert.match(await readMetrics(), /^earnest_withdrawal_pending_age_seconds 0\.\d+/m);
    await site.call('POST', `/api/admin/withdrawals/${asked.body.id}/approve`, { as: operator });
    const text = await readMetrics();
    assert.match(text, /^earnest_payouts\{method="dash",state="queued"\} 1$/m);
    assert.match(text, /^earnest_payout_age_seconds\{method="dash",state="queued"\} 0\.\d+/m);
    assert.match(text, /^earnest_jobs\{state="waiting"\} \d+$/m);
    assert.match(text, /^earnest_rate_usd\{currency="dash"\} \d+/m);
    assert.match(text, /^earnest_rate_age_seconds\{currency="dash"\} \d+/m);
  });
});

describe('a method with more unfinished payouts than are counted', () => {
  it('hides no other method from the metrics and from the watch', async () => {
    const { owner, platform } = site;
    await changePaymentMethod(platform, 'dash', { isEnabled: false });
    const member = await site.member();
    await owner.rows(sql`
      with asked as (
        insert into withdrawals.withdrawals (member_id, member_number, method, destination, amount_points, fee_points,
          state, rate, amount_units, created_at, decided_at, decided_by)
        select ${member.id}, n, 'litecoin', 'somebody', 1000, 0, 'approved', 80, 1250000, now(), now(), ${member.id}
        from generate_series(1, 10001) n
        returning id)
      insert into withdrawals.payouts (withdrawal_id, method, destination, amount_units, due_at, queued_at)
      select id, 'litecoin', 'somebody', 1250000, now() - interval '1 day', now() from asked`);
    // The payout by Dash is found last, however the rows are read.
    await owner.rows(
      sql`update withdrawals.payouts set due_at = now() + interval '1 hour' where method = 'dash'`,
    );
    const text = await readMetrics();
    assert.match(text, /^earnest_payouts\{method="dash",state="queued"\} 1$/m);
    assert.match(text, /^earnest_payouts\{method="litecoin",state="queued"\} 10000$/m);
    await watch.look();
    assert.equal(watch.states().has('dash'), true, 'it is switched off, and still owes');
  });
});
