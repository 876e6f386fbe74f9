import { type Sql, sql } from '#platform/database.ts';
import { OPERATOR, PLAYER, REFERRER } from './books-world.ts';
import type { Tampering } from './tampered-earnings.ts';

/** Changes of one row each about decisions, holds and payments of withdrawals, which the audit finds. */

/** Changes of the withdrawal with this key. */
const changesOf = (key: string, changes: readonly (readonly [what: string, change: Sql])[]): Tampering[] =>
  changes.map(([what, change]) => [
    what,
    'withdrawals',
    sql`update withdrawals.withdrawals set ${change} where request_key = ${key}`,
  ]);

export const tamperedDecisions: Tampering[] = [
  ...changesOf('queued', [['who approved a withdrawal', sql`decided_by = ${PLAYER}`]]),
  ...changesOf('approved twice', [
    ['who approved a withdrawal, to the first of two', sql`decided_by = ${OPERATOR}`],
    ['the first approval of an approved withdrawal', sql`first_approved_by = ${PLAYER}`],
  ]),
  ...changesOf('failed', [
    ['who approved a withdrawal whose payout failed', sql`decided_by = ${PLAYER}`],
    ['the time of a failure', sql`decided_at = decided_at + interval '1 hour'`],
  ]),
  ...changesOf('rejected', [
    ['who rejected a withdrawal', sql`decided_by = ${PLAYER}`],
    ['who rejected a withdrawal, to nobody', sql`decided_by = null`],
    ['the time of a rejection', sql`decided_at = decided_at - interval '1 hour'`],
    ['a rejection that counts as cancelled', sql`rejection_code = 'cancelled', decided_by = null`],
  ]),
  ...changesOf('cancelled', [
    ['the time of a cancellation', sql`decided_at = decided_at + interval '1 hour'`],
    ['a cancellation that counts as rejected', sql`rejection_code = 'operator', decided_by = ${REFERRER}`],
  ]),
  ...changesOf('pending', [
    [
      'a first approval that nobody gave',
      sql`first_approved_by = ${OPERATOR}, first_approved_at = platform.business_now()`,
    ],
  ]),
  ...changesOf('approved once', [
    ['who gave the first approval', sql`first_approved_by = ${PLAYER}`],
    ['the time of the first approval', sql`first_approved_at = first_approved_at - interval '1 hour'`],
    ['the hold of a request that is gone', sql`hold_until = null, hold_reason = null`],
    ['the end of a hold', sql`hold_until = hold_until - interval '1 day'`],
    ['the reason of a hold', sql`hold_reason = 'security_change'`],
    ['the place in the queue', sql`queue_number = default`],
    ['the time from which payments are looked for', sql`real_since = real_since + interval '9 days'`],
  ]),
  [
    'the time of an approval and of its payout',
    'withdrawals',
    sql`
    with approved as (
      update withdrawals.withdrawals set decided_at = decided_at - interval '1 hour' where request_key = 'queued'
      returning id, decided_at)
    update withdrawals.payouts p set queued_at = a.decided_at from approved a where p.withdrawal_id = a.id`,
  ],
  [
    'the time of a failed payout',
    'withdrawals',
    sql`update withdrawals.payouts set queued_at = queued_at - interval '1 hour' where state = 'failed'`,
  ],
  [
    'the time at which a payout failed',
    'withdrawals',
    sql`update withdrawals.payouts set finished_at = finished_at + interval '1 hour' where state = 'failed'`,
  ],
  [
    'a payment that nobody called another’s',
    'withdrawals',
    sql`update withdrawals.payouts set cleared_references = '{"tx of queued"}' where state = 'queued'`,
  ],
  [
    'one more payment that nobody called another’s',
    'withdrawals',
    sql`update withdrawals.payouts set cleared_references = cleared_references || '{"tx"}' where state = 'broadcast'`,
  ],
  ...(
    [
      ['the payment of a paid payout', sql`reference = 'another'`],
      ['the account of a paid payout', sql`account = 'another'`],
      ['the time at which a payout was paid', sql`finished_at = finished_at - interval '1 hour'`],
      ['the place of a paid payout in the list', sql`queue_number = default`],
    ] as const
  ).map(
    ([what, change]): Tampering => [
      what,
      'withdrawals',
      sql`update withdrawals.payouts set ${change} where state = 'confirmed'`,
    ],
  ),
  [
    'the count of payments',
    'timelines',
    sql`update withdrawals.timelines set payment_count = payment_count + 1`,
  ],
  ['the hash of payments', 'timelines', sql`update withdrawals.timelines set digest = ''`],
  [
    'a counted payment that is gone',
    'timelines',
    sql`delete from withdrawals.counted_payments where number = 1`,
  ],
  [
    'the newest counted payment that is gone',
    'timelines',
    sql`delete from withdrawals.counted_payments where number = 2`,
  ],
];
