import type { Config } from '#platform/config.ts';
import type { Database, Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import { findMailable, setEmailVerified } from '../members/sign-in-queries.ts';
import { issueMailToken, redeemMailToken } from './mail-tokens.ts';
import { accessMail, readSender } from './mails.ts';
import { postMail } from './posted-mails.ts';

/**
 * Verifies e-mail addresses. Nothing is blocked without it. It decides whether an account keeps its password when a
 * Google identity with the same address signs in.
 */

/** Sends the link in the caller's transaction. */
export async function sendVerificationLink(
  tx: Tx,
  config: Pick<Config, 'publicUrl' | 'mode'>,
  member: { id: number; email: string; language: 'en' | 'ko' },
): Promise<void> {
  const token = await issueMailToken(tx, member.id, 'verify-email');
  const mail = accessMail(await readSender(tx, config), member, 'verify', token);
  await postMail(tx, mail, { token, purpose: 'verify-email' });
}

/** Sends the link again if the address is not verified. */
export async function askForVerification(platform: Platform, memberId: number): Promise<void> {
  const { config, database } = platform;
  await database.transaction(async (tx) => {
    const member = await findMailable(tx, memberId);
    if (member === undefined) throw refuse('unauthenticated');
    if (member.emailVerifiedAt === null) await sendVerificationLink(tx, config, member);
  });
}

/** @throws Refusal `wrong-code`, `code-expired` */
export const verifyEmail = (database: Database, token: string): Promise<void> =>
  database.transaction(async (tx) => {
    await setEmailVerified(tx, await redeemMailToken(tx, token, 'verify-email'));
  });
