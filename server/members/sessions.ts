import { createHash, randomBytes, randomUUID } from 'node:crypto';
import type { FastifyReply } from 'fastify';
import type { User } from '#contract/members.ts';
import type { Bus } from '#platform/bus.ts';
import { coalesce, READS } from '#platform/coalesce.ts';
import type { Database, Tx } from '#platform/database.ts';
import type { Caller } from '#platform/http/caller.ts';
import { refuse } from '#platform/refusal.ts';
import {
  deleteSession,
  findSessions,
  insertSession,
  type MemberRow,
  type SessionRow,
  touchSession,
} from './queries.ts';

/**
 * Sessions: an opaque random token in a cookie, of which only the hash is stored. A node may keep what it read
 * for a second, so that a page's many calls ask once; it forgets at once when the bus says that a session
 * ended. Operators' calls read afresh, and so does every call that changes something, unless
 * its own statement judges who may (`acceptsCachedSession`).
 */
const KEPT_MS = 1_000;
const KEPT_MAX = 20_000;
const COOKIE_S = 30 * 24 * 3600;

type Kept = { until: number; session: Promise<SessionRow | undefined> };

export type Sessions = {
  /** The member behind a token; undefined where the session is unknown or over. */
  find(token: string, freshness: 'cached' | 'fresh'): Promise<SessionRow | undefined>;
  forget(token: string): void;
};

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

export function createSessions(database: Database, bus: Bus): Sessions {
  const kept = new Map<string, Kept>();
  // A member's sessions are few and the cache is young, so forgetting everything costs one read per active member.
  bus.onSessionEnd(() => kept.clear());

  const findSession = coalesce<Buffer, SessionRow | undefined>({
    ...READS,
    run: async (hashes) => {
      const found = await findSessions(database, hashes);
      return hashes.map((hash) => found.find((session) => session.token_hash.equals(hash)));
    },
  });
  const read = async (token: string) => {
    const session = await findSession(hashOf(token));
    if (session !== undefined && !session.is_seen_lately) await touchSession(database, hashOf(token));
    return session;
  };
  return {
    find(token, freshness) {
      if (token.length > 100) return Promise.resolve(undefined);
      const now = performance.now();
      const known = kept.get(token);
      if (freshness === 'cached' && known !== undefined && known.until > now) return known.session;
      const session = read(token);
      if (kept.size >= KEPT_MAX) kept.clear();
      kept.set(token, { until: now + KEPT_MS, session });
      // A failed read must not be served again; its caller gets the error itself.
      session.catch(() => kept.delete(token));
      return session;
    },
    forget: (token) => void kept.delete(token),
  };
}

export const callerOfSession = (session: SessionRow): Caller => ({
  id: session.id,
  role: session.role,
  sessionId: session.session_id,
  isSuspended: session.is_suspended,
});

/**
 * Makes a session in the caller's transaction and returns its token, which exists nowhere else. `checkedHash` is the
 * stored password that was found right, where one was asked for: whoever changes it ends all sessions, and one that
 * was on its way must not come after that.
 * @throws Refusal `invalid-credentials` where the account is deleted or has another password by now
 */
export async function openSession(
  tx: Tx,
  memberId: number,
  userAgent: string,
  address: string,
  checkedHash: string | null = null,
): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const opened = await insertSession(tx, {
    tokenHash: hashOf(token),
    id: randomUUID(),
    memberId,
    userAgent: userAgent.slice(0, 500).replaceAll('\u0000', ''),
    address,
    checkedHash,
  });
  if (opened === undefined) throw refuse('invalid-credentials');
  return token;
}

/** Ends a session; returns whose it was. */
export const closeSession = async (database: Database, token: string): Promise<number | undefined> =>
  (await deleteSession(database, hashOf(token)))?.member_id;

type CookieSite = { name: string; isSecure: boolean };

/**
 * Sets the session's cookie and, beside it, the readable `signedin=1`, by which the web knows whether to ask
 * for the current user at all.
 */
export function setSessionCookies(reply: FastifyReply, site: CookieSite, token: string): void {
  const common = { path: '/', sameSite: 'lax', secure: site.isSecure, maxAge: COOKIE_S } as const;
  reply.setCookie(site.name, token, { ...common, httpOnly: true });
  reply.setCookie('signedin', '1', common);
}

export function clearSessionCookies(reply: FastifyReply, site: CookieSite): void {
  const common = { path: '/', sameSite: 'lax', secure: site.isSecure } as const;
  reply.clearCookie(site.name, { ...common, httpOnly: true });
  reply.clearCookie('signedin', common);
}

/** A member as the wire shows one. */
export const userOf = (row: MemberRow): User => ({
  id: String(row.id),
  firstName: row.first_name,
  lastName: row.last_name,
  email: row.email,
  role: row.role,
  profileImageUrl: row.profile_image_url,
  createdAt: row.created_at.toISOString(),
  referralCode: row.referral_code,
  chatTheme: row.chat_theme,
  chatBubbleColor: row.chat_bubble_color,
  chatTextColor: row.chat_text_color,
  phoneVerified: row.phone_verified_at !== null,
  phoneNumber: row.phone_number,
});
