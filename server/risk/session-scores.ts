import { isDeepStrictEqual } from 'node:util';
import { fullNameOf } from '#contract/full-name.ts';
import { HIGH_RISK_SCORE, type RiskySession, scoreParts } from '#contract/risk-sessions.ts';
import type { Reader } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { scoreOf } from './session-score.ts';
import { listDetectionScores } from './signal-queries.ts';

/**
 * Gives each session a score in the background, from facts that are stored anyway and the operator's files of networks.
 * A score changes nothing for the member: operators read it.
 */

type Session = {
  id: string;
  memberId: number;
  address: string;
  score: number;
  reasons: unknown;
  isNewDevice: boolean;
  isAfterChange: boolean;
  isSharedDevice: boolean;
  formerAddresses: readonly string[];
};
type RiskyRow = {
  id: string;
  memberId: number;
  firstName: string;
  lastName: string | null;
  score: number;
  reasons: unknown;
  address: string;
  userAgent: string;
  createdAt: Date;
};

/** What access knows of sessions. */
export type ScoreSources = {
  listSignedInAfter: (reader: Reader, after: number, limit: number) => Promise<number[]>;
  listNewcomers: (reader: Reader, minutes: number, limit: number) => Promise<number[]>;
  listSessions: (reader: Reader, memberIds: readonly number[]) => Promise<Session[]>;
  storeScores: (
    reader: Reader,
    scored: readonly { id: string; score: number; reasons: unknown }[],
  ) => Promise<void>;
  listRisky: (reader: Reader, scoreMin: number, limit: number) => Promise<RiskyRow[]>;
};

type Parts = Pick<Platform, 'database' | 'networks'>;

const MEMBERS_PER_TURN = 2_000;
/** Who signed in within these minutes is looked at in each turn, also for what comes after the sign-in. */
const NEW_FOR_MINUTES = 10;
const SHOWN_MAX = 100;

/** Scores the sessions of the next members after `after`, and new ones. Returns the last member, or null after all. */
export async function scoreNextSessions(
  platform: Parts,
  sources: ScoreSources,
  after: number,
): Promise<number | null> {
  const [next, newcomers] = await Promise.all([
    sources.listSignedInAfter(platform.database, after, MEMBERS_PER_TURN),
    sources.listNewcomers(platform.database, NEW_FOR_MINUTES, MEMBERS_PER_TURN),
  ]);
  await scoreSessions(platform, sources, [...new Set([...next, ...newcomers])]);
  return next.length < MEMBERS_PER_TURN ? null : (next.at(-1) ?? null);
}

/** Scores the sessions of members, and stores the scores that changed. */
export async function scoreSessions(
  { database, networks }: Parts,
  sources: ScoreSources,
  memberIds: readonly number[],
): Promise<void> {
  if (memberIds.length === 0) return;
  const [sessions, detections] = await Promise.all([
    sources.listSessions(database, memberIds),
    listDetectionScores(database, memberIds),
  ]);
  const detectionScores = new Map(detections.map(({ id, score }) => [id, score]));
  const scored = sessions.map((session) => {
    const network = networks.find(session.address);
    const formerCountries = session.formerAddresses.flatMap(
      (address) => networks.find(address)?.country ?? [],
    );
    const { isNewDevice, isAfterChange, isSharedDevice } = session;
    const found = scoreOf({
      detectionScore: detectionScores.get(session.memberId) ?? null,
      isHiddenNetwork: (network?.kinds.length ?? 0) > 0,
      country: network?.country ?? null,
      formerCountries,
      isNewDevice,
      isAfterChange,
      isSharedDevice,
    });
    const isSame = found.score === session.score && isDeepStrictEqual(found.reasons, session.reasons);
    return { id: session.id, ...found, isSame };
  });
  const changed = scored.filter(({ isSame }) => !isSame).map(({ isSame: _, ...one }) => one);
  await sources.storeScores(database, changed);
}

/** The valid sessions of high risk, the highest score first. */
export async function listRiskySessions(
  { database, networks }: Parts,
  { listRisky }: Pick<ScoreSources, 'listRisky'>,
): Promise<RiskySession[]> {
  const rows = await listRisky(database, HIGH_RISK_SCORE, SHOWN_MAX);
  return rows.map(({ memberId, firstName, lastName, reasons, address, createdAt, ...row }) => ({
    ...row,
    userId: String(memberId),
    name: fullNameOf({ firstName, lastName }),
    reasons: scoreParts.parse(reasons),
    ipAddress: address,
    network: networks.find(address),
    createdAt: createdAt.toISOString(),
  }));
}
