import { email as emailShape } from '#contract/email.ts';
import type { Reader, Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import { type BeginReferral, registerMember, withFreshDraw } from '../members/members.ts';
import {
  clearPasswordHash,
  findLinkable,
  findOwnCredentials,
  type LinkableMember,
  lockByEmail,
  noteSecurityChange,
  setEmailVerified,
} from '../members/sign-in-queries.ts';
import { addSecurityNotice, announceNotices } from '../notices/notices.ts';
import { type GateState, requireGate } from './gate.ts';
import { GoogleFailure, type GoogleIdentity } from './google.ts';
import { findIdentity, hasIdentityAt, insertIdentity, wasUnlinked } from './identity-queries.ts';
import { adoptDevice, deleteMailTokens, deleteSessionsOf } from './queries.ts';
import { findReferrerOf, referralBy, requireRegistrable } from './registration.ts';
import { openSession } from './sessions.ts';
import { addSignInNotice, type SignInFrom } from './sign-in.ts';

/**
 * Finds, links or makes the account of an external identity. A linked identity is found by issuer and subject alone. An
 * unknown one is linked to the account with its verified e-mail address. docs/decisions/0012 says what happens to
 * operators and to accounts with an unverified address.
 */
export type GoogleArrival = {
  referralCode: string | null;
  beginReferral: BeginReferral;
  /** The hash of the device's fingerprint, if the browser reported one. */
  device: Buffer | null;
  gate: GateState;
  findKnownDevice: SignInFrom['findKnownDevice'];
  address: string;
  userAgent: string;
  language: 'en' | 'ko';
  /** The member whose session the browser has, if it has one. */
  signedInId: number | null;
  /** Counts an account that is about to be made. @throws Refusal `rate-limited` */
  countRegistration: () => Promise<void>;
};

/** A new session, and whether the member's other sessions ended. */
export type Entered = { memberId: number; token: string; hasEndedSessions: boolean };

/**
 * Signs in with an identity. At the first time, links or registers an account.
 * @throws GoogleFailure; Refusal of the limit, the security check or the referral code; `wrong-key` for an operator's
 * account before the gate; `reset-required` for an account that waits for a reset of the password
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
    if (known.role === 'admin') requireGate(arrival.gate);
    return enterKnown(platform, known.id, identity, arrival);
  }
  const email = provenEmailOf(identity);
  const linked = await database.transaction(async (tx) => {
    const member = await lockByEmail(tx, email);
    return member === undefined ? undefined : link(tx, member, identity, arrival);
  });
  if (linked !== undefined) await announceNotices(platform, linked.memberId);
  return linked ?? register(platform, { ...identity, email }, arrival);
}

async function findByIdentity(reader: Reader, identity: GoogleIdentity): Promise<LinkableMember | undefined> {
  const owner = await findIdentity(reader, identity);
  return owner === undefined ? undefined : findLinkable(reader, owner.memberId);
}

/** Refuses a deleted account with the general error, so that the answer does not reveal the deletion. */
function requireOpen(member: LinkableMember): void {
  if (member.isDeleted) throw new GoogleFailure('google-failed');
}

function provenEmailOf(identity: GoogleIdentity): string {
  if (!identity.isEmailVerified || identity.email === null)
    throw new GoogleFailure('google-email-unverified');
  const email = emailShape.safeParse(identity.email);
  if (!email.success) throw new GoogleFailure('google-failed');
  return email.data;
}

/** Signs in to an account that is linked, with a notice if the browser is not known. */
async function enterKnown(
  platform: Platform,
  memberId: number,
  identity: GoogleIdentity,
  arrival: GoogleArrival,
): Promise<Entered> {
  const entered = await platform.database.transaction(async (tx) => {
    const account = {
      id: memberId,
      passwordHash: (await findOwnCredentials(tx, memberId))?.passwordHash ?? null,
    };
    const opened = await enter(tx, memberId, arrival);
    // A reset of the password may have unlinked the identity before this transaction had the member's row.
    if ((await findIdentity(tx, identity))?.memberId !== memberId) throw new GoogleFailure('google-failed');
    if (arrival.findKnownDevice(account) === undefined) await addSignInNotice(tx, memberId, arrival);
    return opened;
  });
  await announceNotices(platform, memberId);
  return entered;
}

async function enter(tx: Tx, memberId: number, arrival: GoogleArrival): Promise<Entered> {
  const { userAgent, address, gate } = arrival;
  const token = await openSession(tx, memberId, userAgent, address, null, gate.isPassed);
  return { memberId, token, hasEndedSessions: false };
}

/**
 * Links an identity to the account with its address. An account takes only one identity per issuer, because an address
 * can pass to another person, an identity can't. If the account's address was never verified, another person may have
 * made the account: its password, sessions and mailed links are deleted. An identity that a denial or a reset of the
 * password unlinked is linked again only in a browser where the member is signed in.
 */
async function link(
  tx: Tx,
  member: LinkableMember,
  identity: GoogleIdentity,
  arrival: GoogleArrival,
): Promise<Entered> {
  requireOpen(member);
  if (member.role === 'admin' || (await hasIdentityAt(tx, member.id, identity.issuer)))
    throw new GoogleFailure('google-use-password');
  if (member.awaitsReset) throw refuse('reset-required');
  if (arrival.signedInId !== member.id && (await wasUnlinked(tx, member.id, identity)))
    throw new GoogleFailure('google-link-again');
  await insertIdentity(tx, { ...identity, memberId: member.id });
  const isProven = member.emailVerifiedAt !== null;
  if (!isProven) {
    await clearPasswordHash(tx, member.id);
    await deleteSessionsOf(tx, member.id);
    await deleteMailTokens(tx, member.id);
    await setEmailVerified(tx, member.id);
  }
  await noteSecurityChange(tx, member.id);
  const kind = isProven ? 'google-linked' : 'google-linked-password-removed';
  const entered = await enter(tx, member.id, arrival);
  await addSecurityNotice(tx, member.id, kind);
  return { ...entered, hasEndedSessions: !isProven };
}

async function register(
  platform: Platform,
  identity: GoogleIdentity & { email: string },
  arrival: GoogleArrival,
): Promise<Entered> {
  const { database } = platform;
  const { email, firstName, lastName } = identity;
  const { address, device, language } = arrival;
  await arrival.countRegistration();
  await requireRegistrable(platform, { email, device, address, language });
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
      // A concurrent sign-in with this identity made an account first. This transaction rolls back.
      if ((await insertIdentity(tx, { ...identity, memberId: row.id })) === undefined)
        throw new GoogleFailure('google-failed');
      if (device !== null) await adoptDevice(tx, { fingerprintHash: device, memberId: row.id, address });
      return enter(tx, row.id, arrival);
    }),
  );
}
