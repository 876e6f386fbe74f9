import type { Confidence, EvidenceKind } from '#contract/risk-signals.ts';
import type { RiskLevel, RiskRule } from '#contract/rule-modes.ts';

/** What rules have in common. A rule is a pure function of facts that were read before. Operators switch it. */

/** Members who have one thing in common. */
export type Group = {
  kind: EvidenceKind;
  identifier: string;
  /** The public network address, of a browser. */
  address: string | null;
  memberIds: readonly number[];
};

export type Pace = { memberId: number; lateCredits: number; reversals: number; tasks: number };

/** The quickest surveys in a row that a member did for a provider in a day. */
export type SurveyPace = {
  memberId: number;
  provider: string;
  surveys: number;
  /** From the credit before them to the last of them. */
  seconds: number;
  /** The shortest length that the provider or its catalogue states for one survey. */
  statedMinutes: number;
};

/** A member's newest friends who were rewarded a week ago or longer. */
export type Invitations = {
  referrerId: number;
  friends: number;
  /** Those who completed no task but the one that paid the reward. */
  stoppedIds: readonly number[];
};

/** The last whole hour of a provider that credited in it. */
export type ProviderHour = {
  provider: string;
  /** Of the form 2026-03-02T10, in UTC. */
  hour: string;
  credits: number;
  /** How many hours of the 30 days before are known. 95 of 100 of them had `usualMost` credits at most. */
  hoursKnown: number;
  usualMost: number;
};

export type Signals = {
  groups: readonly Group[];
  /** Who invited whom, of the members of the groups. */
  referrers: ReadonlyMap<number, number>;
  paces: readonly Pace[];
  surveyPaces: readonly SurveyPace[];
  invitations: readonly Invitations[];
  providerHours: readonly ProviderHour[];
  /** The hour now, for what is found once in it. */
  hour: string;
};

export type Finding = {
  /** What it is found by. It is recorded once, and again when its size grew. */
  subject: string;
  size: number;
  level: RiskLevel;
  /** The first one is whom it is about first. Nobody if it is about a provider. */
  memberIds: readonly number[];
  kinds: readonly EvidenceKind[];
  count: number | null;
  total: number | null;
  address: string | null;
  /** Of what may be several accounts of one person, from 0 to 100. */
  score: number | null;
  /** Only where the kinds alone would say too much. */
  confidence?: Confidence;
};

export type Rule = {
  name: RiskRule;
  /** The level of what it finds at its bound, with one kind of evidence. */
  severity: RiskLevel;
  /** Stands on what it finds. Raised whenever a change makes it find other things. */
  version: number;
  find: (signals: Signals) => Finding[];
};
