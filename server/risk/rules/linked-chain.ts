import { linkedFinding } from './linked-members.ts';
import type { Finding, Group, Rule, Signals } from './rule.ts';

/**
 * Members of several groups that have members in common, or whose members invited each other: a farm that spreads its
 * accounts over a few payout addresses and browsers. Browsers alone also chain families and campuses, so such a chain
 * is low. A link in a chain may be one kind of evidence alone, so no chain is sure.
 */
const FEWEST = 3;
const BASES = { medium: 50, low: 40 } as const;
/** A browser that more members have at one address is a carrier's, a campus' or a café's. */
const BROWSER_MEMBERS_MAX = 8;
/** A larger chain says nothing about each of its members. */
const CHAIN_MEMBERS_MAX = 50;

export const linkedChain: Rule = {
  name: 'linked-chain',
  severity: 'medium',
  version: 1,
  find: (signals) => {
    const groups = signals.groups.filter(isLink);
    return chainsOf(groups, invitations(groups, signals)).flatMap((chain) => {
      const finding = findingOf(chain);
      return finding === undefined ? [] : [finding];
    });
  },
};

/** A payout address or a mailbox is chosen by its members, a browser may be handed to them. */
const isChosen = ({ kind }: Group): boolean => kind === 'mailbox' || kind === 'payout-address';

const isLink = (group: Group): boolean =>
  isChosen(group) || (group.kind === 'device' && group.memberIds.length <= BROWSER_MEMBERS_MAX);

/** Pairs of a member and who invited them, of those who share something chosen. */
function invitations(groups: readonly Group[], { referrers }: Signals): [number, number][] {
  const members = new Set(groups.filter(isChosen).flatMap(({ memberIds }) => memberIds));
  return [...members].flatMap((id): [number, number][] => {
    const referrer = referrers.get(id);
    return referrer !== undefined && members.has(referrer) ? [[id, referrer]] : [];
  });
}

type Chain = { memberIds: number[]; groups: Group[] };

/** The groups in chains, each with all of its members in ascending order. */
function chainsOf(groups: readonly Group[], pairs: readonly [number, number][]): Chain[] {
  const parents = new Map<number, number>();
  const rootOf = (id: number): number => {
    let root = id;
    for (let parent = parents.get(root); parent !== undefined; parent = parents.get(root)) root = parent;
    if (root !== id) parents.set(id, root);
    return root;
  };
  const join = (ids: readonly number[]) => {
    const root = rootOf(ids[0] ?? 0);
    for (const id of ids.slice(1)) if (rootOf(id) !== root) parents.set(rootOf(id), root);
  };
  for (const { memberIds } of groups) join(memberIds);
  for (const pair of pairs) join(pair);
  const chains = Map.groupBy(groups, ({ memberIds }) => rootOf(memberIds[0] ?? 0));
  return [...chains.values()].map((those) => ({
    groups: those,
    memberIds: [...new Set(those.flatMap(({ memberIds }) => memberIds))].sort((one, other) => one - other),
  }));
}

/** Undefined if one group has all of the members, which its own rule finds. */
function findingOf({ memberIds, groups }: Chain): Finding | undefined {
  if (memberIds.length < FEWEST || memberIds.length > CHAIN_MEMBERS_MAX) return;
  if (groups.some((group) => group.memberIds.length === memberIds.length)) return;
  const confidence = groups.some(isChosen) ? 'medium' : 'low';
  const kinds = [...new Set(groups.map(({ kind }) => kind))];
  return linkedFinding({
    subject: String(memberIds[0]),
    memberIds,
    kinds,
    address: null,
    base: BASES[confidence],
    fewest: FEWEST,
    confidence,
  });
}
