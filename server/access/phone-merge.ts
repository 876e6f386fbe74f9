import { recordActs } from '#platform/audit-trail.ts';
import type { Database } from '#platform/database.ts';
import type { Log } from '#platform/log.ts';
import { NATIONAL_PREFIX, readPhoneNumber } from '#platform/phone-number.ts';
import { findPhonesLike, freePhone, movePhone, readPhoneHolder } from '../members/sign-in-queries.ts';
import { withSecurityTimeKept } from './security-time.ts';

/**
 * Gives numbers that were stored with a national 0 or 8 after the country code their one text, at each start: former
 * releases kept numbers as they were typed. If another member has the number, the one who verified it first keeps it.
 * The other must verify another number before a withdrawal, and both are named in the log and the audit trail.
 */
export async function mergePhoneNumbers(database: Database, log: Log): Promise<void> {
  for (const { id, phoneNumber } of await findPhonesLike(database, NATIONAL_PREFIX)) {
    const merged = readPhoneNumber(phoneNumber);
    if (merged === undefined || merged === phoneNumber) continue;
    const freed = await database.transaction(async (tx) => {
      const holder = await readPhoneHolder(tx, id, { from: phoneNumber, to: merged });
      const freedId = holder?.isEarlier ? id : holder?.id;
      if (freedId !== undefined) {
        const keeperId = holder?.isEarlier ? holder.id : id;
        await freePhone(tx, freedId);
        const target = { kind: 'member', id: freedId } as const;
        await recordActs(tx, [
          { actor: 'site', act: 'member.free-phone', target, after: { samePhoneAs: keeperId } },
        ]);
        if (keeperId !== id) return { freedId, keeperId };
      }
      const move = () => movePhone(tx, id, { from: phoneNumber, to: merged });
      await withSecurityTimeKept(tx, id, move);
      return freedId === undefined ? undefined : { freedId, keeperId: id };
    });
    if (freed !== undefined)
      log.warn(
        { memberId: freed.freedId, keeperId: freed.keeperId },
        'two members had verified one phone number; the later one must verify another',
      );
  }
}
