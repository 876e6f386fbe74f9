import type { Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import { blockUntilNewPassword } from '../members/members.ts';
import { lockMailable } from '../members/sign-in-queries.ts';
import { addSecurityNotice, announceNotices, redeemDenial } from '../notices/notices.ts';
import { deleteMailTokens, deleteSessionsOf } from './queries.ts';

/**
 * "This was not me": a member says that an act on the account was another person's. All sessions end, mailed links are
 * void, and withdrawals are blocked until 24 hours after a new password. The password stays, because the member may
 * need it, and a thief who has it can't withdraw.
 */
type DenialParts = Pick<Platform, 'database' | 'bus' | 'log' | 'secrets'>;

/** Locks the account that the token of a mail names. @throws Refusal `wrong-code`, `code-expired` */
export async function denyByMail(platform: DenialParts, token: string): Promise<void> {
  const memberId = await platform.database.transaction(async (tx) => {
    const id = await redeemDenial(platform, tx, token);
    await lockAccount(tx, id);
    return id;
  });
  await tell(platform, memberId);
}

/** Locks the account of the signed-in member. */
export async function denyAct(platform: DenialParts, memberId: number): Promise<void> {
  await platform.database.transaction((tx) => lockAccount(tx, memberId));
  await tell(platform, memberId);
}

async function lockAccount(tx: Tx, memberId: number): Promise<void> {
  // The row's lock comes first, as in every change of a password, so that the block ends with a later one.
  if ((await lockMailable(tx, memberId)) === undefined)
    throw refuse('wrong-code', 'This account was deleted.');
  await deleteSessionsOf(tx, memberId);
  await deleteMailTokens(tx, memberId);
  await blockUntilNewPassword(tx, memberId);
  await addSecurityNotice(tx, memberId, 'denied');
}

async function tell(platform: DenialParts, memberId: number): Promise<void> {
  platform.bus.announceSessionChange({ memberId });
  platform.log.warn({ memberId }, 'a member said that an act on the account was not theirs');
  await announceNotices(platform, memberId);
}
