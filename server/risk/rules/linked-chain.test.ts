import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withChained } from '../chained-groups.ts';
import { linkedChain } from './linked-chain.ts';
import type { Group } from './rule.ts';

/** What makes a chain, and how far groups are followed. */
const group = (kind: Group['kind'], identifier: string, ...memberIds: number[]): Group => ({
  kind,
  identifier,
  address: kind === 'device' ? '9.9.9.9' : null,
  memberIds,
});
const chains = (groups: Group[], referrers: [number, number][] = []) =>
  linkedChain
    .find({
      groups,
      referrers: new Map(referrers),
      paces: [],
      surveyPaces: [],
      invitations: [],
      providerHours: [],
      hour: '2026-03-02T10',
    })
    .map(({ memberIds, confidence, score }) => [memberIds, confidence, score]);
const crowd = Array.from({ length: 9 }, (_, at) => at + 2);

test('a chain names members of groups that overlap, and is never sure', () => {
  const wallet = group('payout-address', 'wallet', 1, 2, 3);
  assert.deepEqual(chains([wallet]), [], 'one group has a rule of its own');
  assert.deepEqual(chains([wallet, group('device', 'browser', 1, 2)]), [], 'the group has them all');
  assert.deepEqual(chains([wallet, group('device', 'browser', 3, 4)]), [[[1, 2, 3, 4], 'medium', 55]]);
  assert.deepEqual(chains([group('device', 'one', 1, 2), group('device', 'two', 2, 3)]), [
    [[1, 2, 3], 'low', 40],
  ]);
  assert.deepEqual(chains([group('payout-address', 'wallet', 1, 2), group('device', 'café', ...crowd)]), []);
  const long = Array.from({ length: 51 }, (_, at) => group('mailbox', `box ${at}`, at, at + 1));
  assert.deepEqual(chains(long), [], 'more than 50 members');
});

test('an invitation joins groups whose members share what they chose', () => {
  const wallets = [group('payout-address', 'one', 1, 2), group('payout-address', 'two', 3, 4)];
  assert.deepEqual(chains(wallets), []);
  assert.deepEqual(chains(wallets, [[3, 1]]), [[[1, 2, 3, 4], 'medium', 55]]);
  const browsers = [group('device', 'one', 1, 2), group('device', 'two', 3, 4)];
  assert.deepEqual(chains(browsers, [[3, 1]]), [], 'families invite each other');
});

test('groups are followed over inviters and sharers, and not through a crowd', async () => {
  const all = [
    group('payout-address', 'one', 1, 2),
    group('device', 'browser', 2, 3),
    group('payout-address', 'two', 4, 5),
    group('device', 'crowd', ...crowd),
    group('mailbox', 'box', 9, 12),
  ];
  const readGroups = async (ids: readonly number[]) =>
    all.filter(({ memberIds }) => memberIds.some((id) => ids.includes(id)));
  const follow = async (ids: number[]) => {
    const found = await withChained(await readGroups(ids), ids, {
      membersMax: 9,
      readGroups,
      listReferrers: async (some) => some.map((id) => ({ referrerId: id === 3 ? 4 : null })),
    });
    return found.map(({ identifier }) => identifier);
  };
  assert.deepEqual(await follow([1]), ['one', 'browser', 'crowd', 'two']);
  assert.deepEqual(await follow([8]), ['crowd']);
  assert.deepEqual(await follow([99]), []);
});
