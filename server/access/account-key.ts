import { createHash } from 'node:crypto';

/** The key for counting and logging an account's failed sign-ins: a hash, so that logs hold no address. */
export const accountKey = (email: string): string => createHash('sha256').update(email).digest('base64url');
