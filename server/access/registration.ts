import {
  DEVICE_IN_USE,
  DOMAIN_BLOCKED,
  type FingerprintFields,
  fingerprintFields,
  type Registration,
  THROWAWAY_MAILBOX,
  TURNED_DOWN,
} from '#contract/access.ts';
import type { User } from '#contract/user.ts';
import type { Reader } from '#platform/database.ts';
import { InvalidRequest } from '#platform/http/problem.ts';
import type { Platform } from '#platform/platform.ts';
import { publicAddressOf } from '#platform/public-address.ts';
import { refuse } from '#platform/refusal.ts';
import {
  type BeginReferral,
  canonicalEmail,
  type Referral,
  registerMember,
  userOf,
  withFreshDraw,
} from '../members/members.ts';
import { findMailableByEmail, findReferrer } from '../members/sign-in-queries.ts';
import { accountKey } from './account-key.ts';
import { checkCaptcha } from './captcha.ts';
import { fingerprintHash, recordDevice } from './devices.ts';
import { sendVerificationLink } from './email-verification.ts';
import { takenAnswers, takenMails } from './limits.ts';
import { accessMail, readSender } from './mails.ts';
import { hashPassword, refuseCommonPassword } from './passwords.ts';
import { postMail } from './posted-mails.ts';
import { type RegistrationFacts, readRegistrationFacts } from './queries.ts';
import { insertReview, type ReviewFacts } from './registration-review-queries.ts';
import { openSession } from './sessions.ts';
import { isThrowaway } from './throwaway-domains.ts';

/**
 * Registration. The security check comes before the account. `email-taken` is answered only after the captcha and the
 * limits, so that testing many addresses is expensive; the owner of the address gets a mail.
 */
const FINGERPRINT_BYTES_MAX = 16 * 1024;
const MEMBERS_PER_DEVICE_MAX = 3;

export type SecurityCheck = {
  allowed: boolean;
  blockAccount: boolean;
  requiresManualReview: boolean;
  reasons: string[];
};

/** Reads the base64 of the fingerprint's JSON. @throws InvalidRequest if it is malformed or too long */
export function readFingerprint(base64: string): FingerprintFields {
  const bytes = Buffer.from(base64, 'base64');
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    throw new InvalidRequest([{ path: 'deviceFingerprint', message: 'Must be base64 of JSON' }]);
  }
  const parsed = fingerprintFields.safeParse(value);
  if (bytes.length <= FINGERPRINT_BYTES_MAX && parsed.success) return parsed.data;
  throw new InvalidRequest([
    { path: 'deviceFingerprint', message: 'Must hold the fields of a device fingerprint' },
  ]);
}

/** Who registers. `device` is null without a fingerprint. */
type Registering = { email: string; device: Buffer | null; address: string };

async function judge(
  { config, database }: Pick<Platform, 'config' | 'database'>,
  who: Registering,
): Promise<{ check: SecurityCheck; facts: RegistrationFacts; flags: ReviewFacts['flags'] }> {
  const facts = await readRegistrationFacts(database, {
    email: who.email,
    emailCanonical: canonicalEmail(who.email),
    fingerprintHash: who.device,
    publicAddress: publicAddressOf(who.address),
  });
  const flags: ReviewFacts['flags'] = [];
  if (facts.membersOnDeviceAndAddress >= MEMBERS_PER_DEVICE_MAX) flags.push('shared-device');
  if (facts.bannedOnDeviceAndAddress > 0) flags.push('banned-member');
  if (isThrowaway(who.email, config.throwawayDomainsAllowed)) flags.push('throwaway-mailbox');
  return { check: checkOf(facts, flags), facts, flags };
}

function checkOf(facts: RegistrationFacts, flags: ReviewFacts['flags']): SecurityCheck {
  const check = { allowed: false, blockAccount: false, requiresManualReview: false, reasons: [] as string[] };
  if (facts.reviewStatus === 'allowed') return { ...check, allowed: true };
  if (facts.reviewStatus === 'refused') return { ...check, reasons: [TURNED_DOWN] };
  if (facts.isDomainBlocked) return { ...check, reasons: [DOMAIN_BLOCKED] };
  if (facts.bannedMailbox)
    return { ...check, blockAccount: true, reasons: ['This mailbox belongs to a banned account'] };
  if (facts.reviewStatus === 'open' || flags.length > 0)
    return { ...check, requiresManualReview: true, reasons: reasonsOf(flags) };
  return { ...check, allowed: true };
}

function reasonsOf(flags: ReviewFacts['flags']): string[] {
  const isThrowawayAlone = flags.length === 1 && flags.includes('throwaway-mailbox');
  return [
    ...(isThrowawayAlone ? [] : [DEVICE_IN_USE]),
    ...(flags.includes('throwaway-mailbox') ? [THROWAWAY_MAILBOX] : []),
  ];
}

/** Checks whether a person may register, with the reasons if not. */
export const checkRegistration = async (
  platform: Pick<Platform, 'config' | 'database'>,
  who: Registering,
): Promise<SecurityCheck> => (await judge(platform, who)).check;

/**
 * Checks a registration. If it needs a review, stores it for an operator.
 * @throws Refusal `registration-blocked`, `manual-review-required`, `registration-not-allowed`
 */
export async function requireRegistrable(
  { config, database, bus }: Pick<Platform, 'config' | 'database' | 'bus'>,
  who: Registering & { language: ReviewFacts['language'] },
): Promise<void> {
  const { check, facts, flags } = await judge({ config, database }, who);
  if (check.allowed) return;
  const { reasons } = check;
  if (check.blockAccount) throw refuse('registration-blocked');
  if (check.requiresManualReview) {
    const { address, language } = who;
    const { memberIds } = facts;
    await insertReview(database, who.email, { flags, reasons, address, language, memberIds });
    bus.announceWaiting(['registrations']);
    throw refuse('manual-review-required');
  }
  throw refuse('registration-not-allowed', `Registration not allowed: ${reasons.join(', ')}`, { reasons });
}

/** Finds the referrer by code; null without a code. @throws Refusal `unknown-referral-code` */
export async function findReferrerOf(reader: Reader, referralCode: string | null): Promise<number | null> {
  const code = referralCode?.trim().toUpperCase() ?? '';
  if (code === '') return null;
  const referrer = await findReferrer(reader, code);
  if (referrer === undefined) throw refuse('unknown-referral-code');
  return referrer.id;
}

export const referralBy = (referrerId: number | null, begin: BeginReferral): Referral | null =>
  referrerId === null ? null : { referrerId, begin };

/**
 * Registers a member, opens a session, and sends the verification mail.
 * @returns the user and the token of the new session
 * @throws Refusal `captcha-failed`, `common-password`, `unknown-referral-code`, `email-taken` or one of the
 * security check
 */
export async function register(
  platform: Platform,
  registration: Registration,
  from: { address: string; userAgent: string; language: 'en' | 'ko' },
  beginReferral: BeginReferral,
): Promise<{ user: User; token: string }> {
  const { config, database, limits } = platform;
  const fields = readFingerprint(registration.deviceFingerprint);
  await checkCaptcha(platform, registration.hcaptchaToken, from.address);
  // Refuses free addresses too, so that the refusal does not tell which address is taken.
  await limits.requireRoom(takenAnswers, from.address);
  await refuseCommonPassword(registration.password);
  const { address, language } = from;
  await requireRegistrable(platform, {
    email: registration.email,
    device: fingerprintHash(fields),
    address,
    language,
  });
  const referrerId = await findReferrerOf(database, registration.referralCode ?? null);
  const passwordHash = await hashPassword(registration.password);

  const registered = await withFreshDraw(() =>
    database.transaction(async (tx) => {
      const row = await registerMember(tx, {
        email: registration.email,
        passwordHash,
        firstName: registration.firstName,
        lastName: registration.lastName || null,
        role: 'user',
        referral: referralBy(referrerId, beginReferral),
        address: from.address,
        language: from.language,
      });
      if (row === undefined) return undefined;
      await recordDevice(tx, { fields, memberId: row.id, address: from.address });
      await sendVerificationLink(tx, config, { id: row.id, email: row.email, language: from.language });
      const token = await openSession(tx, row.id, from.userAgent, from.address);
      return { user: userOf(row), token };
    }),
  );
  if (registered !== undefined) return registered;
  await mailOwner(platform, registration.email);
  await limits.count(takenAnswers, from.address);
  throw refuse('email-taken');
}

/** Tells the owner of an address, at most once an hour, that somebody tried to register it. */
async function mailOwner({ config, database, limits }: Platform, email: string): Promise<void> {
  const owner = await findMailableByEmail(database, email);
  if (owner === undefined || !(await limits.isWithin(takenMails, accountKey(email)))) return;
  await database.transaction(async (tx) =>
    postMail(tx, accessMail(await readSender(tx, config), owner, 'taken')),
  );
}
