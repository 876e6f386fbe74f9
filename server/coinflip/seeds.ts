import { createHash } from 'node:crypto';
import type { Secrets } from '#platform/secrets.ts';
import type { Seeds } from './queries.ts';

/**
 * The seeds that a member begins with. They follow from APP_SECRET and the member's id, so the seal can be shown before
 * anything is stored, and two first games at once agree on it. Every later server seed is drawn at random.
 */
export function firstSeedsOf(secrets: Pick<Secrets, 'sign'>, memberId: number): Seeds {
  const bytesFor = (purpose: string) =>
    Buffer.from(secrets.sign(String(memberId), `coinflip ${purpose}`), 'base64url');
  return {
    serverSeed: bytesFor('first server seed').toString('hex'),
    clientSeed: bytesFor('first client seed').toString('hex').slice(0, 16),
  };
}

/** The seal of a server seed: SHA-256 of its text, in hexadecimal digits. */
export const hashOf = (serverSeed: string): string => createHash('sha256').update(serverSeed).digest('hex');
