import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, beforeEach, describe, it } from 'node:test';
import { sql } from '#platform/database.ts';
import { changeSettings } from '#platform/settings-change.ts';
import { runAdmin } from './admin-command.ts';
import { newTransaction } from './postback-site.ts';
import { type Person, testSite } from './site.ts';

/** What an operator asked for or approved first does not count once the operator lost the role, or the account. */
const site = await testSite({ after });
const dataDir = mkdtempSync(join(tmpdir(), 'earnest-admin-'));
after(() => rmSync(dataDir, { recursive: true, force: true }));
const admin = (...words: string[]) =>
  runAdmin(
    { DATA_DIR: dataDir, DATABASE_URL: site.urls.appUrl, DATABASE_OWNER_URL: site.urls.ownerUrl },
    ...words,
  );

const [kim, lee] = [await site.member({ role: 'admin' }), await site.member({ role: 'admin' })];
const secret = 'cpx secret of a test';
let former = kim;
beforeEach(async () => {
  former = await site.member({ role: 'admin' });
  await site.owner.rows(sql`delete from platform.settings_proposals`);
  await changeSettings(site.database, 'sandbox', {
    caps: { memberDay: '5000', methodDay: null, secondPersonFrom: '1000' },
  });
  const body = { isEnabled: true, apiKey: 'app', secret, settings: { sourceAddresses: [] } };
  assert.equal((await site.call('PUT', '/api/admin/providers/cpx', { as: lee, body })).status, 200);
});

/** Ways to lose what makes an operator's word count. */
const losses: Record<string, (person: Person) => Promise<void>> = {
  'lost the role': async ({ id }) => {
    await site.owner.rows(sql`update members.members set role = 'user' where id = ${id}`);
  },
  'is fully suspended': async ({ id }) => {
    await site.owner.rows(sql`
      insert into members.suspensions (member_id, reason, severity, suspension_type, created_at)
      values (${id}, 'Test', 'temporary', 'full_suspension', platform.business_now())`);
  },
  'said since that somebody else used the account': async (person) => {
    const answer = await site.call('POST', '/api/user/not-me', { as: person });
    assert.equal(answer.status, 204);
  },
  'was removed and appointed again': async ({ email }) => {
    await admin('operator', 'remove', email, 'Left');
    await admin('operator', 'add', email);
  },
};

const propose = async (as: Person): Promise<string> => {
  const body = { caps: { memberDay: '6000' } };
  return (await site.call('PUT', '/api/admin/site', { as, body })).body.proposals[0].id;
};
const decideProposal = (id: string, verb: 'confirm' | 'withdraw') =>
  site.call('POST', `/api/admin/site/proposals/${id}/${verb}`, { as: lee });
const give = async (as: Person) => {
  const { id: userId } = await site.member();
  const body = { userId: String(userId), amount: 2_000, reason: 'For the survey' };
  return (await site.call('POST', '/api/admin/give-points', { as, body })).body;
};
const confirmGrant = (id: string) =>
  site.call('POST', `/api/admin/manual-rewards/${id}/confirm`, { as: lee });
const findGrant = async (id: string) =>
  (await site.call('GET', `/api/admin/manual-rewards?id=${id}`, { as: lee })).body[0];
const actsAfter = (id: bigint) =>
  site.owner.rows<{ act: string; actor: string; reason: string | null }>(
    sql`select act, actor, reason from platform.acts where id > ${id} order by id`,
  );
const newestAct = async () =>
  (await site.owner.one<{ id: bigint }>(sql`select coalesce(max(id), 0) as id from platform.acts`)).id;

for (const [loss, lose] of Object.entries(losses).slice(0, 3))
  describe(`an operator who ${loss}`, () => {
    it('has asked for no change of the settings that another one can confirm', async () => {
      const id = await propose(former);
      await lose(former);
      const confirmed = await decideProposal(id, 'confirm');
      assert.deepEqual([confirmed.status, confirmed.problem.code], [409, 'asker-not-operator']);
      const ofCommand = await admin('confirm-settings', id);
      assert.deepEqual([ofCommand.code, ofCommand.said], [1, ''], ofCommand.complained);
      assert.match(ofCommand.complained, /no operator any more/);
      const withdrawn = await decideProposal(id, 'withdraw');
      assert.deepEqual([withdrawn.status, withdrawn.body.caps.memberDay], [200, '5000']);
    });

    it('has given no points that another one can confirm', async () => {
      const { id, userId } = await give(former);
      await lose(former);
      const confirmed = await confirmGrant(id);
      assert.deepEqual([confirmed.status, confirmed.problem.code], [409, 'asker-not-operator']);
      const { balance } = await site.owner.one<{ balance: bigint }>(
        sql`select balance from ledger.wallets where member_id = ${Number(userId)}`,
      );
      assert.deepEqual([(await findGrant(id)).status, balance], ['pending', 0n]);
    });
  });

for (const [loss, lose] of Object.entries(losses))
  it(`does not count as the first of two: an operator who ${loss}`, async () => {
    const member = await site.member();
    const transaction = newTransaction();
    const hash = createHash('md5').update(`${transaction}-${secret}`).digest('hex');
    const query = `status=1&trans_id=${transaction}&user_id=${member.id}&amount_local=60000&secure_hash=${hash}`;
    assert.equal((await site.call('GET', `/api/webhooks/postback/cpx?${query}`)).status, 200);
    const find = async () =>
      (await site.call('GET', `/api/admin/pending-earnings?q=${member.id}`, { as: lee })).body[0];
    const { id } = await find();
    const approve = (as: Person) => site.call('POST', `/api/admin/pending-earnings/${id}/approve`, { as });
    assert.equal((await approve(former)).problem.isRecorded, true);
    assert.equal((await find()).firstApprovedBy, String(former.id));
    await lose(former);
    assert.equal((await find()).firstApprovedBy, null);
    const next = await approve(kim);
    assert.deepEqual([next.status, next.problem.isRecorded], [409, true]);
    assert.equal((await find()).firstApprovedBy, String(kim.id));
  });

describe('npm run admin -- operator remove', () => {
  it('ends what the operator asked others to confirm, with the reason in the trail', async () => {
    const [proposal, { id }] = [await propose(former), await give(former)];
    const [own, ofAnother] = [await give(former), await give(lee)];
    const from = await newestAct();
    const { code, said } = await admin('operator', 'remove', former.email, 'Left', 'the team');
    assert.deepEqual(
      [code, said.split('\n')[1]],
      [0, 'What waited for another operator ended with it: changes of settings 1, grants 2.'],
    );
    const reason = 'Left the team';
    const actor = 'command-line';
    assert.deepEqual(await actsAfter(from), [
      { act: 'operator.remove', actor, reason },
      { act: 'site.withdraw', actor, reason },
      { act: 'points.decline', actor, reason },
      { act: 'points.decline', actor, reason },
    ]);
    for (const grant of [await findGrant(id), await findGrant(own.id)])
      assert.deepEqual([grant.status, grant.declineReason, grant.decidedByEmail], ['failed', reason, null]);
    assert.equal((await findGrant(ofAnother.id)).status, 'pending');
    assert.equal((await decideProposal(proposal, 'confirm')).status, 404);
    await admin('operator', 'add', former.email);
    assert.equal((await confirmGrant(id)).problem.code, 'already-decided');
    const totals = await site.owner.one<{ isRight: boolean }>(sql`
      select t.pending_count = (select count(*) from grants.grants where state = 'pending') as "isRight"
      from grants.totals t`);
    assert.ok(totals.isRight);
  });

  it('meets confirmations of the same grants, and each ends one way', async () => {
    const grants = [];
    for (let count = 0; count < 6; count += 1) grants.push(await give(former));
    const [removed, ...answers] = await Promise.all([
      admin('operator', 'remove', former.email, randomUUID()),
      ...grants.map(async ({ id }, index) => {
        await new Promise((done) => setTimeout(done, index * 120));
        return confirmGrant(id);
      }),
    ]);
    assert.equal(removed?.code, 0, removed?.complained);
    for (const [index, { id }] of grants.entries())
      assert.equal((await findGrant(id)).status, answers[index]?.status === 200 ? 'completed' : 'failed');
  });
});
