import type { User } from '#contract/user.ts';
import type { Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import { userOf } from '../members/members.ts';
import { findCredentials, findMember, noteNewDevice, replacePassword } from '../members/sign-in-queries.ts';
import { addNotice, announceNotices } from '../notices/notices.ts';
import { accountKey } from './account-key.ts';
import { checkCaptcha } from './captcha.ts';
import { type GateState, requireGate } from './gate.ts';
import {
  failedSignIns,
  failedSignInsOfAccount,
  failedSignInsOfDevice,
  failedSignInsOfSource,
} from './limits.ts';
import { checkPassword, hashPassword } from './passwords.ts';
import { withSecurityTimeKept } from './security-time.ts';
import { keptUserAgent, openSession } from './sessions.ts';

/**
 * Signing in with e-mail and password. Guesses are limited per account and address, and per address over all accounts.
 * An account that is guessed at from many addresses asks for a captcha; it is never locked. A browser that has signed
 * in to the account before counts alone, so that nobody can lock its owner out. The member gets a notice of a sign-in
 * with another browser, except of the account's first one.
 */
export type SignInFrom = {
  address: string;
  userAgent: string;
  gate: GateState;
  /** Finds the id of this browser if it has signed in to the account before. */
  findKnownDevice: (account: { id: number; passwordHash: string | null }) => string | undefined;
};

type Given = { email: string; password: string; hcaptchaToken?: string | undefined };

/**
 * Signs in. Unknown addresses and wrong passwords get the same answer in the same time.
 * @throws Refusal `invalid-credentials`; `reset-required` with the right password of an account that its member said is
 * used by somebody else; `rate-limited` after 10 failures in 15 minutes; `captcha-required` and
 * `captcha-failed` after 50 from all addresses; `wrong-key` for an operator's account before the gate
 */
export async function signIn(
  platform: Platform,
  given: Given,
  from: SignInFrom,
): Promise<{ user: User; token: string }> {
  const { database, limits } = platform;
  const account = accountKey(given.email);
  const found = await findCredentials(database, given.email);
  const device = found === undefined ? undefined : from.findKnownDevice(found);
  const { address } = from;
  const attempt =
    device === undefined
      ? limits.attempt(
          { limit: failedSignIns, key: { account, address } },
          [{ limit: failedSignInsOfSource, key: address }],
          () => tryUnknown(platform, given, found, from),
        )
      : limits.attempt({ limit: failedSignInsOfDevice, key: `${account} ${device}` }, [], () =>
          tryPassword(given, found, from),
        );
  const credentials = await attempt;
  if (credentials === undefined) {
    platform.log.info({ account, address }, 'sign-in failed');
    throw refuse('invalid-credentials');
  }
  const { id, passwordHash, hasSignedIn } = credentials;
  const newHash = credentials.isHashedAsTyped ? await hashPassword(given.password) : undefined;
  const isNewDevice = device === undefined && hasSignedIn;
  const signedIn = await database.transaction(async (tx) => {
    const token = await openSession(tx, id, from.userAgent, address, passwordHash, from.gate.isPassed);
    if (newHash !== undefined && passwordHash !== null)
      await withSecurityTimeKept(tx, id, () => replacePassword(tx, id, passwordHash, newHash));
    const row = await findMember(tx, id);
    if (row === undefined) throw refuse('invalid-credentials');
    if (isNewDevice) await addSignInNotice(tx, id, from);
    return { user: userOf(row), token };
  });
  if (isNewDevice) await announceNotices(platform, id);
  return signedIn;
}

/** Notes a sign-in with a browser that had not signed in to the account before, and adds its notice. */
export async function addSignInNotice(
  tx: Tx,
  memberId: number,
  { userAgent, address }: Pick<SignInFrom, 'userAgent' | 'address'>,
): Promise<void> {
  await noteNewDevice(tx, memberId);
  await addNotice(tx, memberId, 'sign-in', {
    userAgent: keptUserAgent(userAgent),
    address,
  });
}

type Found = Awaited<ReturnType<typeof findCredentials>>;
type Tried = (NonNullable<Found> & { isHashedAsTyped: boolean }) | undefined;

/** Tries the password; an operator's account needs the gate too. Undefined if the password is wrong. */
async function tryPassword(given: Given, found: Found, { gate }: SignInFrom): Promise<Tried> {
  const checked = await checkPassword(found?.passwordHash, given.password);
  if (found === undefined || checked === 'wrong') return undefined;
  if (found.role === 'admin') requireGate(gate);
  if (found.awaitsReset) throw refuse('reset-required');
  return { ...found, isHashedAsTyped: checked === 'as-typed' };
}

/** Tries the password from a browser that is not known; after many failures of the account only with a captcha. */
async function tryUnknown(platform: Platform, given: Given, found: Found, from: SignInFrom): Promise<Tried> {
  const { limits } = platform;
  const account = accountKey(given.email);
  if (!(await limits.isWithin(failedSignInsOfAccount, account))) {
    if (given.hcaptchaToken === undefined) throw refuse('captcha-required');
    await checkCaptcha(platform, given.hcaptchaToken, from.address);
  }
  const credentials = await tryPassword(given, found, from);
  if (credentials !== undefined) await limits.giveBack(failedSignInsOfAccount, account);
  return credentials;
}
