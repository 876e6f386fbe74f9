import { type Reader, sql, type Tx } from '#platform/database.ts';

/** SQL of access: members' identities at sign-in providers. */

export const findIdentity = (reader: Reader, identity: { issuer: string; subject: string }) =>
  reader.row<{ memberId: number }>(sql`
    select member_id as "memberId" from access.identities
    where issuer = ${identity.issuer} and subject = ${identity.subject}`);

/** Whether the account has an identity of this issuer; it can't have a second one. */
export const hasIdentityAt = async (reader: Reader, memberId: number, issuer: string): Promise<boolean> =>
  (await reader.rows(sql`select from access.identities where member_id = ${memberId} and issuer = ${issuer}`))
    .length > 0;

/** Links an identity to a member; undefined if the identity is already linked. */
export const insertIdentity = (tx: Tx, identity: { issuer: string; subject: string; memberId: number }) =>
  tx.row<{ memberId: number }>(sql`
    insert into access.identities (issuer, subject, member_id, linked_at)
    values (${identity.issuer}, ${identity.subject}, ${identity.memberId}, platform.business_now())
    on conflict do nothing returning member_id as "memberId"`);

/** Unlinks all identities of an account and remembers them. Returns them. */
export const unlinkIdentities = (tx: Tx, memberId: number) =>
  tx.rows<{ issuer: string; subject: string }>(sql`
    with gone as (
      delete from access.identities where member_id = ${memberId} returning issuer, subject
    ), remembered as (
      insert into access.former_identities (issuer, subject, member_id, unlinked_at)
      select issuer, subject, ${memberId}, platform.business_now() from gone
      on conflict do nothing
    )
    select issuer, subject from gone`);

/** Whether the identity was unlinked from this account. */
export const wasUnlinked = async (
  reader: Reader,
  memberId: number,
  { issuer, subject }: { issuer: string; subject: string },
): Promise<boolean> => {
  const found = await reader.rows(sql`
    select from access.former_identities
    where member_id = ${memberId} and issuer = ${issuer} and subject = ${subject}`);
  return found.length > 0;
};

export const readIdentities = (reader: Reader, memberId: number) =>
  reader.rows<{ issuer: string; subject: string; linkedAt: Date }>(sql`
    select issuer, subject,
      linked_at as "linkedAt" from access.identities where member_id = ${memberId} order by linked_at`);
