import { type Sql, sql } from '#platform/database.ts';
import { DECISION_ACTS } from './books-world.ts';
import type { Tampering } from './tampered-earnings.ts';

/** Changes of the audit trail by the owner of the database. The audit must find each. */
const row = (number: number): Sql => sql`where chain_number = ${DECISION_ACTS + number}`;
const LAST = DECISION_ACTS + 12;

const changes: readonly (readonly [what: string, act: Sql])[] = [
  ['a row of the trail that is gone', sql`delete from platform.acts ${row(5)}`],
  ['the first row of the trail that is gone', sql`delete from platform.acts where chain_number = 1`],
  ['the newest row of the trail that is gone', sql`delete from platform.acts ${row(12)}`],
  ['all rows of the trail that are gone', sql`delete from platform.acts`],
  [
    'the newest row of the trail that is gone, with the number of the end',
    sql`
    with gone as (delete from platform.acts ${row(12)})
    update platform.acts_chain_end set number = ${LAST - 1}`,
  ],
  ['the operator of an act', sql`update platform.acts set operator_id = 7 ${row(5)}`],
  [
    'the operator of an act, to nobody',
    sql`update platform.acts set operator_id = null, actor = 'command-line' ${row(5)}`,
  ],
  [
    'who acted, without an operator',
    sql`update platform.acts set actor = 'site', operator_id = null ${row(5)}`,
  ],
  ['the kind of a target', sql`update platform.acts set target_kind = 'quarantine' ${row(5)}`],
  ['the member of an act', sql`update platform.acts set member_id = member_id + 1 ${row(5)}`],
  ['the member of an act, to none', sql`update platform.acts set member_id = null ${row(5)}`],
  [
    'all that rows from before do not have',
    sql`update platform.acts set actor = null, target_kind = null, member_id = null ${row(5)}`,
  ],
  ['the name of an act', sql`update platform.acts set act = 'withdrawal.approve' ${row(5)}`],
  ['the target of an act', sql`update platform.acts set target = 'other' ${row(5)}`],
  ['the reason of an act', sql`update platform.acts set reason = 'Other' ${row(5)}`],
  ['the reason of an act, to none', sql`update platform.acts set reason = null ${row(5)}`],
  ['what was before an act', sql`update platform.acts set before = '{"status": "approved"}' ${row(5)}`],
  ['what was after an act', sql`update platform.acts set after = after || '{"by": "nobody"}' ${row(12)}`],
  ['the time of an act', sql`update platform.acts set at = at + interval '1 microsecond' ${row(5)}`],
  ['the id of an act', sql`update platform.acts set id = default ${row(5)}`],
  [
    'two acts that changed places',
    sql`
    update platform.acts a set target = other.target, reason = other.reason, operator_id = other.operator_id
    from platform.acts other
    where a.chain_number in (${DECISION_ACTS + 4}::integer, ${DECISION_ACTS + 5}::integer)
      and other.chain_number = ${2 * DECISION_ACTS + 9} - a.chain_number`,
  ],
  [
    'two rows of the trail that moved behind the others',
    sql`
    update platform.acts set chain_number = chain_number + 100
    where chain_number in (${DECISION_ACTS + 4}::integer, ${DECISION_ACTS + 5}::integer)`,
  ],
  ['the hash of a row', sql`update platform.acts set chain_hash = repeat('a', 64) ${row(5)}`],
  ['the hash of the newest row', sql`update platform.acts set chain_hash = repeat('a', 64) ${row(12)}`],
  [
    'a row that was added behind the chain',
    sql`
    insert into platform.acts (act, target, chain_number, chain_hash)
    values ('withdrawal.reject', 'added', ${LAST + 1}, repeat('a', 64))`,
  ],
  [
    'a row that was added behind the chain, with its end',
    sql`
    with added as (
      insert into platform.acts (act, target, chain_number, chain_hash)
      values ('withdrawal.reject', 'added', ${LAST + 1}, repeat('a', 64)) returning chain_number, chain_hash)
    update platform.acts_chain_end set number = added.chain_number, hash = added.chain_hash from added`,
  ],
  [
    'a row that was put in the place of another',
    sql`
    with gone as (delete from platform.acts ${row(5)} returning *)
    insert into platform.acts (at, operator_id, act, target, reason, chain_number, chain_hash)
    select at, operator_id, 'withdrawal.reject', 'added', reason, ${DECISION_ACTS + 5}, chain_hash from gone`,
  ],
  ['the end of the chain', sql`update platform.acts_chain_end set hash = repeat('a', 64)`],
  ['the end of the chain that is gone', sql`delete from platform.acts_chain_end`],
];

export const tamperedTrail: Tampering[] = changes.map(([what, act]) => [what, 'audit-trail', act]);
