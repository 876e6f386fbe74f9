import type { Config } from '#platform/config.ts';
import type { Database } from '#platform/database.ts';
import { enqueue } from '#platform/jobs.ts';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import { endBlockAfterReset } from '../members/members.ts';
import {
  findMailableByEmail,
  findOwnCredentials,
  lockMailable,
  resetPasswordHash,
  setEmailVerified,
  setFirstPasswordHash,
} from '../members/sign-in-queries.ts';
import { addSecurityNotice, announceNotices, endDenials } from '../notices/notices.ts';
import { accountKey } from './account-key.ts';
import { unlinkIdentities } from './identity-queries.ts';
import { failedSignIns, failedSignInsOfAccount } from './limits.ts';
import { issueMailToken, redeemMailToken, requireMailToken } from './mail-tokens.ts';
import { accessMail, readSender } from './mails.ts';
import { hashPassword, refuseCommonPassword } from './passwords.ts';
import { postMail } from './posted-mails.ts';
import { deleteMailTokens, deleteSessionsOf, hasSession } from './queries.ts';

/**
 * Passwords chosen without the old one: by a mailed link, or as the first password of an account. A request for a link
 * does the same work for every address: it enqueues a job, and the job looks for an account. Neither the answer nor its
 * time reveals whether the address has an account.
 */
export const RESET_JOB = 'access.forgot-password';

/** Enqueues a request for a link, for any address. */
export async function askForReset({ database }: Platform, email: string): Promise<void> {
  await database.transaction((tx) => enqueue(tx, RESET_JOB, { email }));
}

/** Sends the link if the address has an account. Run by the job. */
export async function sendResetLink(
  { database, config }: { database: Database; config: Pick<Config, 'publicUrl' | 'mode'> },
  { email }: { email: string },
): Promise<void> {
  await database.transaction(async (tx) => {
    const member = await findMailableByEmail(tx, email);
    if (member === undefined) return;
    const token = await issueMailToken(tx, member.id, 'reset-password');
    const mail = accessMail(await readSender(tx, config), member, 'reset', token);
    await postMail(tx, mail, { token, purpose: 'reset-password' });
  });
}

/**
 * Sets a new password with the token of a mail. It ends all sessions, voids other links, unlinks Google and marks the
 * address as verified. Of the ways to a new password, it alone ends what a denial began (see `denial.ts`), and the
 * links "this was not me" of the mails until then.
 * @param address of the caller, whose failed sign-ins to this account are forgotten
 * @throws Refusal `common-password`, `wrong-code`, `code-expired`
 */
export async function resetPassword(
  platform: Platform,
  given: { token: string; newPassword: string },
  address: string,
): Promise<void> {
  const { database } = platform;
  await requireMailToken(database, given.token, 'reset-password');
  await refuseCommonPassword(given.newPassword);
  const passwordHash = await hashPassword(given.newPassword);
  const member = await database.transaction(async (tx) => {
    const memberId = await redeemMailToken(tx, given.token, 'reset-password');
    const found = await lockMailable(tx, memberId);
    if (found === undefined) throw refuse('wrong-code', 'This account was deleted.');
    await resetPasswordHash(tx, memberId, passwordHash);
    await setEmailVerified(tx, memberId);
    await deleteSessionsOf(tx, memberId);
    await deleteMailTokens(tx, memberId);
    await endBlockAfterReset(tx, memberId);
    // The links of older mails would lock the account again.
    if (found.awaitsReset) await endDenials(tx, memberId);
    const unlinked = await unlinkIdentities(tx, memberId);
    await addSecurityNotice(tx, memberId, unlinked.length > 0 ? 'password-google-unlinked' : 'password');
    return found;
  });
  platform.bus.announceSessionChange({ memberId: member.id });
  await announceNotices(platform, member.id);
  const account = accountKey(member.email);
  await platform.limits.forgive(failedSignIns, { account, address });
  await platform.limits.forgive(failedSignInsOfAccount, account);
}

/**
 * Sets the first password of an account. For 24 hours it proves no more than the session that set it. The session is
 * checked again under the row's lock: a sign-in with Google may just have ended the sessions of a person who does not
 * own the address, and they must not set a password after that.
 * @throws Refusal `common-password`, `has-password`, `unauthenticated`
 */
export async function setFirstPassword(
  platform: Platform,
  caller: { id: number; sessionId: string },
  newPassword: string,
): Promise<void> {
  const { database } = platform;
  await refuseCommonPassword(newPassword);
  const own = await findOwnCredentials(database, caller.id);
  if (own === undefined || own.passwordHash !== null) throw refuse('has-password');
  const passwordHash = await hashPassword(newPassword);
  await database.transaction(async (tx) => {
    if ((await lockMailable(tx, caller.id)) === undefined) throw refuse('unauthenticated');
    // A separate statement, so that its snapshot includes the transaction that held the lock.
    if (!(await hasSession(tx, caller))) throw refuse('unauthenticated');
    const member = await setFirstPasswordHash(tx, caller.id, passwordHash);
    if (member === undefined) throw refuse('has-password');
    await addSecurityNotice(tx, caller.id, 'password');
  });
  await announceNotices(platform, caller.id);
}
