import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { sql } from '#platform/database.ts';
import { testSite } from '../../test/site.ts';
import { siteChecks } from '../books.ts';
import { runChecks } from '../ledger/ledger.ts';
import { decideEarning } from './earning.ts';

/** Two operators who decide the same held earnings at once. */
const site = await testSite({ after });
const [operator, colleague] = [await site.member({ role: 'admin' }), await site.member({ role: 'admin' })];
const members = await Promise.all(Array.from({ length: 8 }, () => site.member()));

const HELD_COUNT = 200;

/** Books credits that are held for their amount, each of another size. Returns their numbers. */
async function hold(): Promise<{ heldId: bigint; memberId: number; points: bigint }[]> {
  for (let index = 0; index < HELD_COUNT; index += 1) {
    const member = members[index % members.length]?.id;
    await site.owner.rows(sql`
      select earning.book_credit('cpx', ${`held-${index}`}, ${String(member)}, ${10_000 + index}, 1000, 'Survey', false,
        null, 'GET /', '127.0.0.1')`);
  }
  return site.owner.rows(sql`
    select held_id as "heldId", member_id as "memberId", points from earning.earnings
    where state = 'held' order by held_id`);
}

type Tried = { heldId: bigint; verdict: 'approve' | 'reject'; outcome: string };

/** Decides about each earning, four at a time, and reports what each call answered. */
async function decideAll(
  operatorId: number,
  decisions: readonly Pick<Tried, 'heldId' | 'verdict'>[],
): Promise<Tried[]> {
  const waiting = [...decisions];
  const tried: Tried[] = [];
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const call = decideEarning(site.platform, { ...next, actor: operatorId, note: 'Seen' });
      const [answer] = await Promise.allSettled([call]);
      tried.push({ ...next, outcome: answer?.status === 'fulfilled' ? 'done' : answer?.reason.code });
    }
  };
  await Promise.all(Array.from({ length: 4 }, work));
  return tried;
}

describe('200 held earnings that two operators decide at once', () => {
  it('are each decided once, and the points are those of the approvals', async () => {
    const held = await hold();
    assert.equal(held.length, HELD_COUNT);
    const verdictOf = (index: number, shift: number) => ((index + shift) % 3 === 0 ? 'reject' : 'approve');
    const tried = (
      await Promise.all([
        decideAll(
          operator.id,
          held.map(({ heldId }, index) => ({ heldId, verdict: verdictOf(index, 0) })),
        ),
        decideAll(
          colleague.id,
          held.map(({ heldId }, index) => ({ heldId, verdict: verdictOf(index, 1) })),
        ),
      ])
    ).flat();
    const done = tried.filter(({ outcome }) => outcome === 'done');
    assert.equal(done.length, HELD_COUNT);
    assert.equal(new Set(done.map(({ heldId }) => heldId)).size, HELD_COUNT);
    assert.equal(tried.filter(({ outcome }) => outcome === 'already-decided').length, HELD_COUNT);

    const approved = new Set(done.filter(({ verdict }) => verdict === 'approve').map(({ heldId }) => heldId));
    for (const { id } of members) {
      const expected = held
        .filter(({ heldId, memberId }) => memberId === id && approved.has(heldId))
        .reduce((sum, { points }) => sum + points, 0n);
      const wallet = sql`select balance from ledger.wallets where member_id = ${id}`;
      assert.equal((await site.owner.one<{ balance: bigint }>(wallet)).balance, expected);
    }
    const acts = sql`select count(*) as count from platform.acts where act in ('earning.approve', 'earning.reject')`;
    assert.equal((await site.owner.one<{ count: bigint }>(acts)).count, BigInt(HELD_COUNT));
    const { body } = await site.call('GET', '/api/admin/approval-stats', { as: operator });
    const { creditedToday: _, secondPersonFrom: __, ...counts } = body;
    assert.deepEqual(counts, {
      pendingCount: 0,
      pendingAmount: '0',
      approvedCount: approved.size,
      rejectedCount: HELD_COUNT - approved.size,
    });
    assert.deepEqual(await runChecks(site.owner, siteChecks), []);
  });
});
