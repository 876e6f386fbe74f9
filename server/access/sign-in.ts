import type { User } from '#contract/user.ts';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import { userOf } from '../members/members.ts';
import { findCredentials, findMember } from '../members/sign-in-queries.ts';
import { accountKey } from './account-key.ts';
import { checkCaptcha } from './captcha.ts';
import { type GateState, requireGate } from './gate.ts';
import {
  failedSignIns,
  failedSignInsOfAccount,
  failedSignInsOfDevice,
  failedSignInsOfSource,
} from './limits.ts';
import { isPassword } from './passwords.ts';
import { openSession } from './sessions.ts';

/**
 * Signing in with e-mail and password. Guesses are limited per account and address, and per address over all accounts.
 * An account that is guessed at from many addresses asks for a captcha; it is never locked. A browser that has signed
 * in to the account before counts alone, so that nobody can lock its owner out.
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
 * @throws Refusal `invalid-credentials`; `rate-limited` after 10 failures in 15 minutes; `captcha-required` and
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
  return database.transaction(async (tx) => {
    const { id, passwordHash } = credentials;
    const token = await openSession(tx, id, from.userAgent, address, passwordHash, from.gate.isPassed);
    const row = await findMember(tx, id);
    if (row === undefined) throw refuse('invalid-credentials');
    return { user: userOf(row), token };
  });
}

type Found = Awaited<ReturnType<typeof findCredentials>>;

/** Tries the password; an operator's account needs the gate too. Undefined if the password is wrong. */
async function tryPassword(given: Given, found: Found, { gate }: SignInFrom): Promise<Found> {
  if (!(await isPassword(found?.passwordHash, given.password))) return undefined;
  if (found?.role === 'admin') requireGate(gate);
  return found;
}

/** Tries the password from a browser that is not known; after many failures of the account only with a captcha. */
async function tryUnknown(
  { config, limits }: Platform,
  given: Given,
  found: Found,
  from: SignInFrom,
): Promise<Found> {
  const account = accountKey(given.email);
  if (!(await limits.isWithin(failedSignInsOfAccount, account))) {
    if (given.hcaptchaToken === undefined) throw refuse('captcha-required');
    await checkCaptcha(config.hcaptcha, given.hcaptchaToken, from.address);
  }
  const credentials = await tryPassword(given, found, from);
  if (credentials !== undefined) await limits.giveBack(failedSignInsOfAccount, account);
  return credentials;
}
