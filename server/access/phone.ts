import type { User } from '#contract/user.ts';
import { memberKey } from '#platform/http/admission.ts';
import type { PhoneVerification } from '#platform/phone-verification.ts';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import { userOf } from '../members/members.ts';
import { findMember, findOwnCredentials, phoneOwner, setVerifiedPhone } from '../members/sign-in-queries.ts';
import { addSecurityNotice, announceNotices } from '../notices/notices.ts';
import { phoneCodes, phoneCodesOfSource } from './limits.ts';
import { withOwnPassword } from './own-password.ts';
import { findFormerVerifications, saveVerification, takeTry, takeVerification } from './queries.ts';

/**
 * Verifies members' phone numbers. A number belongs to one member. A code of six digits is valid for 10 minutes and 5
 * attempts; a new code voids the former one. An attempt is counted before the service is called, so that parallel
 * guesses count separately. A verified number is replaced only with the password or a code sent to it.
 *
 * The service keeps one code with five attempts per number. A stranger who asks for a code to a member's number at the
 * same time must not void the member's code or use up its attempts: both share it, and each has two of its attempts.
 */
const CODE_MINUTES = 10;
const TRIES_MAX = 5;
/** The attempts that a member has left after those of a shared code. */
const SHARED_TRIES_MIN = 3;

type Asked = { phoneNumber: string; password?: string | undefined; oldCode?: string | undefined };

/**
 * Sends a code.
 * @throws Refusal `phone-taken`, `rate-limited`; to replace a verified number `fresh-factor-required`,
 * `wrong-password`, `no-password`, `wrong-code`, `code-expired`
 */
export async function sendPhoneCode(
  platform: Platform,
  service: PhoneVerification,
  caller: { id: number; address: string },
  asked: Asked,
): Promise<{ expiresAt: string }> {
  const { database, limits } = platform;
  const { phoneNumber } = asked;
  const current = await findMember(database, caller.id);
  const verified = current?.phoneVerifiedAt ? current.phoneNumber : null;
  if (verified !== null && verified !== phoneNumber)
    await requireFreshFactor(platform, service, caller.id, { ...asked, oldNumber: verified });
  const owner = await phoneOwner(database, phoneNumber);
  if (owner !== undefined && owner.id !== caller.id) throw refuse('phone-taken');
  await limits.count(phoneCodes, memberKey(caller.id));
  await limits.count(phoneCodesOfSource, caller.address);
  const saved = await saveVerification(database, {
    memberId: caller.id,
    phoneNumber,
    formerNumber: verified,
    verificationId: await startVerification(platform, service, caller.id, phoneNumber),
    minutes: CODE_MINUTES,
    tries: TRIES_MAX,
  });
  return { expiresAt: saved.expiresAt.toISOString() };
}

/**
 * Proves that the member asks, not only somebody with their session, who may also have set a first password with it.
 */
async function requireFreshFactor(
  platform: Platform,
  service: PhoneVerification,
  memberId: number,
  { password, oldCode, oldNumber }: Asked & { oldNumber: string },
): Promise<void> {
  const own = await findOwnCredentials(platform.database, memberId);
  if (password !== undefined && own?.isProven)
    await withOwnPassword(platform, memberId, password, async () => true);
  else if (oldCode !== undefined) await takeCode(platform, service, memberId, oldNumber, oldCode);
  else throw refuse('fresh-factor-required');
}

/**
 * Sends a code and returns its verification's id. Former ones are cancelled, so that the code is a new one, except one
 * that another member may still enter: the service then sends the same code again.
 */
async function startVerification(
  { database }: Platform,
  service: PhoneVerification,
  memberId: number,
  phoneNumber: string,
): Promise<string> {
  const asked = { memberId, phoneNumber, triesMin: SHARED_TRIES_MIN };
  for (const { verificationId, isShared } of await findFormerVerifications(database, asked))
    if (!isShared) await service.cancel(verificationId);
  return service.start(phoneNumber);
}

/** Uses the code that was sent to the member's number. @throws Refusal `wrong-code`, `code-expired` */
async function takeCode(
  { database }: Platform,
  service: PhoneVerification,
  memberId: number,
  phoneNumber: string,
  code: string,
): Promise<string> {
  const taken = await takeTry(database, memberId, phoneNumber, SHARED_TRIES_MIN);
  if (taken === undefined) throw refuse('code-expired');
  const { verificationId, triesLeft, mayAsk } = taken;
  if (!mayAsk || !(await service.check(verificationId, code)))
    throw refuse('wrong-code', undefined, { triesLeft });
  return verificationId;
}

/**
 * Verifies the number with the code.
 * @throws Refusal `wrong-code`, `code-expired`, `phone-taken`, `fresh-factor-required` if another number was verified
 * since the code was asked for
 */
export async function verifyPhoneCode(
  platform: Platform,
  service: PhoneVerification,
  memberId: number,
  given: { phoneNumber: string; code: string },
): Promise<User> {
  const { database } = platform;
  const current = await findMember(database, memberId);
  if (current?.phoneNumber === given.phoneNumber && current.phoneVerifiedAt !== null) return userOf(current);
  const verificationId = await takeCode(platform, service, memberId, given.phoneNumber, given.code);
  try {
    const row = await database.transaction(async (tx) => {
      const used = await takeVerification(tx, memberId, verificationId);
      if (used === undefined) return undefined;
      const changed = await setVerifiedPhone(tx, memberId, used);
      if (changed === undefined) return 'another number';
      await addSecurityNotice(tx, memberId, used.formerNumber === null ? 'first-phone' : 'phone');
      return changed;
    });
    if (row === undefined) throw refuse('code-expired');
    // One was verified since the code was asked for. The code is used up, so its row is gone before the refusal.
    if (row === 'another number') throw refuse('fresh-factor-required');
    await announceNotices(platform, memberId);
    return userOf(row);
  } catch (error) {
    if ((error as { constraint?: string }).constraint === 'members_phone_number_key')
      throw refuse('phone-taken');
    throw error;
  }
}
