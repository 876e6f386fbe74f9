import { hash, verify } from '@node-rs/argon2';
import { passwordText } from '#contract/password-text.ts';
import { isCommonPassword } from '#platform/common-passwords.ts';
import { refuse } from '#platform/refusal.ts';

/**
 * Hashes passwords with Argon2id and verifies them. Keyboards send one character in different ways (`é` or `e` and an
 * accent, Hangul whole or in parts), so a password counts in the form NFC; otherwise it is exactly as typed. Refuses
 * the 10,000 most common ones. A check takes the same time for unknown accounts, so the time of an answer does not
 * reveal accounts.
 */
// OWASP's second setting for Argon2id: 19 MiB, two passes, one lane.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** @throws Refusal `common-password` */
export async function refuseCommonPassword(password: string): Promise<void> {
  if (await isCommonPassword(password)) throw refuse('common-password');
}

export const hashPassword = (password: string): Promise<string> => hash(passwordText(password), cost);

let decoy: Promise<string> | undefined;

/**
 * Checks a password. `as-typed`: right, but the hash is of the text as it was typed, which former releases hashed, so
 * another one is to be stored. Without a stored hash, it does the same work and returns `wrong`.
 */
export async function checkPassword(
  stored: string | null | undefined,
  password: string,
): Promise<'right' | 'as-typed' | 'wrong'> {
  decoy ??= hashPassword('a decoy, so that an unknown account costs what a known one does');
  const against = stored ?? (await decoy);
  const normalised = passwordText(password);
  const isRight = await verify(against, normalised);
  const isAsTyped = normalised !== password && (await verify(against, password));
  if (typeof stored !== 'string') return 'wrong';
  if (isRight) return 'right';
  return isAsTyped ? 'as-typed' : 'wrong';
}

export const isPassword = async (stored: string | null | undefined, password: string): Promise<boolean> =>
  (await checkPassword(stored, password)) !== 'wrong';
