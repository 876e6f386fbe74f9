import type { User } from '#contract/user.ts';
import type { Database, Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import {
  findCredentials,
  findMember,
  grantRole,
  hasOperator,
  type Referral,
  readRole,
  registerMember,
  setPasswordHash,
  userOf,
  withFreshDraw,
} from '../members/members.ts';
import { accountKey } from './account-key.ts';
import { failedSignIns } from './limits.ts';
import { hashPassword, isPassword } from './passwords.ts';
import { deleteSessionsOf, deleteWaysIn, forget } from './queries.ts';
import { openSession } from './sessions.ts';

/**
 * Access: whether somebody is who they say, and what lets them in. It owns sessions, devices, phone verifications,
 * identities at other sign-ins, mailed tokens, reviews of registrations and reports of behaviour. Registering is in
 * `registration.ts`, sessions in `sessions.ts`, Google in `google.ts` and `google-accounts.ts`, passwords in
 * `own-password.ts` and `password-reset.ts`, the phone in `phone.ts`, the operator's gate in `gate.ts`.
 *
 * Of a password, a token or a code only a hash is stored, and each way in is limited before it is tried. The member's
 * row is members': access reads and changes it through the front door of members. What speaks against somebody is
 * decided by risk.
 */

/**
 * Signs in with e-mail and password. Unknown addresses and wrong passwords answer alike in words and time.
 * @throws Refusal `invalid-credentials`, `rate-limited` after 10 failures in 15 minutes
 */
export async function signIn(
  platform: Platform,
  given: { email: string; password: string },
  from: { address: string; userAgent: string },
): Promise<{ user: User; token: string }> {
  const { database, limits } = platform;
  const account = accountKey(given.email);
  const credentials = await limits.attempt(failedSignIns, account, async () => {
    const found = await findCredentials(database, given.email);
    return (await isPassword(found?.passwordHash, given.password)) ? found : undefined;
  });
  if (credentials === undefined) {
    platform.log.info({ account, address: from.address }, 'sign-in failed');
    throw refuse('invalid-credentials');
  }
  return database.transaction(async (tx) => {
    const { id, passwordHash } = credentials;
    const token = await openSession(tx, id, from.userAgent, from.address, passwordHash);
    const row = await findMember(tx, id);
    if (row === undefined) throw refuse('invalid-credentials');
    return { user: userOf(row), token };
  });
}

/**
 * Makes an account, or gives an existing one this password and role; a new password ends its sessions. For the first
 * operator, the command line and the demo world; never reachable over HTTP.
 */
export async function ensureAccount(
  database: Database,
  account: {
    email: string;
    /** Null makes an account that nobody can sign in to with a password. */
    password: string | null;
    firstName: string;
    lastName: string | null;
    role: 'user' | 'admin';
    /** Who referred a new member, where somebody did. */
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
          // Whoever is signed in knew another password, and may be somebody who took this address first.
          await deleteSessionsOf(tx, known.id);
        }
        await grantRole(tx, known.id, account.role);
        return { id: known.id, isNew: false };
      }
      const { password: _, ...person } = account;
      const row = await registerMember(tx, { referral: null, ...person, passwordHash, address: null });
      if (row === undefined) throw new Error(`The account of ${account.role} could not be made`);
      return { id: row.id, isNew: true };
    }),
  );
}

/**
 * Makes the operator whom the environment names, where the site has none. Afterwards it decides nothing: a restart must
 * not bring back a password that was changed because it leaked, nor a role that was taken away.
 */
export async function ensureFirstOperator(
  database: Database,
  account: { email: string; password: string },
): Promise<void> {
  if (await hasOperator(database)) return;
  await ensureAccount(database, { ...account, firstName: 'Operator', lastName: null, role: 'admin' });
}

/** Ends every session and deletes every way in besides the password, of an account that ends. */
export async function endAccess(tx: Tx, memberId: number): Promise<void> {
  await deleteWaysIn(tx, memberId);
  await deleteSessionsOf(tx, memberId);
}

/** Deletes what names the person of an account that this transaction anonymised. */
export const forgetAccess = async (tx: Tx, memberId: number, formerEmail: string): Promise<void> => {
  await forget(tx, memberId, formerEmail);
};
