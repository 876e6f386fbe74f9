import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { sql } from '#platform/database.ts';
import { testSite } from '../../test/site.ts';

/** A member's books over HTTP. */
const site = await testSite({ after });
const member = await site.member();
await site.owner.rows(sql`
  select ledger.post_one(${member.id}, 'row:' || n, 'grant', n, 'grants',
    case when n = 1 then '=HYPERLINK("x")' else 'Row ' || n end, null, null, false)
  from generate_series(1, 234) n order by n`);
const history = (query: string) => site.call('GET', `/api/user/history?${query}`, { as: member });

describe('the history', () => {
  it('sends exact pages and totals, newest first', async () => {
    const { body } = await history('page=2&limit=100');
    assert.deepEqual(body.pagination, { page: 2, totalPages: 3, totalCount: 234, limit: 100 });
    assert.deepEqual([body.data[0].amount, body.data.at(-1).amount], ['134', '35']);
    assert.equal((await history('')).body.data.length, 10);
    assert.deepEqual((await history('page=4&limit=100')).body.data, []);
  });
  it('§1-7 member data: exports all rows as CSV, with formulas escaped', async () => {
    const { headers, body } = await history('format=csv');
    assert.match(headers.get('content-type') ?? '', /^text\/csv/);
    assert.match(headers.get('content-disposition') ?? '', /attachment; filename="history\.csv"/);
    const lines = String(body).trim().split('\r\n');
    assert.equal(lines.length, 235);
    assert.ok(lines.at(-1)?.includes(`"'=HYPERLINK(""x"")"`), lines.at(-1));
  });
  it('exports a long history completely, each row once', async () => {
    const busy = await site.member();
    await site.owner.rows(sql`
      select ledger.post_one(${busy.id}, 'busy:' || n, 'grant', n, 'grants', 'Row', null, null, false)
      from generate_series(1, 10001) n order by n`);
    const { body } = await site.call('GET', '/api/user/history?format=csv', { as: busy });
    const lines = String(body).trim().split('\r\n').slice(1);
    assert.equal(lines.length, 10_001);
    assert.deepEqual([lines[0]?.split(',')[0], lines.at(-1)?.split(',')[0]], ['10001', '1']);
    assert.equal(new Set(lines).size, 10_001);
    const page = await site.call('GET', '/api/user/history?format=csv&page=2', { as: busy });
    assert.equal(String(page.body).trim().split('\r\n').length, 11);
  });
  it('never shows another member’s movements', async () => {
    const other = await site.member();
    assert.equal((await site.call('GET', '/api/user/history', { as: other })).body.pagination.totalCount, 0);
  });
});

describe('the totals', () => {
  it('§1-3 figures of a member: count earned points by site day, and are decimal strings', async () => {
    const { body } = await site.call('GET', '/api/user/stats', { as: member });
    const sum = String((234 * 235) / 2);
    assert.deepEqual(body, {
      balance: sum,
      debt: '0',
      totalEarned: sum,
      todayEarned: sum,
      completedTasks: 0,
    });
    const chart = (await site.call('GET', '/api/user/earnings-chart', { as: member })).body;
    assert.equal(chart.length, 7);
    assert.deepEqual(
      chart.map(({ amount }: { amount: string }) => amount),
      ['0', '0', '0', '0', '0', '0', sum],
    );
    assert.deepEqual(
      chart.map(({ date }: { date: string }) => date),
      chart.map(({ date }: { date: string }) => date).sort(),
    );
  });
  it('change with the site day', async () => {
    await site.call('POST', '/sandbox/clock', { body: { advanceSeconds: 86_400 } });
    const { body } = await site.call('GET', '/api/user/stats', { as: member });
    assert.equal(body.todayEarned, '0');
    const chart = (await site.call('GET', '/api/user/earnings-chart', { as: member })).body;
    assert.equal(chart.at(-2).amount, body.totalEarned);
  });
});
