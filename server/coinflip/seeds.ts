import { createHash } from 'node:crypto';
import type { Secrets } from '#platform/secrets.ts';
import type { Seeds } from './queries.ts';

/**
 * A member's first seeds. They derive from APP_SECRET and the member's id, so that their hash can be shown before
 * anything is stored and concurrent first games use the same seeds. All later server seeds are random.
 */
export function firstSeedsOf(secrets: Pick<Secrets, 'sign'>, memberId: number): Seeds {
  const bytesFor = (purpose: string) =>
    Buffer.from(secrets.sign(String(memberId), `coinflip ${purpose}`), 'base64url');
  return {
    serverSeed: bytesFor('first server seed').toString('hex'),
    clientSeed: bytesFor('first client seed').toString('hex').slice(0, 16),
  };
}

/** The hash of a server seed: SHA-256 of its text, hexadecimal. */
export const hashOf = (serverSeed: string): string => createHash('sha256').update(serverSeed).digest('hex');
