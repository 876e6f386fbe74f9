import type { EvidenceKind } from '#contract/risk-signals.ts';
import { linkedFinding } from './linked-members.ts';
import type { Rule, Signals } from './rule.ts';

/** Two or more members share a browser or a payout address with the one who invited them. */
const FRIENDS_MIN = 2;
const BASE = 55;
const kinds = ['payout-address', 'device'] as const satisfies readonly EvidenceKind[];

export const invitedAccounts: Rule = {
  name: 'invited-accounts',
  severity: 'high',
  version: 1,
  find: (signals) => {
    const referrers = new Set(signals.referrers.values());
    return [...referrers].flatMap((referrer) => {
      const linked = kinds
        .map((kind) => ({ kind, friends: friendsWith(kind, referrer, signals) }))
        .filter(({ friends }) => friends.length >= FRIENDS_MIN);
      const friends = [...new Set(linked.flatMap((one) => one.friends))].sort((one, other) => one - other);
      if (friends.length === 0) return [];
      return [
        linkedFinding({
          subject: String(referrer),
          memberIds: [referrer, ...friends],
          kinds: linked.map(({ kind }) => kind),
          address: null,
          base: BASE,
          fewest: FRIENDS_MIN + 1,
        }),
      ];
    });
  },
};

/** The friends of a member who share something of this kind with them. */
function friendsWith(kind: EvidenceKind, referrer: number, { groups, referrers }: Signals): number[] {
  const shared = groups.filter((group) => group.kind === kind && group.memberIds.includes(referrer));
  const others = new Set(shared.flatMap(({ memberIds }) => memberIds));
  return [...others].filter((id) => referrers.get(id) === referrer);
}
