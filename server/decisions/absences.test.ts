import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { absence } from '#contract/decisions.ts';
import { sql } from '#platform/database.ts';
import { type Person, testSite } from '../../test/site.ts';
import { tellAbsent } from './absences.ts';

/** Members who have not signed in for three months. */
const site = await testSite({ after });
const { owner } = site;
const operator = await site.member({ role: 'admin' });
const { signal } = new AbortController();
const parts = { ...site.platform, config: { ...site.platform.config, siteTimezone: 'Asia/Seoul' } };

const seen = ({ id }: Person, at: string) =>
  owner.rows(sql`update members.members set last_sign_in_at = ${at}::timestamptz where id = ${id}`);
const tell = (at: string) => tellAbsent(parts, new Date(at), signal);
const noticesOf = ({ id }: Person) =>
  owner.rows<{ facts: object }>(sql`
    select facts from notices.notices where member_id = ${id} and facts->>'decision' = 'inactive'
    order by member_number`);
const listed = async (query = '') =>
  (await site.call('GET', `/api/admin/decisions/absences?${query}`, { as: operator })).body;

describe('three months', () => {
  const cases: [seen: string, lastMoment: string, ends: string][] = [
    // In Seoul: from Nov 30 to the last day of February, in a leap year and in another one.
    ['2027-11-30T03:00:00Z', '2028-02-29T02:59:59Z', '2028-02-29T03:00:00Z'],
    ['2026-11-30T03:00:00Z', '2027-02-28T02:59:59Z', '2027-02-28T03:00:00Z'],
    // It is the 1st of December in Seoul already.
    ['2026-11-30T15:00:00Z', '2027-02-28T14:59:59Z', '2027-02-28T15:00:00Z'],
    ['2028-02-29T03:00:00Z', '2028-05-29T02:59:59Z', '2028-05-29T03:00:00Z'],
    ['2027-05-31T03:00:00Z', '2027-08-31T02:59:59Z', '2027-08-31T03:00:00Z'],
  ];
  for (const [since, lastMoment, ends] of cases)
    it(`from ${since} end at ${ends}`, async () => {
      const { before, then } = await owner.one<{ before: boolean; then: boolean }>(sql`
        select decisions.is_absent(${since}::timestamptz, ${lastMoment}::timestamptz, 'Asia/Seoul') as before,
          decisions.is_absent(${since}::timestamptz, ${ends}::timestamptz, 'Asia/Seoul') as then`);
      assert.deepEqual([before, then], [false, true]);
    });
});

describe('a member who is away', () => {
  it('is told once in each absence, also by nodes at once, and is listed until a sign-in', async () => {
    const [rich, poor, present] = [
      await site.member({ balancePoints: 5_000n }),
      await site.member(),
      await site.member(),
    ];
    await seen(operator, '2020-01-01T00:00:00Z');
    await seen(rich, '2026-11-30T03:00:00.123456Z');
    await seen(poor, '2026-12-01T03:00:00Z');
    await seen(present, '2027-02-01T03:00:00Z');
    assert.equal(await tell('2027-02-28T02:59:00Z'), 0);
    const told = await Promise.all(Array.from({ length: 5 }, () => tell('2027-02-28T04:00:00Z')));
    assert.equal(
      told.reduce((sum, count) => sum + count, 0),
      1,
    );
    assert.equal(await tell('2027-03-02T00:00:00Z'), 1);
    assert.equal(await tell('2027-03-02T00:10:00Z'), 0);
    assert.deepEqual(
      [(await noticesOf(rich)).map(({ facts }) => facts), (await noticesOf(present)).length],
      [[{ decision: 'inactive', since: '2026-11-30T03:00:00.123Z' }], 0],
    );
    const rows = (await listed()).map((row: unknown) => absence.strict().parse(row));
    assert.deepEqual(
      rows.map(({ id }: { id: string }) => id),
      [String(poor.id), String(rich.id)],
    );
    const some = await listed('points=some');
    assert.deepEqual([some.length, some[0].id, some[0].balance], [1, String(rich.id), '5000']);
    assert.equal((await listed(`q=${poor.email}`)).length, 1);

    await seen(rich, '2027-03-03T00:00:00Z');
    assert.deepEqual(await listed('points=some'), [], 'a sign-in ends the absence');
    assert.equal(await tell('2027-06-10T00:00:00Z'), 2, 'the other member and the new absence');
    assert.equal((await noticesOf(rich)).length, 2);
    assert.equal((await noticesOf(poor)).length, 1);
  });
});
