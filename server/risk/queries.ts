import type { Block, BlockDuration, BlockKind } from '#contract/risk.ts';
import { type Reader, sql, type Tx } from '#platform/database.ts';

/** SQL of risk. */

export type BlockRow = Pick<Block, 'kind' | 'value' | 'reason' | 'isActive'> & {
  id: bigint;
  expiresAt: Date | null;
  createdAt: Date;
  firstName: string | null;
  lastName: string | null;
};

export const isActive = sql`members.is_in_force(b.lifted_at, b.expires_at)`;

export const blockColumns = sql`b.id, b.kind, b.value, b.reason, b.expires_at as "expiresAt",
  b.created_at as "createdAt", ${isActive} as "isActive", o.first_name as "firstName", o.last_name as "lastName"`;
export const blockJoins = sql`
  left join members.profiles o on o.id = b.created_by and o.deleted_at is null`;

export const findBlock = (reader: Reader, id: bigint) =>
  reader.row<BlockRow>(sql`select ${blockColumns} from risk.blocks b ${blockJoins} where b.id = ${id}`);

/** The addresses that are blocked now. */
export const readBlockedAddresses = (reader: Reader) =>
  reader.rows<{ value: string }>(sql`
    select b.value from risk.blocks b where b.kind = 'ip' and b.lifted_at is null and ${isActive}`);

/** Ends a block of the same value whose time has passed, so that it can be blocked again. */
export const endExpired = (tx: Tx, kind: BlockKind, value: string) =>
  tx.rows(sql`
    update risk.blocks b set lifted_at = b.expires_at
    where b.kind = ${kind} and b.value = ${value} and b.lifted_at is null and not ${isActive}`);

export type NewBlock = {
  kind: BlockKind;
  value: string;
  reason: string;
  duration: BlockDuration;
  operatorId: number;
};

/** Adds a block, unless the value is blocked; undefined then. */
export const insertBlock = (tx: Tx, { kind, value, reason, duration, operatorId }: NewBlock) =>
  tx.row<{ id: bigint; expiresAt: Date | null }>(sql`
    insert into risk.blocks (kind, value, reason, duration, created_at, created_by, expires_at)
    select ${kind}, ${value}, ${reason}, ${duration}, now, ${operatorId},
      case ${duration}::text when '1day' then now + interval '1 day' when '7days' then now + interval '7 days' end
    from platform.business_now() now
    on conflict (kind, value) where lifted_at is null do nothing
    returning id, expires_at as "expiresAt"`);

/** Lifts a block that is active; undefined if it ended before. */
export const liftBlock = (tx: Tx, id: bigint, operatorId: number) =>
  tx.row<{ kind: BlockKind; value: string }>(sql`
    update risk.blocks b set lifted_at = platform.business_now(), lifted_by = ${operatorId}
    where b.id = ${id} and ${isActive}
    returning b.kind, b.value`);
