import { z } from 'zod';
import { email as emailShape } from '#contract/access.ts';
import type { Reader, Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import {
  type BeginReferral,
  clearPasswordHash,
  findLinkable,
  type LinkableMember,
  lockByEmail,
  registerMember,
  setEmailVerified,
  withFreshDraw,
} from '../members/members.ts';
import { GoogleFailure, type GoogleIdentity } from './google.ts';
import { registrations } from './limits.ts';
import { accessMail, postMail } from './mails.ts';
import {
  adoptDevice,
  deleteMailTokens,
  deleteSessionsOf,
  findIdentity,
  hasIdentityAt,
  insertIdentity,
} from './queries.ts';
import { findReferrerOf, referralBy, requireRegistrable } from './registration.ts';
import { openSession } from './sessions.ts';

/**
 * Whose account an identity opens. The pair of issuer and subject decides alone once it is known. The first time,
 * a verified e-mail address leads to the account that has it; what that means for an account whose address was
 * never proven, and for operators, is in docs/decisions/0012.
 */
export type GoogleArrival = {
  referralCode: string | null;
  beginReferral: BeginReferral;
  /** The hash of the device's fingerprint, where this browser told one. */
  device: Buffer | null;
  address: string;
  userAgent: string;
  language: 'en' | 'ko';
};

/** Somebody who is signed in now, and whether other sessions of theirs have ended. */
export type Entered = { memberId: number; token: string; hasEndedSessions: boolean };

/**
 * Signs in whoever the provider vouches for, and registers or links them the first time.
 * @throws GoogleFailure; Refusal of the limit, the security check or the referral code
 */
export async function enterByIdentity(
  platform: Platform,
  identity: GoogleIdentity,
  arrival: GoogleArrival,
): Promise<Entered> {
  const { database } = platform;
  const known = await findByIdentity(database, identity);
  if (known !== undefined) {
    requireOpen(known);
    return database.transaction((tx) => enter(tx, known.id, arrival));
  }
  const email = provenEmailOf(identity);
  const linked = await database.transaction(async (tx) => {
    const member = await lockByEmail(tx, email);
    return member === undefined ? undefined : link(platform, tx, member, identity, arrival);
  });
  return linked ?? register(platform, { ...identity, email }, arrival);
}

async function findByIdentity(reader: Reader, identity: GoogleIdentity): Promise<LinkableMember | undefined> {
  const owner = await findIdentity(reader, identity);
  return owner === undefined ? undefined : findLinkable(reader, owner.memberId);
}

/** A deleted account stays shut, and says no more than that the sign-in did not work. */
function requireOpen(member: LinkableMember): void {
  if (member.isDeleted) throw new GoogleFailure('google-failed');
}

function provenEmailOf(identity: GoogleIdentity): string {
  const email = z.safeParse(emailShape, identity.email);
  if (!identity.isEmailVerified || !email.success) throw new GoogleFailure('google-email-unverified');
  return email.data;
}

async function enter(tx: Tx, memberId: number, arrival: GoogleArrival): Promise<Entered> {
  const token = await openSession(tx, memberId, arrival.userAgent, arrival.address);
  return { memberId, token, hasEndedSessions: false };
}

/**
 * Links an identity to the account of its address. An account that has one of this issuer takes no second: addresses
 * are given to other people, identities are not. Where nobody proved the address, whoever made the account may be
 * somebody else: their password, sessions and links end.
 */
async function link(
  { config }: Platform,
  tx: Tx,
  member: LinkableMember,
  identity: GoogleIdentity,
  arrival: GoogleArrival,
): Promise<Entered> {
  requireOpen(member);
  if (member.role === 'admin' || (await hasIdentityAt(tx, member.id, identity.issuer)))
    throw new GoogleFailure('google-use-password');
  await insertIdentity(tx, { ...identity, memberId: member.id });
  const isProven = member.emailVerifiedAt !== null;
  if (!isProven) {
    await clearPasswordHash(tx, member.id);
    await deleteSessionsOf(tx, member.id);
    await deleteMailTokens(tx, member.id);
    await setEmailVerified(tx, member.id);
  }
  const kind = isProven ? 'google-linked' : 'google-linked-password-removed';
  await postMail(tx, accessMail(config, member, kind));
  return { ...(await enter(tx, member.id, arrival)), hasEndedSessions: !isProven };
}

async function register(
  { database, limits }: Platform,
  identity: GoogleIdentity & { email: string },
  arrival: GoogleArrival,
): Promise<Entered> {
  const { email, firstName, lastName } = identity;
  const { address, device, language } = arrival;
  await limits.count(registrations, address);
  await requireRegistrable(database, { email, device, address });
  const referrerId = await findReferrerOf(database, arrival.referralCode);
  const person = {
    email,
    passwordHash: null,
    firstName,
    lastName,
    role: 'user',
    referral: referralBy(referrerId, arrival.beginReferral),
    address,
  } as const;
  return withFreshDraw(() =>
    database.transaction(async (tx) => {
      const row = await registerMember(tx, { ...person, language, isEmailVerified: true });
      if (row === undefined) throw refuse('email-taken');
      // Another tab of the same person was faster: its account is the one.
      if ((await insertIdentity(tx, { ...identity, memberId: row.id })) === undefined)
        throw new GoogleFailure('google-failed');
      if (device !== null) await adoptDevice(tx, { fingerprintHash: device, memberId: row.id, address });
      return enter(tx, row.id, arrival);
    }),
  );
}
