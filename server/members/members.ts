import type { User } from '#contract/user.ts';
import type { Reader, Tx } from '#platform/database.ts';
import { refuse } from '#platform/refusal.ts';
import { findByIdOrEmail, findMember, readRestrictions, setRole } from './queries.ts';

/**
 * Members: the member's row, and what members do with their own account. An account has one random id, one e-mail
 * address in lower case and one role, kept here and checked on every call. A new row is drawn in `new-member.ts`,
 * settings are in `settings.ts`, the export in `export.ts`, the end of an account in `account-deletion.ts`.
 *
 * Left to others: signing in, sessions, devices and phones are access's, balances are the ledger's. Access is built on
 * members and members import nothing of it; what an account needs of access is passed in by `app.ts`.
 */
export {
  type BeginReferral,
  canonicalEmail,
  type Referral,
  registerMember,
  withFreshDraw,
} from './new-member.ts';
/** What access asks of members' rows: whom an address, a number or an id belongs to, and the columns of signing in. */
export {
  clearPasswordHash,
  findCredentials,
  findLinkable,
  findMailable,
  findMailableByEmail,
  findMember,
  findOwnCredentials,
  findReferrer,
  hasOperator,
  type LinkableMember,
  lockByEmail,
  lockMailable,
  type MemberRow,
  phoneOwner,
  readRole,
  recordSignIn,
  replacePassword,
  setEmailVerified,
  setFirstPasswordHash,
  setPasswordHash,
  setVerifiedPhone,
} from './queries.ts';
export { brandOf, siteConfigOf } from './site-config.ts';
export { userOf } from './user.ts';

/** @throws Refusal `account-suspended`, `earnings-suspended` */
export async function requireMayEarn(reader: Reader, memberId: number): Promise<void> {
  const restrictions = await readRestrictions(reader, memberId);
  if (restrictions.isAccountSuspended) throw refuse('account-suspended');
  if (restrictions.areEarningsBlocked) throw refuse('earnings-suspended');
}

/** @throws Refusal `account-suspended`, `withdrawals-suspended` */
export async function requireMayWithdraw(reader: Reader, memberId: number): Promise<void> {
  const restrictions = await readRestrictions(reader, memberId);
  if (restrictions.isAccountSuspended) throw refuse('account-suspended');
  if (restrictions.areWithdrawalsBlocked) throw refuse('withdrawals-suspended');
}

/** Whether a member has proven a phone number, which withdrawing needs. */
export const hasVerifiedPhone = async (reader: Reader, memberId: number): Promise<boolean> =>
  (await findMember(reader, memberId))?.phoneVerifiedAt instanceof Date;

/** An account by its id or e-mail address, for the command line. */
export const findAccount = (
  reader: Reader,
  who: string,
): Promise<{ id: number; email: string } | undefined> => findByIdOrEmail(reader, who.trim().toLowerCase());

export const grantRole = (tx: Tx, memberId: number, role: User['role']): Promise<unknown> =>
  setRole(tx, memberId, role);
