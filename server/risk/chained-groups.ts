import type { Group } from './rules/rule.ts';

/** Groups beyond those of the members of a turn, so that a chain is seen whole wherever its members' ids are. */

/** Each step costs a read of a few groups. Two show a chain whole that one inviter or one browser holds together. */
const STEPS = 2;

const keyOf = ({ kind, identifier, address }: Group): string => `${kind} ${identifier} ${address ?? ''}`;

/** Adds the groups of those who share something with these members, and of who invited them. */
export async function withChained(
  groups: readonly Group[],
  ids: readonly number[],
  {
    membersMax,
    readGroups,
    listReferrers,
  }: {
    /** Crowds are not followed. */
    membersMax: number;
    readGroups: (ids: readonly number[]) => Promise<Group[]>;
    listReferrers: (ids: readonly number[]) => Promise<readonly { referrerId: number | null }[]>;
  },
): Promise<Group[]> {
  const known = new Map(groups.map((group) => [keyOf(group), group]));
  const seen = new Set(ids);
  let latest = groups;
  for (let step = 0; step < STEPS && latest.length > 0; step += 1) {
    const sharers = latest
      .filter(({ memberIds }) => memberIds.length < membersMax)
      .flatMap(({ memberIds }) => memberIds);
    const inviters = await listReferrers(sharers);
    const next = new Set([...sharers, ...inviters.flatMap(({ referrerId }) => referrerId ?? [])]).difference(
      seen,
    );
    if (next.size === 0) break;
    const read = await readGroups([...next]);
    latest = read.filter((group) => !known.has(keyOf(group)));
    for (const id of next) seen.add(id);
    for (const group of latest) known.set(keyOf(group), group);
  }
  return [...known.values()];
}
