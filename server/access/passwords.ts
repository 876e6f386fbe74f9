import { hash, verify } from '@node-rs/argon2';
import { isCommonPassword } from '#platform/common-passwords.ts';
import { refuse } from '#platform/refusal.ts';

/**
 * Hashes passwords with Argon2id and verifies them exactly as typed. Refuses the 10,000 most common ones. A check takes
 * the same time for unknown accounts, so the time of an answer does not reveal accounts.
 */
// OWASP's second setting for Argon2id: 19 MiB, two passes, one lane.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** @throws Refusal `common-password` */
export async function refuseCommonPassword(password: string): Promise<void> {
  if (await isCommonPassword(password)) throw refuse('common-password');
}

export const hashPassword = (password: string): Promise<string> => hash(password, cost);

let decoy: Promise<string> | undefined;

/** Whether the password is right. Without a stored hash, it does the same work and returns false. */
export async function isPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  decoy ??= hashPassword('a decoy, so that an unknown account costs what a known one does');
  const against = stored ?? (await decoy);
  const matches = await verify(against, password);
  return matches && typeof stored === 'string';
}
