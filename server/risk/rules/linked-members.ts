import type { Confidence, EvidenceKind } from '#contract/risk-signals.ts';
import type { RiskLevel } from '#contract/rule-modes.ts';
import type { Finding, Group } from './rule.ts';

/** Members whom evidence links, and how sure that makes. One kind alone never makes it sure. */

/** Each member beyond the fewest that a rule asks for. */
const POINTS_PER_MEMBER = 5;
const POINTS_OF_MEMBERS_MAX = 15;
const POINTS_OF_SECOND_KIND = 20;
const SCORE_MAX = 100;
/** Of one kind alone, by how sure it is. A family and a campus share browsers; a payout address is chosen. */
const aloneLevels = {
  device: 'low',
  'payout-address': 'medium',
  mailbox: 'medium',
} as const satisfies Record<EvidenceKind, Confidence>;
const ranks: readonly Confidence[] = ['low', 'medium', 'high'];
const levels: Record<Confidence, RiskLevel> = { low: 'low', medium: 'high', high: 'critical' };

/** Two kinds that are independent of each other are sure, one is as sure as its kind. */
export const confidenceOf = (kinds: readonly EvidenceKind[]): Confidence => {
  if (new Set(kinds).size > 1) return 'high';
  return kinds[0] === undefined ? 'low' : aloneLevels[kinds[0]];
};

type Linked = {
  subject: string;
  memberIds: readonly number[];
  kinds: readonly EvidenceKind[];
  address: string | null;
  /** The score of the fewest members with one kind of evidence. */
  base: number;
  fewest: number;
  /** By the kinds, unless it is given. */
  confidence?: Confidence;
};

export function linkedFinding({
  subject,
  memberIds,
  kinds,
  address,
  base,
  fewest,
  ...given
}: Linked): Finding {
  const { confidence = confidenceOf(kinds) } = given;
  const ofMembers = Math.min((memberIds.length - fewest) * POINTS_PER_MEMBER, POINTS_OF_MEMBERS_MAX);
  const ofKinds = kinds.length > 1 && confidence === 'high' ? POINTS_OF_SECOND_KIND : 0;
  return {
    subject,
    size: memberIds.length * ranks.length + ranks.indexOf(confidence),
    level: levels[confidence],
    memberIds,
    kinds,
    count: null,
    total: null,
    address,
    score: Math.min(base + ofMembers + ofKinds, SCORE_MAX),
    confidence,
  };
}

/**
 * Alike browsers of strangers differ by who has the lowest number, not by their network address: many lines get another
 * address each week, and what an operator dismissed would be found again.
 */
const subjectOf = ({ identifier, address, memberIds }: Group): string =>
  address === null ? identifier : `${identifier} ${memberIds[0]}`;

/**
 * A rule about groups of one kind, which have at least `fewest` members. Only members whom a second kind links as well
 * are named as sure: a member's payout address can be read on the chain, and others can ask to be paid there.
 */
export const groupsOf =
  (kind: EvidenceKind, { fewest, base }: { fewest: number; base: number }) =>
  ({ groups }: { groups: readonly Group[] }): Finding[] =>
    groups
      .filter((group) => group.kind === kind && group.memberIds.length >= fewest)
      .flatMap((group) => {
        const finding = (subject: string, memberIds: readonly number[], kinds: readonly EvidenceKind[]) =>
          linkedFinding({ subject, memberIds, kinds, address: group.address, base, fewest });
        const subject = subjectOf(group);
        const { sureIds, kinds } = linkedTwice(group, groups, fewest);
        if (sureIds.length === 0) return [finding(subject, group.memberIds, [kind])];
        if (sureIds.length === group.memberIds.length) return [finding(subject, sureIds, kinds)];
        return [
          finding(subject, group.memberIds, [kind]),
          finding(`${subject} ${sureIds[0]}`, sureIds, kinds),
        ];
      });

/** The members of a group of whom groups of other kinds have at least `fewest`, and all those kinds, its own first. */
function linkedTwice(group: Group, groups: readonly Group[], fewest: number) {
  const others = groups.filter(
    ({ kind, memberIds }) =>
      kind !== group.kind && memberIds.filter((id) => group.memberIds.includes(id)).length >= fewest,
  );
  return {
    sureIds: group.memberIds.filter((id) => others.some(({ memberIds }) => memberIds.includes(id))),
    kinds: [...new Set([group.kind, ...others.map(({ kind }) => kind)])],
  };
}
