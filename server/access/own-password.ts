import type { Reader } from '#platform/database.ts';
import { memberKey } from '#platform/http/admission.ts';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import { findOwnCredentials, type OwnCredentials, replacePassword } from '../members/sign-in-queries.ts';
import { addSecurityNotice, announceNotices } from '../notices/notices.ts';
import { ownPasswordChecks } from './limits.ts';
import { hashPassword, isPassword, refuseCommonPassword } from './passwords.ts';
import { deleteOtherSessions } from './queries.ts';

/**
 * The password of a signed-in member. Failed confirmations count apart from failed sign-ins, so that a person who
 * guesses at the sign-in can't keep the member from their own acts. A changed password ends all other sessions in the
 * same transaction.
 */

/**
 * Runs `act` with the checked hash if the password is right. Calls of one account run in turn. If the hash is no longer
 * the account's, `act` returns undefined, which counts as a wrong password. A first password that was set with a
 * session alone is accepted after 24 hours, or at once if `isUnprovenAccepted`.
 * @throws Refusal `no-password`, `fresh-factor-required`, `wrong-password`, `rate-limited` after 10 failures in
 * 15 minutes
 */
export async function withOwnPassword<T>(
  { database, limits }: Pick<Platform, 'database' | 'limits'>,
  memberId: number,
  password: string,
  act: (checkedHash: string) => Promise<T | undefined>,
  { isUnprovenAccepted = false }: { isUnprovenAccepted?: boolean } = {},
): Promise<T> {
  const requireProof = (own: OwnCredentials | undefined) => {
    if (own?.isProven === false && !isUnprovenAccepted) throw unproven();
  };
  const own = await findOwnCredentials(database, memberId);
  if (own === undefined) throw refuse('unauthenticated');
  if (own.passwordHash === null) throw refuse('no-password');
  requireProof(own);
  const done = await limits.attempt({ limit: ownPasswordChecks, key: memberKey(memberId) }, [], async () => {
    // Read again in its turn, because an earlier call may have changed the password.
    const current = await findOwnCredentials(database, memberId);
    requireProof(current);
    if (!(await isPassword(current?.passwordHash, password))) return undefined;
    return act(current?.passwordHash as string);
  });
  if (done === undefined) throw refuse('wrong-password');
  return done;
}

const unproven = () =>
  refuse(
    'fresh-factor-required',
    'The password was set less than 24 hours ago by a session alone. Wait, or choose one by mail.',
  );

/**
 * Changes the password, ends all other sessions and adds a notice. Only one of several concurrent changes
 * succeeds.
 * @throws Refusal `no-password`, `wrong-password`, `common-password`, `rate-limited`
 */
export async function changePassword(
  platform: Pick<Platform, 'database' | 'limits' | 'bus' | 'log'>,
  caller: { id: number; sessionId: string },
  given: { currentPassword: string; newPassword: string },
): Promise<void> {
  const change = async (checkedHash: string) => {
    await refuseCommonPassword(given.newPassword);
    const newHash = await hashPassword(given.newPassword);
    return platform.database.transaction(async (tx) => {
      const replaced = await replacePassword(tx, caller.id, checkedHash, newHash);
      if (replaced === undefined) return undefined;
      await deleteOtherSessions(tx, caller.id, caller.sessionId);
      await addSecurityNotice(tx, caller.id, 'password');
      return replaced;
    });
  };
  // The changed password stays as unproven as the first one, so a change gains nothing.
  await withOwnPassword(platform, caller.id, given.currentPassword, change, { isUnprovenAccepted: true });
  platform.bus.announceSessionChange({ memberId: caller.id });
  await announceNotices(platform, caller.id);
}

/** Reads whether the account has a password. An account made with Google may have none. */
export const readPasswordState = async (reader: Reader, memberId: number): Promise<{ isSet: boolean }> => ({
  isSet: typeof (await findOwnCredentials(reader, memberId))?.passwordHash === 'string',
});
