import { randomInt } from 'node:crypto';
import type { NewMember } from './queries.ts';
import { TERMS_VERSION } from './site-config.ts';

/** The row of a new member: its random id and referral code, and the mailbox behind its address. */

/** The mailbox behind an address: Gmail ignores dots, and most providers a `+tag`. */
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

/** A new member's row, with an id and a referral code drawn at random. */
export const newMember = (
  person: Pick<
    NewMember,
    'email' | 'passwordHash' | 'firstName' | 'lastName' | 'role' | 'referredBy' | 'address'
  > &
    Partial<Pick<NewMember, 'language' | 'isEmailVerified'>>,
): NewMember => ({
  language: 'en',
  isEmailVerified: false,
  ...person,
  id: newMemberId(),
  emailCanonical: canonicalEmail(person.email),
  referralCode: newReferralCode(),
  termsVersion: TERMS_VERSION,
});

const isDrawnAgain = (error: unknown): boolean =>
  ['members_pkey', 'members_referral_code_key'].includes((error as { constraint?: string }).constraint ?? '');

/** Repeats an act whose random id was, once in a long while, drawn before. */
export async function withFreshDraw<T>(act: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1)
    try {
      return await act();
    } catch (error) {
      if (attempt >= 5 || !isDrawnAgain(error)) throw error;
    }
}
