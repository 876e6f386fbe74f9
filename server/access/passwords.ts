import { hash, verify } from '@node-rs/argon2';
import { refuse } from '#platform/refusal.ts';

/**
 * Hashes passwords with Argon2id and verifies them exactly as typed. Refuses the 10,000 most common ones. A check takes
 * the same time for unknown accounts, so the time of an answer does not reveal accounts.
 */
const COMMON_MAX = 10_000;
// OWASP's second setting for Argon2id: 19 MiB, two passes, one lane.
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

let common: Promise<Set<string>> | undefined;

/** Loads the list at the first use, because it is large. */
async function readCommonPasswords(): Promise<Set<string>> {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set((dictionary['passwords-common'] as string[]).slice(0, COMMON_MAX));
}

/** @throws Refusal `common-password` */
export async function refuseCommonPassword(password: string): Promise<void> {
  common ??= readCommonPasswords();
  if ((await common).has(password.toLowerCase())) throw refuse('common-password');
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
