import { storedEmail } from '#contract/email-text.ts';
import type { User } from '#contract/user.ts';
import { recordActs } from '#platform/audit-trail.ts';
import type { Reader, Tx } from '#platform/database.ts';
import type { SearchTerms } from '#platform/http/operator-list.ts';
import { searchedPhoneNumber } from '#platform/phone-number.ts';
import { refuse } from '#platform/refusal.ts';
import { lockWallets } from '../ledger/ledger.ts';
import {
  findByIdOrEmail,
  findByTerms,
  findNamed,
  insertBlockUntilReset,
  readRefusals,
  readWithdrawalStop,
  type SearchedMember,
  saveNews,
  setBlockEnd,
  setRole,
  type WithdrawalStop,
} from './queries.ts';
import { findMailable, findMember } from './sign-in-queries.ts';

/**
 * Members: the members' rows, and what members do with their own account. An account has one random id, one e-mail
 * address in lower case and one role, which is checked on every call. `new-member.ts` makes a row; settings are in
 * `settings.ts`, the export in `export.ts`, deletion in `account-deletion.ts`.
 *
 * Other features: access does signing in, sessions, devices and phones, and alone imports the statements that change
 * the columns of signing in, `sign-in-queries.ts`; the ledger keeps balances. Access imports members and not the
 * reverse; `app.ts` passes in the functions of access that members needs.
 */
export {
  type BeginReferral,
  canonicalEmail,
  type Referral,
  registerMember,
  withFreshDraw,
} from './new-member.ts';
export { requireNotOwn } from './operators.ts';
export { brandOf, readBrand, siteConfigOf } from './site-config.ts';
export { userOf, userTextOf } from './user.ts';

const HOURS_AFTER_RESET = 24;

/** @throws Refusal `account-suspended`, `earnings-suspended` */
export async function requireMayEarn(reader: Reader, memberId: number): Promise<void> {
  const { earning } = await readRefusals(reader, memberId);
  if (earning !== null) throw refuse(earning);
}

/** @throws Refusal `account-suspended`, `withdrawals-suspended` */
export async function requireMayWithdraw(reader: Reader, memberId: number): Promise<void> {
  const { withdrawal } = await readRefusals(reader, memberId);
  if (withdrawal !== null) throw refuse(withdrawal);
}

/** Finds what stops the member's withdrawals now. Of several, the one that ends last. */
export const findWithdrawalStop = (reader: Reader, memberId: number): Promise<WithdrawalStop | undefined> =>
  readWithdrawalStop(reader, memberId);

/** Whether a member has a verified phone number, which withdrawing needs. */
export const hasVerifiedPhone = async (reader: Reader, memberId: number): Promise<boolean> =>
  (await findMember(reader, memberId))?.phoneVerifiedAt instanceof Date;

/** Finds an account by id or e-mail address, for the command line. */
export const findAccount = (
  reader: Reader,
  who: string,
): Promise<{ id: number; email: string } | undefined> => findByIdOrEmail(reader, storedEmail(who));

/** Finds the members that have an id, e-mail address, phone number with its country, or name, for operators. */
export async function searchMembers(
  reader: Reader,
  { text, lowerCase, memberId, name }: SearchTerms,
  countMax: number,
): Promise<SearchedMember[]> {
  const phone = searchedPhoneNumber(text);
  const known = await findByTerms(reader, {
    ids: memberId === null ? [] : [memberId],
    emails: [lowerCase],
    phones: phone === undefined ? [] : [phone],
  });
  return name === null ? known : [...known, ...(await findNamed(reader, name, countMax))];
}

/** Reads the names and e-mail addresses of members, for operators. */
export const readNamesOf = (reader: Reader, ids: readonly number[]): Promise<SearchedMember[]> =>
  findByTerms(reader, { ids, emails: [], phones: [] });

/**
 * Locks the member's wallet before a block. A request and a payment look for a block with the wallet locked, so none
 * that missed it is committed later.
 */
export const lockWithdrawalsOf = (tx: Tx, memberId: number): Promise<void> => lockWallets(tx, [memberId]);

/**
 * Blocks the member's withdrawals until 24 hours after a reset of the password. The block is an act of the site, so
 * that a restored copy of the database that lacks it is seen.
 */
export async function blockUntilReset(tx: Tx, memberId: number): Promise<void> {
  const added = await insertBlockUntilReset(
    tx,
    memberId,
    'You said that an act on your account was not yours.',
  );
  if (added === undefined) return;
  const after = { suspension: String(added.id), suspensionType: 'withdrawal_blocked', endsWithReset: true };
  const reason = 'The member said that an act on the account was another person’s.';
  const target = { kind: 'member', id: memberId } as const;
  await recordActs(tx, [{ actor: 'site', act: 'member.suspend', target, reason, after }]);
}

/** Lets the block end in 24 hours, because the owner of the mailbox reset the password. */
export async function endBlockAfterReset(tx: Tx, memberId: number): Promise<void> {
  await setBlockEnd(tx, memberId, HOURS_AFTER_RESET);
}

/** Finds whom to send mail about an account, and in which language. A deleted account gets no mail. */
export const findMailReader = (
  reader: Reader,
  memberId: number,
): Promise<{ email: string; language: 'en' | 'ko' } | undefined> => findMailable(reader, memberId);

/** Switches the mails of news to a member on or off, by the link of such a mail. */
export async function setNews(reader: Reader, memberId: number, wanted: boolean): Promise<void> {
  await saveNews(reader, memberId, wanted);
}

export const grantRole = (tx: Tx, memberId: number, role: User['role']): Promise<unknown> =>
  setRole(tx, memberId, role);
