import { createHash } from 'node:crypto';

/** Under which name an account's tries to guess its password are counted and logged; it tells nobody the address. */
export const accountKey = (email: string): string => createHash('sha256').update(email).digest('base64url');
