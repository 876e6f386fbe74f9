import type { User } from '#contract/user.ts';
import { recordActs } from '#platform/audit-trail.ts';
import type { Database, Tx } from '#platform/database.ts';
import { grantRole, type Referral, registerMember, withFreshDraw } from '../members/members.ts';
import { findCredentials, hasOperator, readRole, setPasswordHash } from '../members/sign-in-queries.ts';
import { hashPassword, isPassword } from './passwords.ts';
import {
  deleteIdentitiesAndTokens,
  deleteLiveSessions,
  deleteSessionsOf,
  forget,
  readNewestSessionTime,
} from './queries.ts';

/**
 * Access: authentication. It owns sessions, devices, phone verifications, identities of external providers, mailed
 * tokens, reviews of registrations and reports of behaviour. Registering is in `registration.ts`, signing in in
 * `sign-in.ts`, sessions in `sessions.ts`, Google in `google.ts` and `google-accounts.ts`, passwords in
 * `own-password.ts` and `password-reset.ts`, the phone in `phone.ts`, the operators' gate in `gate.ts`.
 *
 * Invariants: of passwords and tokens only hashes are stored; every way to sign in is limited before it is tried. The
 * members' rows belong to members; access reads and changes them through `members.ts` and `sign-in-queries.ts`.
 */

/**
 * Makes an account, or sets the password and role of an existing one. A changed password ends its sessions. For the
 * first operator and the demo world; never called over HTTP.
 */
export async function ensureAccount(
  database: Database,
  account: {
    email: string;
    /** Null makes an account without a password. */
    password: string | null;
    firstName: string;
    lastName: string | null;
    role: 'user' | 'admin';
    /** Whether a new member's address counts as confirmed. An operator's does, because the site's owner named it. */
    isEmailVerified?: boolean;
    /** The referrer of a new member, if there is one. */
    referral?: Referral;
  },
): Promise<{ id: number; isNew: boolean }> {
  const stored = await findCredentials(database, account.email);
  const isSame =
    account.password === null ||
    (stored !== undefined && (await isPassword(stored.passwordHash, account.password)));
  const passwordHash = isSame || account.password === null ? null : await hashPassword(account.password);
  return withFreshDraw(() =>
    database.transaction(async (tx) => {
      const known = await readRole(tx, account.email);
      if (known !== undefined) {
        if (passwordHash !== null) {
          await setPasswordHash(tx, known.id, passwordHash);
          // The sessions were opened with another password, perhaps by a person who registered this address first.
          await deleteSessionsOf(tx, known.id);
        }
        await grantRole(tx, known.id, account.role);
        if (account.role !== known.role) await recordAppointment(tx, known.id, account.role);
        return { id: known.id, isNew: false };
      }
      const { password: _, ...person } = account;
      const isEmailVerified = person.isEmailVerified ?? person.role === 'admin';
      const newMember = { referral: null, ...person, isEmailVerified, passwordHash, address: null };
      const row = await registerMember(tx, newMember);
      if (row === undefined) throw new Error(`The account of ${account.role} could not be made`);
      await recordAppointment(tx, row.id, account.role);
      return { id: row.id, isNew: true };
    }),
  );
}

/** Adds it to the audit trail that the site itself made a member an operator. */
async function recordAppointment(tx: Tx, memberId: number, role: User['role']): Promise<void> {
  if (role !== 'admin') return;
  await recordActs(tx, [
    { actor: 'site', act: 'operator.appoint', target: { kind: 'member', id: memberId }, after: { role } },
  ]);
}

/**
 * Makes the operator from the environment if the site has none. Later starts change nothing, so that a restart does not
 * restore a leaked password or a revoked role.
 */
export async function ensureFirstOperator(
  database: Database,
  account: { email: string; password: string },
): Promise<void> {
  if (await hasOperator(database)) return;
  await ensureAccount(database, { ...account, firstName: 'Operator', lastName: null, role: 'admin' });
}

/** Ends all sessions of an account and deletes its linked identities and mailed tokens. */
export async function endAccess(tx: Tx, memberId: number): Promise<void> {
  await deleteIdentitiesAndTokens(tx, memberId);
  await deleteSessionsOf(tx, memberId);
}

/** Ends all sessions of an account, and returns how many. After the commit the caller announces it on the bus. */
export const endSessions = async (tx: Tx, memberId: number): Promise<number> =>
  (await deleteSessionsOf(tx, memberId)).length;

/**
 * Ends the sessions of all members and operators, because a restored copy may have some that were ended since. Returns
 * how many. A node may know a session for a second more.
 * @param until the newest time of the copy, as text: later sessions stay. Null if none is later
 */
export const endAllSessions = (tx: Tx, until: string | null = null): Promise<bigint> =>
  deleteLiveSessions(tx, until);

/** When the newest session began, as text; null if there is none. */
export const findNewestSessionTime = (tx: Tx): Promise<string | null> => readNewestSessionTime(tx);

/** Deletes access's personal data of an account that this transaction is about to anonymise. */
export const forgetAccess = async (tx: Tx, memberId: number): Promise<void> => {
  await forget(tx, memberId);
};
