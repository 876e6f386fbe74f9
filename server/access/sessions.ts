import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Session } from '#contract/access.ts';
import { coalesce, READS } from '#platform/coalesce.ts';
import type { Database, Reader, Tx } from '#platform/database.ts';
import type { Caller } from '#platform/http/caller.ts';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import { removeInPieces } from '#platform/retention.ts';
import { recordSignIn } from '../members/sign-in-queries.ts';
import {
  deleteOldestSessions,
  deleteOtherSessions,
  deleteOwnSession,
  deleteSession,
  deleteOldSignIns as deleteSignIns,
  findSessions,
  insertSession,
  readLiveSessions,
  type SessionRow,
  touchSession,
} from './queries.ts';

/**
 * Sessions: an opaque random token in a cookie; only its hash is stored. A node caches a session for a second, so that
 * a page's many calls read it once. The bus clears the cache when a session ends. Operators' calls and changes read the
 * session from the database, except endpoints with `acceptsCachedSession`.
 */
const KEPT_MS = 1_000;
const KEPT_MAX = 20_000;

type Found = SessionRow | undefined;

export type Sessions = {
  /** Finds the session of a token with its member, at once if it is kept; undefined if it is unknown or has ended. */
  find(token: string, freshness: 'cached' | 'fresh'): Found | Promise<Found>;
  forget(token: string): void;
};

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

export function createSessions({ database, bus }: Pick<Platform, 'database' | 'bus'>): Sessions {
  const kept = new LRUCache<string, { reading: Promise<Found>; session?: SessionRow }>({
    max: KEPT_MAX,
    ttl: KEPT_MS,
    // Members with nothing but an open socket would keep theirs.
    ttlAutopurge: true,
  });
  // Clears the whole cache. It holds at most a second of sessions, so this costs one read per active member.
  bus.onSessionChange(() => kept.clear());

  const findSession = coalesce<Buffer, Found>({
    ...READS,
    run: async (hashes) => {
      const found = await findSessions(database, hashes);
      return hashes.map((hash) => found.find((session) => session.tokenHash.equals(hash)));
    },
  });
  const read = async (token: string) => {
    const session = await findSession(hashOf(token));
    if (session !== undefined && !session.isSeenLately) await touchSession(database, hashOf(token));
    return session;
  };
  return {
    find(token, freshness) {
      if (token.length > 100) return undefined;
      const known = freshness === 'cached' ? kept.get(token) : undefined;
      if (known !== undefined) return known.session ?? known.reading;
      const one: { reading: Promise<Found>; session?: SessionRow } = { reading: read(token) };
      kept.set(token, one);
      one.reading.then(
        (session) => {
          if (session !== undefined) one.session = session;
        },
        // Do not cache a failed read. Its caller gets the error.
        () => kept.delete(token),
      );
      return one.reading;
    },
    forget: (token) => void kept.delete(token),
  };
}

export const callerOfSession = (session: SessionRow | undefined): Caller | undefined =>
  session && {
    id: session.id,
    role: session.role,
    sessionId: session.sessionId,
    isSuspended: session.isSuspended,
    hasPassedGate: session.hasPassedGate,
  };

/**
 * Makes a session in the caller's transaction and returns its token. `checkedHash` is the hash of the checked password,
 * if one was checked: a concurrent change of the password ends all sessions, so this one must not be opened after it.
 * `hasPassedGate`: the browser passed the operators' gate before.
 * @throws Refusal `invalid-credentials` if the account is deleted or its password changed since
 */
export async function openSession(
  tx: Tx,
  memberId: number,
  userAgent: string,
  address: string,
  checkedHash: string | null = null,
  hasPassedGate = false,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  if ((await recordSignIn(tx, memberId, checkedHash)) === undefined) throw refuse('invalid-credentials');
  await insertSession(tx, {
    tokenHash: hashOf(token),
    id: randomUUID(),
    memberId,
    userAgent: keptUserAgent(userAgent),
    address,
    hasPassedGate,
  });
  return token;
}

const USER_AGENT_LENGTH_MAX = 500;

/** What is kept of a browser's name: its first 500 characters, without those that PostgreSQL can't store. */
export const keptUserAgent = (userAgent: string): string =>
  userAgent.slice(0, USER_AGENT_LENGTH_MAX).replaceAll('\u0000', '');

const SESSIONS_MAX = 20;

/** Keeps a member's 20 newest sessions. */
export async function endOldestSessions(
  { database, bus }: Pick<Platform, 'database' | 'bus'>,
  memberId: number,
): Promise<void> {
  const ended = await deleteOldestSessions(database, memberId, SESSIONS_MAX);
  if (ended.length > 0) bus.announceSessionChange({ memberId });
}

/** Ends a session; returns its member's id. */
export const closeSession = async (database: Database, token: string): Promise<number | undefined> =>
  (await deleteSession(database, hashOf(token)))?.memberId;

/** Reads the member's sessions, the last seen first. */
export async function readSessions(
  reader: Reader,
  caller: { id: number; sessionId: string },
): Promise<Session[]> {
  const rows = await readLiveSessions(reader, caller.id);
  return rows.map((row) => ({
    id: row.id,
    createdAt: row.createdAt.toISOString(),
    lastSeenAt: row.lastSeenAt.toISOString(),
    userAgent: row.userAgent,
    current: row.id === caller.sessionId,
  }));
}

/** Ends one of the member's sessions. @throws Refusal `not-found`, also for another member's session */
export async function endSession(
  { database, bus }: Pick<Platform, 'database' | 'bus'>,
  memberId: number,
  sessionId: string,
): Promise<void> {
  if ((await deleteOwnSession(database, memberId, sessionId)) === undefined) throw refuse('not-found');
  bus.announceSessionChange({ memberId });
}

/** Ends all sessions of the caller except the current one. */
export async function endOtherSessions(
  { database, bus }: Pick<Platform, 'database' | 'bus'>,
  caller: { id: number; sessionId: string },
): Promise<void> {
  await deleteOtherSessions(database, caller.id, caller.sessionId);
  bus.announceSessionChange({ memberId: caller.id });
}

const SIGN_INS_KEPT_YEARS = 3;

/** Deletes the records of sign-ins, which are sessions and devices, after three years. */
export const deleteOldSignIns = (
  { database }: Pick<Platform, 'database'>,
  signal: AbortSignal,
): Promise<void> =>
  removeInPieces(database, signal, (rowsMax) =>
    deleteSignIns(database, { years: SIGN_INS_KEPT_YEARS, rowsMax }),
  );
