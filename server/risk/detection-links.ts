import { type DetectionLink, linkKinds } from '#contract/risk-signals.ts';
import type { Reader } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import type { Group } from './rules/rule.ts';
import * as queries from './signal-queries.ts';
import { readGroups, type SharedThings } from './signals.ts';

/** What the members of a detection have in common now, for an operator who decides about it. */
export type LinkSources = SharedThings & {
  listSharedNetworks: (
    reader: Reader,
    memberIds: readonly number[],
    limit: number,
  ) => Promise<{ identifier: string; memberIds: readonly number[] }[]>;
};

const LINKS_MAX = 8;
const NETWORKS_MAX = 3;

/** Reads the things that two or more of its members share, the strongest evidence first. @throws Refusal `not-found` */
export async function readDetectionLinks(
  { database }: Pick<Platform, 'database'>,
  sources: LinkSources,
  id: bigint,
): Promise<DetectionLink[]> {
  const row = await queries.findDetection(database, id);
  if (row === undefined) throw refuse('not-found');
  const ids = [row.primaryId, ...row.relatedIds];
  const [groups, networks] = await Promise.all([
    readGroups(database, sources, ids),
    sources.listSharedNetworks(database, ids, NETWORKS_MAX),
  ]);
  const shared = [...groups, ...networks.map((one) => ({ ...one, kind: 'network' as const }))]
    .map((one) => linkOf(one, ids))
    .filter(({ memberIds }) => memberIds.length > 1);
  // Each network address of one browser is a thing of its own to the rules.
  const links = [
    ...new Map(shared.map((link) => [`${link.kind} ${link.value} ${link.memberIds}`, link])).values(),
  ];
  return links.sort(byStrength).slice(0, LINKS_MAX);
}

const linkOf = (
  { kind, identifier, memberIds }: Pick<Group, 'identifier' | 'memberIds'> & Pick<DetectionLink, 'kind'>,
  ids: readonly number[],
): DetectionLink => ({
  kind,
  value: identifier,
  memberIds: memberIds.filter((id) => ids.includes(id)).map(String),
});

const byStrength = (one: DetectionLink, other: DetectionLink): number =>
  linkKinds.indexOf(one.kind) - linkKinds.indexOf(other.kind) ||
  other.memberIds.length - one.memberIds.length;
