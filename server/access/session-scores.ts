import type { Reader } from '#platform/database.ts';
import * as queries from './session-score-queries.ts';

/**
 * Scores of sessions, for risk, which computes them in the background. They are columns of the session, so that they
 * end with it. A sign-in reads and writes none of them.
 */
export const sessionScores = {
  /** The next members after this one who have a session. */
  listSignedInAfter: async (reader: Reader, after: number, limit: number): Promise<number[]> =>
    (await queries.listSignedInAfter(reader, after, limit)).map(({ id }) => id),
  /** Members who signed in within the last minutes. */
  listNewcomers: async (reader: Reader, minutes: number, limit: number): Promise<number[]> =>
    (await queries.listNewcomers(reader, minutes, limit)).map(({ id }) => id),
  /** The valid sessions of members, with what their scores are made of. */
  listSessions: (reader: Reader, memberIds: readonly number[]) => queries.listSessions(reader, memberIds),
  async storeScores(reader: Reader, scored: readonly queries.ScoredSession[]): Promise<void> {
    if (scored.length > 0) await queries.storeScores(reader, scored);
  },
  /** Counts the valid sessions with at least this score, which is 50 or more. */
  countRisky: async (reader: Reader, scoreMin: number, limit: number): Promise<number> =>
    (await queries.countRisky(reader, scoreMin, limit)).sessions,
  /** The valid sessions with at least this score, the highest first. */
  listRisky: (reader: Reader, scoreMin: number, limit: number) => queries.listRisky(reader, scoreMin, limit),
};
