import type { Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { Refusal, refuse } from '#platform/refusal.ts';
import { blockUntilReset, lockWithdrawalsOf } from '../members/members.ts';
import { awaitReset, lockMailable } from '../members/sign-in-queries.ts';
import { addSecurityNotice, announceNotices, redeemDenial } from '../notices/notices.ts';
import { unlinkIdentities } from './identity-queries.ts';
import { badDenials } from './limits.ts';
import { deleteMailTokens, deleteSessionsOf } from './queries.ts';

/**
 * "This was not me": a member says that an act on the account was another person's. All sessions end, mailed links are
 * void, identities are unlinked, and nobody signs in until the password is reset by mail. Withdrawals are blocked until
 * 24 hours after that. Only the mailbox tells the owner from a thief who knows the password or linked a Google account.
 */
type DenialParts = Pick<Platform, 'database' | 'bus' | 'log' | 'secrets' | 'limits'>;

/**
 * Locks the account that the token of a mail names. Only bad tokens count, so a good one is never refused.
 * @param address of the caller
 * @throws Refusal `wrong-code`, `code-expired`, `rate-limited`
 */
export async function denyByMail(platform: DenialParts, token: string, address: string): Promise<void> {
  try {
    const memberId = await platform.database.transaction(async (tx) => {
      const id = await redeemDenial(platform, tx, token);
      await lockAccount(tx, id);
      return id;
    });
    await tell(platform, memberId);
  } catch (error) {
    if (error instanceof Refusal) await platform.limits.count(badDenials, address);
    throw error;
  }
}

/** Locks the account of the signed-in member. */
export async function denyAct(platform: DenialParts, memberId: number): Promise<void> {
  await platform.database.transaction((tx) => lockAccount(tx, memberId));
  await tell(platform, memberId);
}

async function lockAccount(tx: Tx, memberId: number): Promise<void> {
  await lockWithdrawalsOf(tx, memberId);
  // The row's lock comes before its changes, as in every change of a password, so that a later reset ends the block.
  if ((await lockMailable(tx, memberId)) === undefined)
    throw refuse('wrong-code', 'This account was deleted.');
  await awaitReset(tx, memberId);
  await deleteSessionsOf(tx, memberId);
  await deleteMailTokens(tx, memberId);
  await unlinkIdentities(tx, memberId);
  await blockUntilReset(tx, memberId);
  await addSecurityNotice(tx, memberId, 'denied');
}

async function tell(platform: DenialParts, memberId: number): Promise<void> {
  platform.bus.announceSessionChange({ memberId });
  platform.log.warn({ memberId }, 'a member said that an act on the account was not theirs');
  await announceNotices(platform, memberId);
}
