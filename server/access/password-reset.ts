import type { Config } from '#platform/config.ts';
import type { Database } from '#platform/database.ts';
import { enqueue } from '#platform/jobs.ts';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import {
  findMailableByEmail,
  findOwnCredentials,
  lockMailable,
  setEmailVerified,
  setFirstPasswordHash,
  setPasswordHash,
} from '../members/members.ts';
import { accountKey } from './account-key.ts';
import { failedSignIns } from './limits.ts';
import { issueMailToken, redeemMailToken, requireMailToken } from './mail-tokens.ts';
import { accessMail, postMail } from './mails.ts';
import { hashPassword, refuseCommonPassword } from './passwords.ts';
import { deleteMailTokens, deleteSessionsOf, hasSession } from './queries.ts';

/**
 * Passwords chosen by somebody who does not know the old one, or had none. Asking for a link does the same work
 * whether or not the address has an account: the request writes down that somebody asked, and a job finds out
 * whether there is anybody to write to. So neither the answer nor its time tells.
 */
export const RESET_JOB = 'access.forgot-password';

/** Writes down that somebody asked, alike for every address. */
export async function askForReset({ database }: Platform, email: string): Promise<void> {
  await database.transaction((tx) => enqueue(tx, RESET_JOB, { email }));
}

/** Sends the link to whoever has an account; what the job does with what was written down. */
export async function sendResetLink(
  { database, config }: { database: Database; config: Pick<Config, 'publicUrl'> },
  { email }: { email: string },
): Promise<void> {
  await database.transaction(async (tx) => {
    const member = await findMailableByEmail(tx, email);
    if (member === undefined) return;
    const token = await issueMailToken(tx, member.id, 'reset-password');
    await postMail(tx, accessMail(config, member, 'reset', token));
  });
}

/**
 * Chooses a new password with the token of a mail. Whoever was signed in is not any more, other links are void, and the
 * address counts as proven.
 * @throws Refusal `common-password`, `wrong-code`, `code-expired`
 */
export async function resetPassword(
  platform: Platform,
  given: { token: string; newPassword: string },
): Promise<void> {
  const { config, database } = platform;
  await requireMailToken(database, given.token, 'reset-password');
  await refuseCommonPassword(given.newPassword);
  const passwordHash = await hashPassword(given.newPassword);
  const member = await database.transaction(async (tx) => {
    const memberId = await redeemMailToken(tx, given.token, 'reset-password');
    const found = await lockMailable(tx, memberId);
    if (found === undefined) throw refuse('wrong-code', 'This account was deleted.');
    await setPasswordHash(tx, memberId, passwordHash);
    await setEmailVerified(tx, memberId);
    await deleteSessionsOf(tx, memberId);
    await deleteMailTokens(tx, memberId);
    await postMail(tx, accessMail(config, found, 'password-chosen'));
    return found;
  });
  platform.bus.endSessions({ memberId: member.id });
  await platform.limits.forgive(failedSignIns, accountKey(member.email));
}

/**
 * Sets the first password of an account, by a session that still stands then: where an account has just lost the
 * password and the sessions of somebody who was not its owner, they must not set one after that.
 * @throws Refusal `common-password`, `has-password`, `unauthenticated`
 */
export async function setFirstPassword(
  { config, database }: Platform,
  caller: { id: number; sessionId: string },
  newPassword: string,
): Promise<void> {
  await refuseCommonPassword(newPassword);
  const own = await findOwnCredentials(database, caller.id);
  if (own === undefined || own.passwordHash !== null) throw refuse('has-password');
  const passwordHash = await hashPassword(newPassword);
  await database.transaction(async (tx) => {
    if ((await lockMailable(tx, caller.id)) === undefined) throw refuse('unauthenticated');
    // A statement of its own, because it must see what the lock waited for.
    if (!(await hasSession(tx, caller))) throw refuse('unauthenticated');
    const member = await setFirstPasswordHash(tx, caller.id, passwordHash);
    if (member === undefined) throw refuse('has-password');
    await postMail(tx, accessMail(config, member, 'password-chosen'));
  });
}
