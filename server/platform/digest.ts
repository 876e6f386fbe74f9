import { createHash } from 'node:crypto';

/** A name of a text: another text has another one. 43 characters of base64url. */
export const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64url');
