import { createHash, randomBytes } from 'node:crypto';
import type { Reader, Tx } from '#platform/database.ts';
import { refuse } from '#platform/refusal.ts';
import { findMailToken, type MailPurpose, takeMailToken, upsertMailToken } from './queries.ts';

/**
 * Tokens in mailed links. A token is random and valid for one purpose, one use and a limited time; only its hash is
 * stored. A new token voids the former one.
 */
const minutesOf: Record<MailPurpose, number> = { 'reset-password': 60, 'verify-email': 3 * 24 * 60 };

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Makes a token, stores its hash and returns it. */
export async function issueMailToken(tx: Tx, memberId: number, purpose: MailPurpose): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await upsertMailToken(tx, { hash: hashOf(token), memberId, purpose, minutes: minutesOf[purpose] });
  return token;
}

function requireFresh(state: { memberId: number; isFresh: boolean } | undefined): number {
  if (state === undefined) throw refuse('wrong-code', 'This link is not valid any more. Ask for a new one.');
  if (!state.isFresh) throw refuse('code-expired', 'This link has expired. Ask for a new one.');
  return state.memberId;
}

/** Whether a link with this token would be taken now. */
export const isMailTokenFresh = async (
  reader: Reader,
  token: string,
  purpose: MailPurpose,
): Promise<boolean> => (await findMailToken(reader, hashOf(token), purpose))?.isFresh ?? false;

/** Checks a token without using it, before expensive work. @throws Refusal like `redeemMailToken` */
export const requireMailToken = async (
  reader: Reader,
  token: string,
  purpose: MailPurpose,
): Promise<number> => requireFresh(await findMailToken(reader, hashOf(token), purpose));

/**
 * Uses a token and returns its member.
 * @throws Refusal `wrong-code` if it is unknown, used or void; `code-expired`
 */
export const redeemMailToken = async (tx: Tx, token: string, purpose: MailPurpose): Promise<number> =>
  requireFresh(await takeMailToken(tx, hashOf(token), purpose));
