import { createHash } from 'node:crypto';
import type { SiteConfig, User } from '#contract/members.ts';
import type { Database, Reader, Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import { brandOf } from './brand.ts';
import { hashPassword, isPassword } from './passwords.ts';
import {
  deleteSessionsOf,
  findByIdOrEmail,
  findCredentials,
  findMember,
  hasOperator,
  insertMember,
  readActiveSuspensions,
  readRole,
  setPasswordHash,
  setRole,
} from './queries.ts';
import { newMember, TERMS_VERSION, withFreshDraw } from './registration.ts';
import { openSession, userOf } from './sessions.ts';

/**
 * Members: who somebody is and whether they are who they say. An account has one random id, one e-mail address
 * in lower case and one role, kept here and checked on every call. Registering is in `registration.ts`,
 * sessions in `sessions.ts`, the phone in `phone.ts`. Balances are the ledger's; what speaks against somebody
 * is decided by risk.
 */

const accountKey = (email: string): string => createHash('sha256').update(email).digest('base64url');

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
  const credentials = await limits.trySignIn(account, async () => {
    const found = await findCredentials(database, given.email);
    return (await isPassword(found?.password_hash, given.password)) ? found : undefined;
  });
  if (credentials === undefined) {
    platform.log.info({ account, address: from.address }, 'sign-in failed');
    throw refuse('invalid-credentials');
  }
  return database.transaction(async (tx) => {
    const { id, password_hash } = credentials;
    const token = await openSession(tx, id, from.userAgent, from.address, password_hash);
    const row = await findMember(tx, id);
    if (row === undefined) throw refuse('invalid-credentials');
    return { user: userOf(row), token };
  });
}

/** @throws Refusal `account-suspended`, `earnings-suspended` */
export async function requireMayEarn(reader: Reader, memberId: number): Promise<void> {
  const types = (await readActiveSuspensions(reader, memberId)).map((row) => row.suspension_type);
  if (types.includes('full_suspension')) throw refuse('account-suspended');
  if (types.includes('earnings_blocked')) throw refuse('earnings-suspended');
}

/** @throws Refusal `account-suspended`, `withdrawals-suspended` */
export async function requireMayWithdraw(reader: Reader, memberId: number): Promise<void> {
  const types = (await readActiveSuspensions(reader, memberId)).map((row) => row.suspension_type);
  if (types.includes('full_suspension')) throw refuse('account-suspended');
  if (types.includes('withdrawal_blocked')) throw refuse('withdrawals-suspended');
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
    /** Who brought a new member, where somebody did. */
    referredBy?: number;
  },
): Promise<{ id: number; isNew: boolean }> {
  const stored = await findCredentials(database, account.email);
  const isSame =
    account.password === null ||
    (stored !== undefined && (await isPassword(stored.password_hash, account.password)));
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
        await setRole(tx, known.id, account.role);
        return { id: known.id, isNew: false };
      }
      const { password: _, ...person } = account;
      const row = await insertMember(
        tx,
        newMember({ referredBy: null, ...person, passwordHash, address: null }),
      );
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

/** What the site tells everybody about itself. */
export const siteConfigOf = ({ config }: Pick<Platform, 'config'>): SiteConfig => ({
  mode: config.mode,
  brand: brandOf(config),
  hcaptchaSitekey: config.hcaptcha.sitekey,
  googleEnabled: config.google !== null,
  siteTimezone: config.siteTimezone,
  processingTime: '1–3 business days',
  pointsPerUsd: 1000,
  measurementId: config.measurementId,
  termsVersion: TERMS_VERSION,
});

/** Whether a member has proven a phone number, which withdrawing needs. */
export const hasVerifiedPhone = async (reader: Reader, memberId: number): Promise<boolean> =>
  (await findMember(reader, memberId))?.phone_verified_at instanceof Date;

/** An account by its id or e-mail address, for the command line. */
export const findAccount = (
  reader: Reader,
  who: string,
): Promise<{ id: number; email: string } | undefined> => findByIdOrEmail(reader, who.trim().toLowerCase());

export const grantRole = (tx: Tx, memberId: number, role: User['role']): Promise<unknown> =>
  setRole(tx, memberId, role);
