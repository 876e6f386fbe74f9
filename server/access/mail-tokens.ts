import { createHash, randomBytes } from 'node:crypto';
import type { Reader, Tx } from '#platform/database.ts';
import { refuse } from '#platform/refusal.ts';
import { findMailToken, type MailPurpose, takeMailToken, upsertMailToken } from './queries.ts';

/**
 * Tokens in the links of mails: random, of which only the hash is stored, good for one purpose, one use and some time.
 * A new one voids the one before.
 */
const minutesOf: Record<MailPurpose, number> = { 'reset-password': 60, 'verify-email': 3 * 24 * 60 };

const hashOf = (token: string): Buffer => createHash('sha256').update(token).digest();

/** Makes a token, which exists nowhere else than in what is returned. */
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

/** Looks whether a token would be taken, before anything dear is done. @throws Refusal like `redeemMailToken` */
export const requireMailToken = async (
  reader: Reader,
  token: string,
  purpose: MailPurpose,
): Promise<number> => requireFresh(await findMailToken(reader, hashOf(token), purpose));

/**
 * Uses a token up and says whose it was.
 * @throws Refusal `wrong-code` where it is unknown, used or voided, `code-expired`
 */
export const redeemMailToken = async (tx: Tx, token: string, purpose: MailPurpose): Promise<number> =>
  requireFresh(await takeMailToken(tx, hashOf(token), purpose));
