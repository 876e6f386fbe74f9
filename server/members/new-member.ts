import { randomInt } from 'node:crypto';
import type { Tx } from '#platform/database.ts';
import { insertMember, type NewMember } from './queries.ts';
import type { MemberRow } from './sign-in-queries.ts';
import { TERMS_VERSION } from './site-config.ts';

/** Makes a member: the row with a random id and referral code, the wallet and the referral. */

/** The mailbox of an address. Gmail ignores dots, and most providers a `+tag`. */
export function canonicalEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const domain = email.slice(at + 1).replace(/^googlemail\.com$/, 'gmail.com');
  const name = email.slice(0, at).split('+')[0] ?? '';
  return `${domain === 'gmail.com' ? name.replaceAll('.', '') : name}@${domain}`;
}

const referralAlphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

const newReferralCode = (): string =>
  Array.from({ length: 8 }, () => referralAlphabet[randomInt(referralAlphabet.length)]).join('');

const newMemberId = (): number => randomInt(100_000_000, 1_000_000_000);

/**
 * Begins a new member's referral in the transaction that makes the member. `app.ts` passes in the referrals' function.
 */
export type BeginReferral = (tx: Tx, referral: { memberId: number; referrerId: number }) => Promise<void>;

/** The referrer of a new member, with the function that begins the referral. */
export type Referral = { referrerId: number; begin: BeginReferral };

export type Person = Pick<
  NewMember,
  'email' | 'passwordHash' | 'firstName' | 'lastName' | 'role' | 'address'
> &
  Partial<Pick<NewMember, 'language' | 'isEmailVerified'>> & { referral: Referral | null };

/**
 * Inserts a member with a random id and referral code, opens the wallet, and begins the referral if there is a
 * referrer.
 * @returns undefined if the e-mail address is taken
 */
export async function registerMember(
  tx: Tx,
  { referral, ...person }: Person,
): Promise<MemberRow | undefined> {
  const row = await insertMember(tx, {
    language: 'en',
    isEmailVerified: false,
    ...person,
    referredBy: referral?.referrerId ?? null,
    id: newMemberId(),
    emailCanonical: canonicalEmail(person.email),
    referralCode: newReferralCode(),
    termsVersion: TERMS_VERSION,
  });
  if (row !== undefined && referral !== null)
    await referral.begin(tx, { memberId: row.id, referrerId: referral.referrerId });
  return row;
}

const isDrawnAgain = (error: unknown): boolean =>
  ['members_pkey', 'members_referral_code_key'].includes((error as { constraint?: string }).constraint ?? '');

/** Runs `act` again if its random id or referral code exists already, which is rare. */
export async function withFreshDraw<T>(act: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await act();
    } catch (error) {
      if (attempt >= 5 || !isDrawnAgain(error)) throw error;
    }
}
