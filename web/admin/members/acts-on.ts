import type { AccountRecord } from '#contract/members-accounts.ts';
import type { MemberAct } from '#web/client/member-search.ts';

/** The acts that the server takes on this account. A closed one only gives points back. */
export function actsOn({ role, deletedAt }: Pick<AccountRecord, 'role' | 'deletedAt'>): MemberAct[] {
  if (deletedAt !== null) return ['chargeback'];
  return role === 'admin'
    ? ['grant', 'chargeback', 'message']
    : ['grant', 'chargeback', 'suspend', 'message'];
}
