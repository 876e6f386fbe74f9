import type { User } from '#contract/members.ts';
import type { ChatTheme, Session } from '#contract/members-account.ts';
import type { Database, Reader } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import { accessMail, postMail } from './access-mails.ts';
import { findMailable } from './access-queries.ts';
import { accountKey } from './account-key.ts';
import * as queries from './account-queries.ts';
import { hashPassword, isPassword, refuseCommonPassword } from './passwords.ts';
import { findMember } from './queries.ts';
import { userOf } from './sessions.ts';

/**
 * What a member does with their own account: password, sessions, chat theme. Settings are in `settings.ts`, the end of
 * the account in `account-deletion.ts`, everything that is known about the member in `export.ts`.
 *
 * Whoever is asked for the password has as many tries as somebody who signs in, counted together: a stolen session is
 * no way to guess it. A change of password ends every other session in the same transaction.
 */

type GuardParts = Pick<Platform, 'database' | 'limits'>;

/**
 * Does `act` if the password is right, one act of an account after the other. It is given the hash that was checked,
 * and answers undefined where that is no longer the account's; then this counts as a wrong password.
 * @throws Refusal `no-password`, `wrong-password`, `rate-limited` after 10 failures in 15 minutes
 */
export async function withOwnPassword<T>(
  { database, limits }: GuardParts,
  memberId: number,
  password: string,
  act: (checkedHash: string) => Promise<T | undefined>,
): Promise<T> {
  const own = await queries.findOwnCredentials(database, memberId);
  if (own === undefined) throw refuse('unauthenticated');
  if (own.password_hash === null) throw refuse('no-password');
  const done = await limits.trySignIn(accountKey(own.email), async () => {
    // Read when it is this try's turn: an earlier one may have changed it.
    const current = await queries.findOwnCredentials(database, memberId);
    if (!(await isPassword(current?.password_hash, password))) return undefined;
    return act(current?.password_hash as string);
  });
  if (done === undefined) throw refuse('wrong-password');
  return done;
}

/**
 * Changes the password, ends every session but the caller's and tells the member by mail. Of many changes at once
 * exactly one finds the current password right.
 * @throws Refusal `no-password`, `wrong-password`, `common-password`, `rate-limited`
 */
export async function changePassword(
  platform: GuardParts & Pick<Platform, 'bus' | 'config'>,
  caller: { id: number; sessionId: string },
  given: { currentPassword: string; newPassword: string },
): Promise<void> {
  await withOwnPassword(platform, caller.id, given.currentPassword, async (checkedHash) => {
    await refuseCommonPassword(given.newPassword);
    const newHash = await hashPassword(given.newPassword);
    return platform.database.transaction(async (tx) => {
      const replaced = await queries.replacePassword(tx, caller.id, checkedHash, newHash);
      if (replaced === undefined) return undefined;
      await queries.deleteOtherSessions(tx, caller.id, caller.sessionId);
      const member = await findMailable(tx, caller.id);
      if (member !== undefined) await postMail(tx, accessMail(platform.config, member, 'password-chosen'));
      return replaced;
    });
  });
  platform.bus.endSessions({ memberId: caller.id });
}

/** Whether there is a password at all; an account that came by another sign-in may have none. */
export const readPasswordState = async (reader: Reader, memberId: number): Promise<{ isSet: boolean }> => ({
  isSet: typeof (await queries.findOwnCredentials(reader, memberId))?.password_hash === 'string',
});

/** Where the member is signed in, the latest seen first. */
export async function readSessions(
  reader: Reader,
  caller: { id: number; sessionId: string },
): Promise<Session[]> {
  const rows = await queries.readLiveSessions(reader, caller.id);
  return rows.map((row) => ({
    id: row.id,
    createdAt: row.created_at.toISOString(),
    lastSeenAt: row.last_seen_at.toISOString(),
    userAgent: row.user_agent,
    current: row.id === caller.sessionId,
  }));
}

type SessionParts = Pick<Platform, 'database' | 'bus'>;

/** Ends one of the member's sessions. @throws Refusal `not-found`, also where it is somebody else's */
export async function endSession(
  { database, bus }: SessionParts,
  memberId: number,
  sessionId: string,
): Promise<void> {
  if ((await queries.deleteOwnSession(database, memberId, sessionId)) === undefined)
    throw refuse('not-found');
  bus.endSessions({ memberId });
}

/** Ends every session of the caller but the one that asks. */
export async function endOtherSessions(
  { database, bus }: SessionParts,
  caller: { id: number; sessionId: string },
): Promise<void> {
  await queries.deleteOtherSessions(database, caller.id, caller.sessionId);
  bus.endSessions({ memberId: caller.id });
}

/** Keeps the colours of the member's messages as they were given, also with a preset's name. */
export async function changeChatTheme(database: Database, memberId: number, theme: ChatTheme): Promise<User> {
  await queries.saveChatTheme(database, memberId, theme);
  const row = await findMember(database, memberId);
  if (row === undefined) throw refuse('unauthenticated');
  return userOf(row);
}
