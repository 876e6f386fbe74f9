import { recordActs } from '#platform/audit-trail.ts';
import type { Database, Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import { closeWallet, lockWallets } from '../ledger/ledger.ts';
import { findDeletion } from './account-queries.ts';
import * as queries from './queries.ts';

/**
 * The deletion of an account, by the member or by an operator. At once all sessions end, nobody can sign in, the wallet
 * is closed, and the e-mail address stays taken. After seven days of business time a sweep removes the personal data:
 * name, e-mail, phone, picture, addresses, fingerprints. Movements and payouts stay under the id. The balance is
 * neither paid out nor removed: it stays in the closed wallet, which still takes reversals.
 */

/** Functions of features that depend on members, which `app.ts` passes in. */
export type DeletionParts = {
  /**
   * Runs `act` if the password is right and proves more than the session. `act` returns undefined if the password was
   * changed meanwhile.
   */
  withOwnPassword(
    platform: Pick<Platform, 'database' | 'limits'>,
    memberId: number,
    password: string,
    act: () => Promise<true | undefined>,
  ): Promise<true>;
  /** Ends all sessions and deletes linked identities and mailed tokens. */
  endAccess(tx: Tx, memberId: number): Promise<void>;
  /** Whether a withdrawal is undecided. Called under the wallet's lock, so that none is requested meanwhile. */
  hasUndecidedWithdrawal(tx: Tx, memberId: number): Promise<boolean>;
};

const ANONYMISED_AT_ONCE_MAX = 100;

/**
 * Deletes the member's own account.
 * @throws Refusal `forbidden` to operators, `no-password`, `fresh-factor-required`, `wrong-password`, `rate-limited`,
 * `withdrawal-pending`
 */
export async function deleteOwnAccount(
  platform: Pick<Platform, 'database' | 'limits' | 'bus' | 'log'>,
  caller: { id: number; role: string },
  password: string,
  parts: DeletionParts,
): Promise<void> {
  if (caller.role === 'admin') throw refuse('forbidden', 'An operator’s account can’t be deleted.');
  await parts.withOwnPassword(platform, caller.id, password, () =>
    platform.database.transaction((tx) => endAccount(tx, caller.id, parts)),
  );
  platform.bus.announceSessionChange({ memberId: caller.id });
  platform.log.info({ memberId: caller.id }, 'account deleted');
}

type EndParts = Pick<DeletionParts, 'endAccess' | 'hasUndecidedWithdrawal'>;

/**
 * Deletes a member's account, as an operator.
 * @throws Refusal `not-found`, `forbidden` for an operator's account, `already-decided` if it is deleted already,
 *   `withdrawal-pending`
 */
export async function deleteAccountOf(
  platform: Pick<Platform, 'database' | 'bus' | 'log'>,
  operatorId: number,
  { memberId, reason }: { memberId: number; reason: string | null },
  parts: EndParts,
): Promise<void> {
  await platform.database.transaction(async (tx) => {
    const account = await findDeletion(tx, memberId);
    if (account === undefined) throw refuse('not-found');
    if (account.role === 'admin') throw refuse('forbidden', 'An operator’s account can’t be deleted.');
    if ((await endAccount(tx, memberId, parts)) === undefined)
      throw refuse('already-decided', 'This account was deleted before.');
    await recordActs(tx, [
      {
        actor: operatorId,
        act: 'member.delete',
        target: { kind: 'member', id: memberId },
        reason,
        after: { isDeleted: true },
      },
    ]);
  });
  platform.bus.announceSessionChange({ memberId });
  platform.log.info({ memberId, operatorId }, 'account deleted by an operator');
}

/**
 * Ends an account in the caller's transaction. After the commit the caller announces on the bus that its sessions
 * changed.
 * @returns true, or undefined if the account was already deleted or is an operator's
 * @throws Refusal `withdrawal-pending`
 */
async function endAccount(tx: Tx, memberId: number, parts: EndParts): Promise<true | undefined> {
  await lockWallets(tx, [memberId]);
  if (await parts.hasUndecidedWithdrawal(tx, memberId)) throw refuse('withdrawal-pending');
  if ((await queries.markDeleted(tx, memberId)) === undefined) return undefined;
  await closeWallet(tx, memberId);
  await parts.endAccess(tx, memberId);
  return true;
}

/** Deletes access's personal data of an account before it is anonymised in the same transaction. */
export type ForgetAccess = (tx: Tx, memberId: number) => Promise<void>;

/** Anonymises accounts that were deleted seven days ago. Returns how many. */
export async function anonymiseDeleted(database: Database, forgetAccess: ForgetAccess): Promise<number> {
  const due = await queries.readDueForAnonymising(database, ANONYMISED_AT_ONCE_MAX);
  let count = 0;
  for (const { id } of due)
    await database.transaction(async (tx) => {
      await forgetAccess(tx, id);
      if ((await queries.anonymise(tx, id)).isDone) count += 1;
    });
  return count;
}
