import { sql } from '#platform/database.ts';
import { FRIEND, PLAYER } from './books-world.ts';
import type { Tampering } from './tampered-earnings.ts';

/** Changes of one row each in grants and booked claims, which the audit finds. */
export const tamperedGrants: Tampering[] = [
  [
    'the points of a grant',
    'grants',
    sql`update grants.grants set amount_points = 41 where request_key = 'alone'`,
  ],
  ['the reason of a grant', 'grants', sql`update grants.grants set reason = 'x' where request_key = 'alone'`],
  [
    'the member of a grant',
    'grants',
    sql`update grants.grants set member_id = ${PLAYER} where request_key = 'alone'`,
  ],
  ['a grant that is gone', 'grants', sql`delete from grants.grants where request_key = 'confirmed'`],
  [
    'a waiting grant that counts as booked',
    'grants',
    sql`update grants.grants set state = 'completed' where request_key = 'waiting'`,
  ],
  [
    'a booked grant that counts as declined',
    'grants',
    sql`update grants.grants set state = 'failed' where request_key = 'alone'`,
  ],
  [
    'the movement of a waiting grant',
    'grants',
    sql`
    select ledger.post_one(${FRIEND}, 'grants:' || ${FRIEND} || ':' || id, 'grant', 50, 'grants', 'Prize', null, null,
      false) from grants.grants where request_key = 'waiting'`,
  ],
  ['the points of a booked claim', 'claims', sql`update claims.claims set amount_points = 81`],
  [
    'a booked claim that counts as filed',
    'claims',
    sql`update claims.claims set state = 'filed', amount_points = null, grant_id = null`,
  ],
  ['a booked claim that is gone', 'claims', sql`delete from claims.claims`],
  ['a booked claim of another member', 'claims', sql`update claims.claims set member_id = ${PLAYER}`],
  ['the totals of grants', 'grant-totals', sql`update grants.totals set pending_points = 1`],
];
