import type { Database, Tx } from '#platform/database.ts';
import type { Platform } from '#platform/platform.ts';
import { refuse } from '#platform/refusal.ts';
import { closeWallet, lockWallets } from '../ledger/ledger.ts';
import * as queries from './queries.ts';

/**
 * The end of an account. At once: no session, no way in, a closed wallet, and the address stays taken. Seven days of
 * business time later a sweep takes the person out of the row: name, e-mail, phone, picture, addresses, fingerprints.
 * Under the nameless id stay the movements, for ever, and what was paid where. The balance is neither paid nor booked
 * away: it stays in the closed wallet, and reversals of what was earned still reach it.
 */

/** What the features that are built on members know and do when an account ends. */
export type DeletionParts = {
  /** Does `act` if the password is right; `act` answers undefined where the password was changed meanwhile. */
  withOwnPassword(
    platform: Pick<Platform, 'database' | 'limits'>,
    memberId: number,
    password: string,
    act: () => Promise<true | undefined>,
  ): Promise<true>;
  /** Ends every session and deletes every way in besides the password. */
  endAccess(tx: Tx, memberId: number): Promise<void>;
  /** Whether a withdrawal is undecided, asked under the wallet's lock, so that none is requested meanwhile. */
  hasUndecidedWithdrawal(tx: Tx, memberId: number): Promise<boolean>;
};

const ANONYMISED_AT_ONCE_MAX = 100;

/**
 * Deletes the member's own account.
 * @throws Refusal `forbidden` to operators, `no-password`, `wrong-password`, `withdrawal-pending`, `rate-limited`
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
  platform.bus.endSessions({ memberId: caller.id });
  platform.log.info({ memberId: caller.id }, 'account deleted');
}

/**
 * Ends an account in the caller's transaction, whoever decided so. The caller tells the bus after the commit.
 * @returns whether it did so now; undefined where the account was deleted before or is an operator's
 * @throws Refusal `withdrawal-pending`
 */
export async function endAccount(tx: Tx, memberId: number, parts: DeletionParts): Promise<true | undefined> {
  await lockWallets(tx, [memberId]);
  if (await parts.hasUndecidedWithdrawal(tx, memberId)) throw refuse('withdrawal-pending');
  if ((await queries.markDeleted(tx, memberId)) === undefined) return undefined;
  await closeWallet(tx, memberId);
  await parts.endAccess(tx, memberId);
  return true;
}

/** Deletes what access keeps about a person whose account was anonymised in the same transaction. */
export type ForgetAccess = (tx: Tx, memberId: number, formerEmail: string) => Promise<void>;

/** Anonymises the accounts whose seven days are over. Returns how many those were. */
export async function anonymiseDeleted(database: Database, forgetAccess: ForgetAccess): Promise<number> {
  const due = await queries.readDueForAnonymising(database, ANONYMISED_AT_ONCE_MAX);
  let count = 0;
  for (const { id, email } of due)
    await database.transaction(async (tx) => {
      if (!(await queries.anonymise(tx, id)).isDone) return;
      await forgetAccess(tx, id, email);
      count += 1;
    });
  return count;
}
