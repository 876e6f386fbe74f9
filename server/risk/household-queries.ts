import type { Reader, Tx } from '#platform/database.ts';
import { sql } from '#platform/database.ts';

/** SQL of households. */

export type PersonRow = { memberId: number; firstName: string };
export type CodeRow = { code: string | null; codeExpiresAt: Date | null };

/** Everybody in a member's household who has an account, in the order of joining. */
export const listHouseholdOf = (reader: Reader, memberId: number) =>
  reader.rows<PersonRow>(sql`
    select h.member_id as "memberId", m.first_name as "firstName"
    from risk.household_members own
      join risk.household_members h on h.household_id = own.household_id
      join members.profiles m on m.id = h.member_id and m.deleted_at is null
    where own.member_id = ${memberId} order by h.joined_at, h.member_id`);

/** The code of a member's household, if it holds now. */
export const findCodeOf = (reader: Reader, memberId: number) =>
  reader.row<CodeRow>(sql`
    select h.code, h.code_expires_at as "codeExpiresAt"
    from risk.household_members own join risk.households h on h.id = own.household_id
    where own.member_id = ${memberId} and h.code_expires_at > platform.business_now()`);

/** Locks a member's household; undefined for who is in none. */
export const lockOwn = (tx: Tx, memberId: number) =>
  tx.row<{ id: bigint }>(sql`
    select h.id from risk.households h
    where h.id = (select household_id from risk.household_members where member_id = ${memberId})
    for update`);

/** Locks the household whose code holds now. */
export const lockByCode = (tx: Tx, code: string) =>
  tx.row<{ id: bigint }>(sql`
    select h.id from risk.households h
    where h.code = ${code} and h.code_expires_at > platform.business_now() for update`);

export const insertHousehold = (tx: Tx) =>
  tx.one<{ id: bigint }>(sql`
    insert into risk.households (created_at) values (platform.business_now()) returning id`);

export const countMembers = async (tx: Tx, id: bigint): Promise<number> =>
  (
    await tx.one<{ count: number }>(sql`
      select count(*)::integer as count from risk.household_members where household_id = ${id}`)
  ).count;

/** Adds a member; undefined if they are in a household. */
export const addMember = (tx: Tx, id: bigint, memberId: number) =>
  tx.row<{ id: number }>(sql`
    insert into risk.household_members (member_id, household_id, joined_at)
    values (${memberId}, ${id}, platform.business_now())
    on conflict (member_id) do nothing returning member_id as id`);

export const setCode = (tx: Tx, id: bigint, code: string, hours: number) =>
  tx.rows(sql`
    update risk.households set code = ${code},
      code_expires_at = platform.business_now() + make_interval(hours => ${hours})
    where id = ${id}`);

/** Takes a member out, with the offers that they were credited for. */
export async function removeMember(tx: Tx, memberId: number): Promise<void> {
  await tx.rows(sql`delete from risk.household_offers where member_id = ${memberId}`);
  await tx.rows(sql`delete from risk.household_members where member_id = ${memberId}`);
}

/** Deletes a household that nobody is in. The caller has locked it. */
export const deleteEmpty = (tx: Tx, id: bigint) =>
  tx.rows(sql`
    delete from risk.households h
    where h.id = ${id} and not exists (select from risk.household_members m where m.household_id = h.id)`);

/** The members of all households. */
export const listAllMembers = (reader: Reader) =>
  reader.rows<{ id: number }>(sql`select member_id as id from risk.household_members`);

/** When a member joined their household. */
export const findOwn = (reader: Reader, memberId: number) =>
  reader.row<{ joinedAt: Date }>(sql`
    select joined_at as "joinedAt" from risk.household_members where member_id = ${memberId}`);

export const listOffers = (reader: Reader, memberId: number) =>
  reader.rows<{ provider: string; offerId: string; claimedAt: Date }>(sql`
    select provider, offer_id as "offerId", claimed_at as "claimedAt" from risk.household_offers
    where member_id = ${memberId} order by claimed_at, provider, offer_id`);
