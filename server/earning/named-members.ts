import { MEMBER_ID } from '#contract/fields.ts';
import type { Reader } from '#platform/database.ts';
import { findAccount } from '../members/members.ts';

/** Finds the first member that a call names; null if it names none. A provider repeats whatever it was given. */
export async function findNamedMember(reader: Reader, names: readonly string[]): Promise<number | null> {
  for (const name of names) {
    const account = MEMBER_ID.test(name.trim()) ? await findAccount(reader, name) : undefined;
    if (account !== undefined) return account.id;
  }
  return null;
}
