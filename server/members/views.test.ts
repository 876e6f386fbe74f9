import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { VIEWS_MAX } from '#contract/members-views.ts';
import { sql } from '#platform/database.ts';
import { type Person, testSite } from '../../test/site.ts';
import { anonymiseDeleted } from './account-deletion.ts';

/** The views of lists that operators save. Their acts are tested in `audit-trail.site.test.ts`. */
const site = await testSite({ after });
const PATH = '/api/admin/views';
const QUEUE = '/management-panel-x7k9w/withdrawals';

const save = (as: Person, name: string, query = 'status=approved', screen = QUEUE) =>
  site.call('POST', PATH, { as, body: { screen, name, query } });
const read = async (as: Person) =>
  (await site.call('GET', PATH, { as })).body.map(({ id: _, ...view }: { id: string }) => view);

describe('the views that an operator saves', () => {
  it('are read in the order of saving, and only by that operator', async () => {
    const [mine, theirs] = [await site.member({ role: 'admin' }), await site.member({ role: 'admin' })];
    assert.equal((await save(mine, 'Large', 'minPoints=5000')).status, 201);
    assert.equal(
      (await save(mine, 'Done', 'state=confirmed', '/management-panel-x7k9w/payouts')).status,
      201,
    );
    assert.deepEqual(await read(mine), [
      { screen: QUEUE, name: 'Large', query: 'minPoints=5000' },
      { screen: '/management-panel-x7k9w/payouts', name: 'Done', query: 'state=confirmed' },
    ]);
    assert.deepEqual(await read(theirs), []);
  });

  it('get new filters under the same name', async () => {
    const operator = await site.member({ role: 'admin' });
    const first = await save(operator, 'Large', 'minPoints=5000');
    const second = await save(operator, ' Large ', 'minPoints=9000');
    assert.equal(second.body.id, first.body.id);
    assert.deepEqual(await read(operator), [{ screen: QUEUE, name: 'Large', query: 'minPoints=9000' }]);
  });

  it(`are at most ${VIEWS_MAX} of a screen, also when two are saved in one moment`, async () => {
    const operator = await site.member({ role: 'admin' });
    for (let count = 1; count < VIEWS_MAX; count += 1) await save(operator, `View ${count}`);
    const answers = await Promise.all(['Last', 'Beyond'].map((name) => save(operator, name)));
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409]);
    assert.equal(answers.find(({ status }) => status === 409)?.body.code, 'views-full');
    assert.equal((await save(operator, 'View 1', 'q=a')).status, 201);
    assert.equal((await save(operator, 'Other', '', '/management-panel-x7k9w/payouts')).status, 201);
  });

  it('are removed by their operator alone', async () => {
    const [mine, theirs] = [await site.member({ role: 'admin' }), await site.member({ role: 'admin' })];
    const { id } = (await save(mine, 'Large')).body;
    const remove = (as: Person) => site.call('DELETE', `${PATH}/${id}`, { as });
    assert.equal((await remove(theirs)).status, 404);
    assert.deepEqual((await read(mine)).length, 1);
    assert.equal((await remove(mine)).status, 204);
    assert.equal((await remove(mine)).status, 404);
    assert.deepEqual(await read(mine), []);
  });

  it('belong to a screen of operators, and have a name', async () => {
    const operator = await site.member({ role: 'admin' });
    for (const [screen, name] of [
      ['/earn', 'Mine'],
      ['https://elsewhere.example', 'Mine'],
      [QUEUE, '  '],
      [QUEUE, 'x'.repeat(41)],
    ] as const)
      assert.equal((await save(operator, name, '', screen)).status, 400);
    assert.equal((await save(await site.member(), 'Mine')).status, 403);
  });

  it('go with the account of a former operator', async () => {
    const former = await site.member({ role: 'admin' });
    await save(former, 'Kim, Haru');
    await site.owner.rows(sql`
      update members.members set role = 'user', password_hash = null,
        deleted_at = platform.business_now() - interval '8 days'
      where id = ${former.id}`);
    await anonymiseDeleted(site.database, async () => {});
    const left = await site.owner.rows(sql`select 1 from members.views where member_id = ${former.id}`);
    assert.deepEqual(left, []);
  });
});
