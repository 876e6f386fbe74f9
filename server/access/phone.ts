import type { User } from '#contract/user.ts';
import { memberKey } from '#platform/http/admission.ts';
import type { PhoneVerification } from '#platform/phone-verification.ts';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import { findMember, phoneOwner, setVerifiedPhone, userOf } from '../members/members.ts';
import { phoneCodes } from './limits.ts';
import { findVerification, saveVerification, takeTry, takeVerification } from './queries.ts';

/**
 * Verifies members' phone numbers. A number belongs to one member. A code of six digits is valid for 10 minutes and 5
 * attempts; a new code voids the former one. An attempt is counted before the service is called, so that parallel
 * guesses count separately.
 */
const CODE_MINUTES = 10;
const TRIES_MAX = 5;

async function requireFreeNumber(platform: Platform, memberId: number, phoneNumber: string): Promise<void> {
  const owner = await phoneOwner(platform.database, phoneNumber);
  if (owner !== undefined && owner.id !== memberId) throw refuse('phone-taken');
}

/**
 * Sends a code. The limit counts only calls with a number that is free: calls with another member's number must not use
 * up that number's codes.
 * @throws Refusal `phone-taken`, `rate-limited`
 */
export async function sendPhoneCode(
  platform: Platform,
  service: PhoneVerification,
  memberId: number,
  phoneNumber: string,
): Promise<{ expiresAt: string }> {
  await requireFreeNumber(platform, memberId, phoneNumber);
  for (const key of [memberKey(memberId), phoneNumber]) await platform.limits.count(phoneCodes, key);
  const earlier = await findVerification(platform.database, memberId);
  if (earlier !== undefined) await service.cancel(earlier.verificationId);
  const verificationId = await service.start(phoneNumber);
  const saved = await saveVerification(platform.database, {
    memberId,
    phoneNumber,
    verificationId,
    minutes: CODE_MINUTES,
    tries: TRIES_MAX,
  });
  return { expiresAt: saved.expiresAt.toISOString() };
}

/** Verifies the number with the code. @throws Refusal `wrong-code`, `code-expired`, `phone-taken` */
export async function verifyPhoneCode(
  platform: Platform,
  service: PhoneVerification,
  memberId: number,
  given: { phoneNumber: string; code: string },
): Promise<User> {
  const { database } = platform;
  const current = await findMember(database, memberId);
  if (current?.phoneNumber === given.phoneNumber && current.phoneVerifiedAt !== null) return userOf(current);
  const taken = await takeTry(database, memberId, given.phoneNumber);
  if (taken === undefined) throw refuse('code-expired');
  if (!(await service.check(taken.verificationId, given.code))) throw refuse('wrong-code');
  try {
    const row = await database.transaction(async (tx) => {
      const used = await takeVerification(tx, memberId, taken.verificationId);
      return used === undefined ? undefined : setVerifiedPhone(tx, memberId, used.phoneNumber);
    });
    if (row === undefined) throw refuse('code-expired');
    return userOf(row);
  } catch (error) {
    if ((error as { constraint?: string }).constraint === 'members_phone_number_key')
      throw refuse('phone-taken');
    throw error;
  }
}
