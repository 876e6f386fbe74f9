import { PHONE_FORMAT } from '#contract/access.ts';
import type { User } from '#contract/user.ts';
import { memberKey } from '#platform/http/admission.ts';
import { InvalidRequest } from '#platform/http/problem.ts';
import { readPhoneNumber } from '#platform/phone-number.ts';
import type { PhoneVerification } from '#platform/phone-verification.ts';
import type { Platform } from '#platform/platform.ts';
import { Refusal, refuse } from '#platform/refusal.ts';
import { userOf } from '../members/members.ts';
import { findMember, findOwnCredentials, phoneOwner, setVerifiedPhone } from '../members/sign-in-queries.ts';
import { addSecurityNotice, announceNotices } from '../notices/notices.ts';
import { phoneCodes, phoneCodesOfNumber, phoneCodesOfSource } from './limits.ts';
import { withOwnPassword } from './own-password.ts';
import {
  type Ask,
  type CodeRow,
  countCheck,
  countTry,
  endOtherCodes,
  endUnsentCode,
  lockCodes,
  readCodes,
  saveNewCode,
  saveSharedCode,
  saveVerificationId,
  takeVerification,
} from './phone-queries.ts';
import { decideCode, mayCheck, TRIES_MAX } from './phone-sharing.ts';

/**
 * Verifies members' phone numbers. A number belongs to one member. A code of six digits is valid for 10 minutes and 5
 * attempts; a new code voids the former one. An attempt is counted before the service is called, so that parallel
 * guesses count separately. A verified number is replaced only with the password or a code sent to it.
 *
 * The service keeps one code per number. `phone-sharing.ts` decides who shares it and when another takes its place.
 */
const CODE_MINUTES = 10;
/** The codes that a member gets within an hour to a number to which many were sent. */
const UNCROWDED_ASKS = 2;
const CROWDED_WAIT_S = 600;

/**
 * Reads a number, so that it has one text whatever its caller wrote. A member's own is taken as it is stored: one of a
 * former release may be none by the rules of today, and its member must be able to change it.
 * @throws InvalidRequest if it is no number of its country
 */
function readNumber(given: string, own: string | null): string {
  if (given === own) return own;
  const phoneNumber = readPhoneNumber(given);
  if (phoneNumber === undefined) throw new InvalidRequest([{ path: 'phoneNumber', message: PHONE_FORMAT }]);
  return phoneNumber;
}

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
  const current = await findMember(database, caller.id);
  const verified = current?.phoneVerifiedAt ? current.phoneNumber : null;
  const phoneNumber = readNumber(asked.phoneNumber, verified);
  if (verified !== null && verified !== phoneNumber)
    await requireFreshFactor(platform, service, caller.id, { ...asked, oldNumber: verified });
  const owner = await phoneOwner(database, phoneNumber);
  if (owner !== undefined && owner.id !== caller.id) throw refuse('phone-taken');
  if (current === undefined) throw refuse('unauthenticated');
  await limits.count(phoneCodes, memberKey(caller.id));
  await limits.count(phoneCodesOfSource, caller.address);
  const isCrowded = !(await limits.isWithin(phoneCodesOfNumber, phoneNumber));
  const ask = {
    memberId: caller.id,
    phoneNumber,
    formerNumber: verified,
    minutes: CODE_MINUTES,
    tries: TRIES_MAX,
  };
  const saved = await startCode(platform, service, ask, { memberSince: current.createdAt, isCrowded });
  if ('waitS' in saved) {
    await limits.giveBack(phoneCodes, memberKey(caller.id));
    await limits.giveBack(phoneCodesOfSource, caller.address);
    const text = 'Codes were sent to this number just now. Try again later.';
    throw new Refusal('rate-limited', text, {}, saved.waitS);
  }
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
 * Sends a code. The member's code is saved first, in turn with others who ask for one to this number, so that no two
 * count on the same check. Former codes are cancelled, so that the code is a new one, except one that is shared: the
 * service then sends the same code again.
 * @returns how long to wait, if other members may be entering a code to this number
 */
async function startCode(
  { database }: Platform,
  service: PhoneVerification,
  ask: Ask,
  { memberSince, isCrowded }: { memberSince: Date; isCrowded: boolean },
): Promise<{ expiresAt: Date } | { waitS: number }> {
  const { memberId, phoneNumber } = ask;
  const saved = await database.transaction(async (tx) => {
    await lockCodes(tx, phoneNumber);
    const rows = await readCodes(tx, memberId, phoneNumber);
    const former = rows.find((row) => row.memberId === memberId);
    const own = former?.isLive && former.phoneNumber === phoneNumber ? former : undefined;
    const others = rows.filter((row) => row.memberId !== memberId && row.isLive);
    const asksCount = former?.asksCount ?? 0;
    const decision = decideCode({ memberSince, asksCount }, own, others);
    if (isCrowded && asksCount >= UNCROWDED_ASKS) return { waitS: CROWDED_WAIT_S };
    if (decision.kind === 'wait') return { waitS: decision.seconds };
    const isNew = decision.kind === 'new';
    const isEnded = (row: CodeRow) => (row.phoneNumber === phoneNumber ? isNew : !row.isShared);
    const ended = new Set(rows.filter(isEnded).flatMap(({ verificationId }) => verificationId ?? []));
    if (isNew) await endOtherCodes(tx, ask);
    return { ...(await (isNew ? saveNewCode : saveSharedCode)(tx, ask)), ended: [...ended] };
  });
  if ('waitS' in saved) return saved;
  try {
    for (const verificationId of saved.ended) await service.cancel(verificationId);
    await saveVerificationId(database, saved.codeId, await service.start(phoneNumber));
  } catch (error) {
    await endUnsentCode(database, saved.codeId);
    throw error;
  }
  return saved;
}

/** Uses the code that was sent to the member's number. @throws Refusal `wrong-code`, `code-expired` */
async function takeCode(
  { database }: Platform,
  service: PhoneVerification,
  memberId: number,
  phoneNumber: string,
  code: string,
): Promise<string> {
  const taken = await database.transaction(async (tx) => {
    await lockCodes(tx, phoneNumber);
    const rows = (await readCodes(tx, memberId, phoneNumber)).filter((row) => row.isLive);
    const own = rows.find((row) => row.memberId === memberId);
    if (own === undefined || own.phoneNumber !== phoneNumber || own.triesLeft === 0) return undefined;
    if (own.verificationId === null) return undefined;
    const others = rows.filter((row) => row.memberId !== memberId);
    const { triesLeft } = await countTry(tx, memberId);
    const isChecked = mayCheck(own, others);
    if (isChecked) await countCheck(tx, memberId);
    return { verificationId: own.verificationId, triesLeft, isChecked };
  });
  if (taken === undefined) throw refuse('code-expired');
  const { verificationId, triesLeft, isChecked } = taken;
  if (!isChecked || !(await service.check(verificationId, code)))
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
  const phoneNumber = readNumber(given.phoneNumber, current?.phoneNumber ?? null);
  if (current?.phoneNumber === phoneNumber && current.phoneVerifiedAt !== null) return userOf(current);
  const verificationId = await takeCode(platform, service, memberId, phoneNumber, given.code);
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
