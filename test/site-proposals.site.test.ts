import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';
import { sql } from '#platform/database.ts';
import { changeSettings } from '#platform/settings-change.ts';
import { type Ended, runAdmin } from './admin-command.ts';
import { type Person, testSite } from './site.ts';

/** A change that loosens a bound waits for a second operator while the site has a sum for two people. */
const site = await testSite({ after });
const [kim, lee] = [await site.member({ role: 'admin' }), await site.member({ role: 'admin' })];

const change = (body: object, as: Person = kim) => site.call('PUT', '/api/admin/site', { as, body });
const read = async () => (await site.call('GET', '/api/admin/site', { as: kim })).body;
const decide = (id: string, verb: 'confirm' | 'withdraw', as: Person) =>
  site.call('POST', `/api/admin/site/proposals/${id}/${verb}`, { as });
const newestActs = async (count: number) =>
  (
    await site.owner.rows<{ operatorId: number | null; act: string; before: unknown; after: unknown }>(sql`
      select operator_id as "operatorId", act, before, after from platform.acts order by id desc limit ${count}`)
  ).reverse();

const dataDir = mkdtempSync(join(tmpdir(), 'earnest-admin-'));
after(() => rmSync(dataDir, { recursive: true, force: true }));

/** Runs the command line beside the site. */
function admin(...words: string[]): Promise<Ended> {
  const { appUrl: DATABASE_URL, ownerUrl: DATABASE_OWNER_URL } = site.urls;
  return runAdmin({ DATA_DIR: dataDir, DATABASE_URL, DATABASE_OWNER_URL }, ...words);
}

const bounds = { caps: { memberDay: '5000', methodDay: '9000', secondPersonFrom: '1000' } };

beforeEach(async () => {
  await site.owner.rows(sql`delete from platform.settings`);
  await site.owner.rows(sql`delete from platform.settings_proposals`);
  const tightened = await change({ ...bounds, payoutDelaySeconds: 60, switches: { addressHold: true } });
  assert.equal(tightened.status, 200);
  assert.deepEqual(tightened.body.proposals, [], 'tighter bounds hold at once');
});

describe('a pause of all payouts', () => {
  it('says who began it, when and why, until it ends', async () => {
    assert.equal((await read()).pause, null);
    const reason = 'The wallet is moved';
    const begun = await change({ payoutsPaused: true, reason }, lee);
    assert.equal(begun.status, 200);
    const { at, ...said } = begun.body.pause;
    assert.deepEqual(said, { actor: 'operator', operatorId: String(lee.id), reason });
    assert.ok(Math.abs(Date.now() - Date.parse(at)) < 60_000, at);
    await change({ payoutsPaused: true, processingTime: '2 days', reason: 'Another change' }, kim);
    assert.deepEqual((await read()).pause, begun.body.pause, 'another change begins no pause');
    const ended = await change({ payoutsPaused: false, reason: 'It is moved' });
    assert.equal(ended.body.pause, null);
    const reasons = await site.owner.rows<{ reason: string }>(
      sql`select reason from platform.acts order by id desc limit 3`,
    );
    assert.deepEqual(
      reasons.map((act) => act.reason),
      ['It is moved', 'Another change', reason],
    );
  });

  it('is begun and ended by calls of its own, each an act of its own, and a repeated one changes nothing', async () => {
    const ask = (verb: 'pause' | 'resume', body: object | undefined, as = kim) =>
      site.call('POST', `/api/admin/payouts/${verb}`, body === undefined ? { as } : { as, body });
    for (const body of [undefined, {}, { reason: ' ' }, { reason: 'x', payoutsPaused: false }])
      assert.equal((await ask('pause', body)).status, 400);
    const reason = 'The wallet is moved';
    const begun = await ask('pause', { reason }, lee);
    assert.equal(begun.status, 200);
    const { pause } = await read();
    assert.deepEqual([pause.operatorId, pause.reason], [String(lee.id), reason]);
    assert.deepEqual(begun.body, { payoutsPaused: true, pause });
    assert.deepEqual((await ask('pause', { reason })).body, { payoutsPaused: true, pause });
    assert.equal(
      (await ask('pause', { reason: 'The key is stolen' })).body.pause.reason,
      'The key is stolen',
    );
    // A bound that two people hold stands, and one of them alone ends the pause.
    for (const body of [undefined, { reason: 'It was not' }])
      assert.deepEqual((await ask('resume', body)).body, { payoutsPaused: false, pause: null });
    const acts = await newestActs(3);
    assert.deepEqual(
      acts.map(({ act, operatorId, after }) => [act, operatorId, after]),
      [
        ['payouts.pause', lee.id, { payoutsPaused: true }],
        ['payouts.pause', kim.id, null],
        ['payouts.resume', kim.id, { payoutsPaused: false }],
      ],
    );
  });

  it('leaves the same acts as a setting, apart from that of other settings', async () => {
    await change({ payoutsPaused: true, processingTime: '2 days', reason: 'Maintenance' });
    await change({ payoutsPaused: false, reason: 'It is over' });
    const acts = await newestActs(3);
    assert.deepEqual(
      acts.map(({ act, after }) => [act, after]),
      [
        ['site.change', { processingTime: '2 days' }],
        ['payouts.pause', { payoutsPaused: true }],
        ['payouts.resume', { payoutsPaused: false }],
      ],
    );
  });

  it('has the reason of the newest one who asked for it', async () => {
    await change({ payoutsPaused: true, reason: 'Maintenance' }, lee);
    await admin('pause', 'The key is stolen');
    assert.equal((await read()).pause.reason, 'The key is stolen');
    const acts = await site.owner.rows<{ actor: string; reason: string }>(
      sql`select actor, reason from platform.acts order by id desc limit 2`,
    );
    assert.deepEqual(acts, [
      { actor: 'command-line', reason: 'The key is stolen' },
      { actor: 'operator', reason: 'Maintenance' },
    ]);
    await change({ payoutsPaused: false });
  });

  it('is the command line’s, with its reason, if it began there', async () => {
    await admin('pause', 'The wallet is moved');
    const { at, ...said } = (await read()).pause;
    assert.deepEqual(said, { actor: 'command-line', operatorId: null, reason: 'The wallet is moved' });
    await change({ payoutsPaused: false });
  });

  it('is the site’s if the site paused by itself, and the command line’s if an older release stored it', async () => {
    const { config } = site.platform;
    await changeSettings(site.database, config.mode, { payoutsPaused: true }, 'site', 'It is tried');
    assert.equal((await read()).pause.actor, 'site');
    await site.owner.rows(sql`update platform.settings set value = value - 'actor' where key = 'pause'`);
    assert.equal((await read()).pause.actor, 'command-line');
    await change({ payoutsPaused: false });
  });
});

describe('bounds of the site', () => {
  it('are not removed by one operator alone', async () => {
    const none = { memberDay: null, methodDay: null, secondPersonFrom: null };
    const answer = await change({
      caps: none,
      payoutDelaySeconds: 0,
      switches: { addressHold: false },
      processingTime: '2–4 business days',
    });
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.body.caps, bounds.caps);
    assert.equal(answer.body.payoutDelaySeconds, 60);
    assert.equal(answer.body.switches.addressHold, true);
    assert.equal(answer.body.processingTime, '2–4 business days', 'the rest is changed');
    assert.deepEqual(
      answer.body.proposals.map(({ setting, from, to, operatorId }: Record<string, unknown>) => [
        setting,
        from,
        to,
        operatorId,
      ]),
      [
        ['payoutDelaySeconds', 60, 0, String(kim.id)],
        ['caps.memberDay', '5000', null, String(kim.id)],
        ['caps.methodDay', '9000', null, String(kim.id)],
        ['caps.secondPersonFrom', '1000', null, String(kim.id)],
        ['switches.addressHold', true, false, String(kim.id)],
      ],
    );
    const acts = await newestActs(6);
    assert.deepEqual(
      acts.map(({ act }) => act),
      ['site.change', ...Array.from({ length: 5 }, () => 'site.propose')],
    );
    assert.deepEqual(
      [acts[1]?.before, acts[1]?.after],
      [{ payoutDelaySeconds: 60 }, { payoutDelaySeconds: 0 }],
    );
  });

  it('are loosened when another operator confirms, once', async () => {
    const [proposal] = (await change({ caps: { memberDay: '6000' } })).body.proposals;
    const own = await decide(proposal.id, 'confirm', kim);
    assert.deepEqual([own.status, own.problem.code], [409, 'own-request']);
    assert.equal((await read()).caps.memberDay, '5000');
    const [one, other] = await Promise.all([
      decide(proposal.id, 'confirm', lee),
      decide(proposal.id, 'confirm', lee),
    ]);
    assert.deepEqual([one.status, other.status].sort(), [200, 404]);
    const { caps, proposals } = await read();
    assert.deepEqual(caps, { ...bounds.caps, memberDay: '6000' });
    assert.deepEqual(proposals, []);
    const [act] = await newestActs(1);
    assert.deepEqual([act?.operatorId, act?.act], [lee.id, 'site.confirm']);
    assert.equal((act?.after as typeof bounds).caps.memberDay, '6000');
  });

  it('stay as they are when anybody withdraws the change, also who asked for it', async () => {
    for (const by of [kim, lee]) {
      const [proposal] = (await change({ payoutDelaySeconds: 5 })).body.proposals;
      const withdrawn = await decide(proposal.id, 'withdraw', by);
      assert.equal(withdrawn.status, 200);
      assert.deepEqual(withdrawn.body.proposals, []);
      assert.equal(withdrawn.body.payoutDelaySeconds, 60);
      assert.equal((await newestActs(1))[0]?.act, 'site.withdraw');
      assert.equal((await decide(proposal.id, 'confirm', by === kim ? lee : kim)).status, 404);
    }
  });

  it('have one open change each: another one takes its place, and the former can’t be confirmed', async () => {
    const [first] = (await change({ caps: { methodDay: '10000' } })).body.proposals;
    const same = (await change({ caps: { methodDay: '10000' } }, lee)).body.proposals;
    assert.deepEqual(same, [first], 'the same change again is the one that waits');
    const next = (await change({ caps: { methodDay: '20000' } }, lee)).body.proposals;
    assert.deepEqual(
      next.map(({ to, operatorId }: Record<string, unknown>) => [to, operatorId]),
      [['20000', String(lee.id)]],
    );
    assert.equal((await decide(first.id, 'confirm', lee)).status, 404);
    assert.equal((await decide(next[0].id, 'confirm', lee)).status, 409);
    assert.equal((await decide(next[0].id, 'confirm', kim)).body.caps.methodDay, '20000');
  });

  it('are tightened at once, which ends the open change of the same bound', async () => {
    const [proposal] = (await change({ caps: { memberDay: null } })).body.proposals;
    const tightened = await change({ caps: { memberDay: '4000' } }, lee);
    assert.equal(tightened.body.caps.memberDay, '4000');
    assert.deepEqual(tightened.body.proposals, []);
    assert.deepEqual(
      (await newestActs(2)).map(({ act }) => act),
      ['site.withdraw', 'site.change'],
    );
    assert.equal((await decide(proposal.id, 'confirm', lee)).status, 404);
  });

  it('are not loosened by a change that waited for a day', async () => {
    const [proposal] = (await change({ caps: { memberDay: null } })).body.proposals;
    assert.equal(Date.parse(proposal.endsAt) - Date.parse(proposal.at), 24 * 3_600_000);
    await site.owner.rows(sql`update platform.settings_proposals set at = at - interval '24 hours'`);
    assert.equal((await decide(proposal.id, 'confirm', lee)).status, 404);
    assert.deepEqual((await read()).proposals, []);
    const again = (await change({ caps: { memberDay: null } }, lee)).body.proposals;
    assert.equal(again.length, 1);
    assert.equal((await decide(again[0].id, 'confirm', kim)).body.caps.memberDay, null);
  });

  it('are loosened at once where no sum for two people is set', async () => {
    const [proposal] = (await change({ caps: { secondPersonFrom: null } })).body.proposals;
    await decide(proposal.id, 'confirm', lee);
    const answer = await change({ caps: { memberDay: null }, payoutDelaySeconds: 0 });
    assert.deepEqual([answer.body.caps.memberDay, answer.body.payoutDelaySeconds], [null, 0]);
    assert.deepEqual(answer.body.proposals, []);
  });

  it('wait on the operators’ first page until they are decided', async () => {
    const waits = async () =>
      (await site.call('GET', '/api/admin/overview', { as: lee })).body.waits.filter(
        ({ kind }: { kind: string }) => kind === 'settings',
      );
    assert.deepEqual(await waits(), []);
    const [proposal] = (await change({ caps: { memberDay: null } })).body.proposals;
    const [wait] = await waits();
    assert.deepEqual([wait.count, wait.oldestAt], [1, proposal.at]);
  });
});

describe('admin confirm-settings', () => {
  it('lists what waits for another operator, and confirms one by its number, as a second person', async () => {
    assert.equal((await admin('confirm-settings')).said, 'No change of the settings waits.\n');
    const [{ id, at }] = (await change({ caps: { memberDay: '6000' } })).body.proposals;
    const line = `${id}: caps.memberDay from 5000 to 6000, asked by ${kim.email} at ${at}\n`;
    assert.equal((await admin('confirm-settings')).said, line);
    assert.equal((await admin('confirm-settings', id)).said, 'caps.memberDay is 6000 now.\n');
    const complained = `No change with the number ${id} waits.\n`;
    assert.deepEqual(await admin('confirm-settings', id), { code: 1, said: '', complained });
    const [act] = await newestActs(1);
    assert.deepEqual([act?.operatorId, act?.act], [null, 'site.confirm']);
  });
});
