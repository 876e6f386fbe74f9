import type { User } from '#contract/user.ts';
import { memberKey } from '#platform/http/admission.ts';
import type { PhoneVerification } from '#platform/phone-verification.ts';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import { userOf } from '../members/members.ts';
import { findMember, phoneOwner, setVerifiedPhone } from '../members/sign-in-queries.ts';
import { findVerification, saveVerification, takeTry, takeVerification } from './queries.ts';

/**
 * Verifies members' phone numbers. A number belongs to one member. A code of six digits is valid for 10 minutes and 5
 * attempts; a new code voids the former one. An attempt is counted before the service is called, so that parallel
 * guesses count separately.
 */
const CODE_MINUTES = 10;
const TRIES_MAX = 5;

async function isTaken({ database }: Platform, memberId: number, phoneNumber: string): Promise<boolean> {
  const owner = await phoneOwner(database, phoneNumber);
  return owner !== undefined && owner.id !== memberId;
}

/**
 * Finds the keys that a code by text message counts by: the member and the number. Null for another member's number,
 * because calls with it must not use up that number's codes.
 */
export async function phoneCodeKeys(
  platform: Platform,
  memberId: number,
  phoneNumber: string,
): Promise<string[] | null> {
  return (await isTaken(platform, memberId, phoneNumber)) ? null : [memberKey(memberId), phoneNumber];
}

/** Sends a code. @throws Refusal `phone-taken` */
export async function sendPhoneCode(
  platform: Platform,
  service: PhoneVerification,
  memberId: number,
  phoneNumber: string,
): Promise<{ expiresAt: string }> {
  if (await isTaken(platform, memberId, phoneNumber)) throw refuse('phone-taken');
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
