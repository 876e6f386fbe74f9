import { type Sql, sql } from '#platform/database.ts';
import { FRIEND, PLAYER } from './books-world.ts';

/** Changes of one row each in the ledger and in earning, which the audit finds. */
/** What was changed, the check that names it, and the change. */
export type Tampering = [what: string, check: string, act: Sql];

const firstGrant = sql`member_id = ${FRIEND} and seq = 1`;

export const tamperedEarnings: Tampering[] = [
  // The ledger.
  ['a balance', 'wallets', sql`update ledger.wallets set balance = balance + 1 where member_id = ${FRIEND}`],
  ['an earned total', 'wallets', sql`update ledger.wallets set earned_total = 0 where member_id = ${FRIEND}`],
  [
    'a count of tasks',
    'wallets',
    sql`update ledger.wallets set tasks_completed = 9 where member_id = ${FRIEND}`,
  ],
  [
    'a count of movements',
    'wallets',
    sql`update ledger.wallets set movement_count = 0 where member_id = ${FRIEND}`,
  ],
  ['a day sum', 'wallets', sql`update ledger.wallets set day_sums[2] = 0 where member_id = ${FRIEND}`],
  ['a day', 'wallets', sql`update ledger.wallets set today = today - 1 where member_id = ${FRIEND}`],
  ['a wallet that is gone', 'wallets', sql`delete from ledger.wallets where member_id = ${FRIEND}`],
  ['a closed wallet', 'members', sql`update ledger.wallets set is_closed = true where member_id = ${FRIEND}`],
  ['an amount', 'chains', sql`update ledger.movements set amount = amount + 1 where ${firstGrant}`],
  ['a balance after', 'chains', sql`update ledger.movements set balance_after = 1 where ${firstGrant}`],
  [
    'a movement of another member',
    'chains',
    sql`
    update ledger.movements set member_id = ${PLAYER}, seq = 1000 where ${firstGrant}`,
  ],
  ['a movement that is gone', 'chains', sql`delete from ledger.movements where ${firstGrant}`],
  ['a kind', 'keys', sql`update ledger.movements set kind = 'bonus' where ${firstGrant}`],
  ['earned points', 'rules', sql`update ledger.movements set earned_delta = 1 where ${firstGrant}`],
  ['a task', 'rules', sql`update ledger.movements set task_delta = 1 where ${firstGrant}`],
  ['an account', 'keys', sql`update ledger.movements set account = 'bonus' where key = 'cpx:whole:credit'`],
  ['a key', 'keys', sql`update ledger.movements set key = 'x' where key = 'cpx:whole:credit'`],
  [
    'a transaction',
    'keys',
    sql`update ledger.movements set transaction_id = 'x' where key = 'cpx:whole:credit'`,
  ],
  ['a site day', 'keys', sql`update ledger.movements set site_day = site_day - 3 where ${firstGrant}`],
  [
    'a time',
    'account-days',
    sql`
    update ledger.movements set posted_at = posted_at - interval '1 second' where ${firstGrant}`,
  ],
  ['a text', 'account-days', sql`update ledger.movements set subject = 'Gift' where ${firstGrant}`],
  [
    'the sum of a day',
    'account-days',
    sql`update ledger.account_days set amount = amount + 1 where account = 'grants'`,
  ],
  [
    'the count of a day',
    'account-days',
    sql`
    update ledger.account_days set movement_count = 1 where account = 'grants'`,
  ],
  ['a closed day that is gone', 'account-days', sql`delete from ledger.account_days where account = 'bonus'`],
  [
    'the end of the closed days, earlier',
    'account-days',
    sql`
    update ledger.account_days_end set closed_until = closed_until - interval '2 days'`,
  ],
  [
    'the end of the closed days, in the future',
    'account-days-end',
    sql`
    update ledger.account_days_end set closed_until = closed_until + interval '9 days'`,
  ],

  // Earning.
  [
    'the points of an earning',
    'earnings',
    sql`
    update earning.earnings set points = 101, left_points = 101 where transaction_id = 'whole'`,
  ],
  [
    'the rest of an earning',
    'earnings',
    sql`
    update earning.earnings set left_points = 10 where transaction_id = 'whole'`,
  ],
  [
    'the rest of a reversed earning',
    'reversals',
    sql`
    update earning.earnings set left_points = points where transaction_id = 'all'`,
  ],
  [
    'the member of an earning',
    'earnings',
    sql`
    update earning.earnings set member_id = ${PLAYER} where transaction_id = 'whole'`,
  ],
  [
    'the text of an earning',
    'earnings',
    sql`
    update earning.earnings set subject = 'Game' where transaction_id = 'whole'`,
  ],
  [
    'a screen-out',
    'earnings',
    sql`
    update earning.earnings set is_screen_out = false where transaction_id = 'screen-out'`,
  ],
  [
    'the time of an earning',
    'earnings',
    sql`
    update earning.earnings set created_at = created_at - interval '1 hour' where transaction_id = 'whole'`,
  ],
  [
    'the name of an earning',
    'earnings',
    sql`
    update earning.earnings set transaction_id = 'x' where transaction_id = 'whole'`,
  ],
  ['an earning that is gone', 'earnings', sql`delete from earning.earnings where transaction_id = 'whole'`],
  [
    'an earning that nobody booked',
    'earnings',
    sql`
    insert into earning.earnings select provider, 'x', member_id, points, left_points, payout_micro_usd, subject,
      is_screen_out, state, created_at from earning.earnings where transaction_id = 'whole'`,
  ],
  [
    'a held earning that counts as credited',
    'earnings',
    sql`
    update earning.earnings set state = 'credited', decided_at = created_at where transaction_id = 'held'`,
  ],
  [
    'an approved earning that counts as rejected',
    'earnings',
    sql`
    update earning.earnings set state = 'rejected', left_points = 0 where transaction_id = 'approved'`,
  ],
  [
    'an approval of an earning by nobody',
    'earnings',
    sql`update earning.earnings set decided_by = null where transaction_id = 'approved'`,
  ],
  [
    'an approval of one’s own earning',
    'earnings',
    sql`update earning.earnings set decided_by = member_id where transaction_id = 'approved'`,
  ],
  [
    'a call that nobody booked',
    'quarantine',
    sql`update earning.quarantine set resolved_by = null where transaction_id = 'found'`,
  ],
  [
    'what a reversal took',
    'reversals',
    sql`
    update earning.reversals set taken_points = 1 where transaction_id = 'reversal-of-partly'`,
  ],
  [
    'the credit of a reversal',
    'reversals',
    sql`
    update earning.reversals set credit_transaction_id = 'whole' where transaction_id = 'reversal-of-partly'`,
  ],
  [
    'the reason of a reversal',
    'reversals',
    sql`
    update earning.reversals set reason = 'x' where transaction_id = 'reversal-of-partly'`,
  ],
  [
    'a reversal that is gone',
    'reversals',
    sql`
    delete from earning.reversals where transaction_id = 'reversal-of-partly'`,
  ],
  [
    'an operator’s chargeback that is gone',
    'reversals',
    sql`
    delete from earning.reversals where provider = 'manual'`,
  ],
  [
    'the account of an operator’s chargeback',
    'reversals',
    sql`
    update ledger.movements set account = 'provider:cpx' where key = 'cpx:test-1:reversal'`,
  ],
  [
    'a call that was never booked',
    'quarantine',
    sql`
    update earning.quarantine set state = 'booked', resolved_at = at where transaction_id = 'too-early'`,
  ],
  [
    'a call that waits without need',
    'quarantine',
    sql`
    update earning.quarantine set state = 'open', resolved_at = null where transaction_id = 'early'`,
  ],
  [
    'the points that were taken back from a member',
    'reversal-sums',
    sql`update earning.member_reversals set taken_points = taken_points + 1`,
  ],
  [
    'the count of held earnings',
    'approval-totals',
    sql`update earning.approval_totals set pending_count = 0`,
  ],
  [
    'the points of held earnings',
    'approval-totals',
    sql`update earning.approval_totals set pending_points = 1`,
  ],
  [
    'the count of approved earnings',
    'approval-totals',
    sql`update earning.approval_totals set approved_count = 9`,
  ],
];
