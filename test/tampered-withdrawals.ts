import { sql } from '#platform/database.ts';
import { FRIEND, PLAYER, WITHDRAWER } from './books-world.ts';
import type { Tampering } from './tampered-earnings.ts';

/** Changes of one row each in withdrawals, games, bonus and referrals, which the audit finds. */
const asked = (state: string) => sql`(select id from withdrawals.withdrawals where state = ${state} limit 1)`;

export const tamperedWithdrawals: Tampering[] = [
  // Withdrawals.
  [
    'the amount of a withdrawal',
    'withdrawals',
    sql`
    update withdrawals.withdrawals set amount_points = 9000 where id = ${asked('pending')}`,
  ],
  [
    'the member of a withdrawal',
    'withdrawals',
    sql`
    update withdrawals.withdrawals set member_id = ${FRIEND}, member_number = 1 where id = ${asked('pending')}`,
  ],
  [
    'a withdrawal that counts as rejected',
    'withdrawals',
    sql`
    update withdrawals.withdrawals set state = 'rejected', reason = 'x', rejection_code = 'operator',
      decided_at = created_at
    where id = ${asked('pending')}`,
  ],
  [
    'a rejected withdrawal that waits again',
    'withdrawals',
    sql`
    update withdrawals.withdrawals set state = 'pending', reason = null, rejection_code = null, decided_at = null
    where request_key = 'rejected'`,
  ],
  [
    'the destination of a withdrawal',
    'withdrawals',
    sql`
    update withdrawals.withdrawals set destination = 'mine' where request_key = 'queued'`,
  ],
  [
    'the destination of a withdrawal that waits',
    'withdrawals',
    sql`update withdrawals.withdrawals set destination = 'mine' where request_key = 'pending'`,
  ],
  [
    'the fee of a withdrawal that waits',
    'withdrawals',
    sql`update withdrawals.withdrawals set fee_points = 1 where request_key = 'pending'`,
  ],
  [
    'what a withdrawal pays',
    'withdrawals',
    sql`
    update withdrawals.withdrawals set amount_units = 23750000 where request_key = 'queued'`,
  ],
  [
    'the rate of a withdrawal',
    'withdrawals',
    sql`
    update withdrawals.withdrawals set rate = 8000 where request_key = 'queued'`,
  ],
  [
    'the fee of a withdrawal',
    'withdrawals',
    sql`
    update withdrawals.withdrawals set fee_points = 1000 where request_key = 'confirmed'`,
  ],
  [
    'the time of a withdrawal',
    'withdrawals',
    sql`
    update withdrawals.withdrawals set created_at = created_at - interval '1 day' where request_key = 'queued'`,
  ],
  [
    'the number of a withdrawal',
    'withdrawal-counts',
    sql`
    update withdrawals.withdrawals set member_number = 77 where request_key = 'queued'`,
  ],
  [
    'the method of a withdrawal',
    'withdrawals',
    sql`
    with added as (insert into withdrawals.methods (method) values ('dash') returning method)
    update withdrawals.withdrawals set method = (select method from added) where request_key = 'queued'`,
  ],
  [
    'who approved a withdrawal, to nobody',
    'withdrawals',
    sql`
    update withdrawals.withdrawals set decided_by = null where id = ${asked('approved')}`,
  ],
  [
    'who approved a withdrawal, to its member',
    'withdrawals',
    sql`
    update withdrawals.withdrawals set decided_by = member_id where id = ${asked('approved')}`,
  ],
  ['a payout that is gone', 'withdrawals', sql`delete from withdrawals.payouts where state = 'queued'`],
  [
    'a payout and its withdrawal that are gone',
    'withdrawals',
    sql`
    with gone as (delete from withdrawals.payouts where state = 'confirmed' returning withdrawal_id)
    delete from withdrawals.withdrawals where id = (select withdrawal_id from gone)`,
  ],
  [
    'the destination of a payout',
    'withdrawals',
    sql`
    update withdrawals.payouts set destination = 'mine' where state = 'queued'`,
  ],
  [
    'the amount of a payout',
    'withdrawals',
    sql`
    update withdrawals.payouts set amount_units = amount_units * 2 where state = 'queued'`,
  ],
  [
    'a paid payout that counts as failed',
    'withdrawals',
    sql`
    update withdrawals.payouts set state = 'failed' where state = 'confirmed'`,
  ],
  [
    'a confirmed payout that is sent again',
    'withdrawals',
    sql`
    update withdrawals.payouts set state = 'signed' where state = 'confirmed'`,
  ],
  [
    'the time of a payout',
    'payout-due-times',
    sql`
    update withdrawals.payouts set due_at = due_at + interval '9 days' where state = 'queued'`,
  ],
  [
    'the count of a member’s withdrawals',
    'withdrawal-counts',
    sql`
    update withdrawals.member_counts set withdrawal_count = 1`,
  ],
  [
    'the points of a member’s paid withdrawals',
    'withdrawal-counts',
    sql`
    update withdrawals.member_counts set paid_points = paid_points + 1`,
  ],
  [
    'the points of a member’s waiting withdrawals',
    'withdrawal-counts',
    sql`
    update withdrawals.member_counts set waiting_points = waiting_points + 1`,
  ],
  [
    'the count of pending withdrawals',
    'withdrawal-totals',
    sql`update withdrawals.totals set pending_count = 0`,
  ],
  [
    'the points of pending withdrawals',
    'withdrawal-totals',
    sql`update withdrawals.totals set pending_points = 0`,
  ],
  [
    'the count of approved withdrawals',
    'withdrawal-totals',
    sql`update withdrawals.totals set approved_count = 0`,
  ],
  ['the count of paid withdrawals', 'withdrawal-totals', sql`update withdrawals.totals set paid_count = 9`],
  ['the points of paid withdrawals', 'withdrawal-totals', sql`update withdrawals.totals set paid_points = 1`],
  [
    'the number of payouts in a state',
    'payout-sums',
    sql`
    insert into withdrawals.payout_changes (method, state, payout_count, points) values ('litecoin', 'queued', 1, 0)`,
  ],
  [
    'the points of payouts in a state',
    'payout-sums',
    sql`
    insert into withdrawals.payout_sums (method, state, payout_count, points) values ('litecoin', 'parked', 0, 1)`,
  ],

  // The coin flip.
  ['the bet of a game', 'games', sql`update coinflip.games set bet_points = 11 where member_number = 1`],
  ['the choice of a game', 'games', sql`update coinflip.games set choice = 'tails' where member_number = 1`],
  [
    'the result of a game',
    'draws',
    sql`
    update coinflip.games set result = case result when 'heads' then 'tails' else 'heads' end
    where member_number = 1`,
  ],
  ['the nonce of a game', 'nonces', sql`update coinflip.games set nonce = 99 where member_number = 1`],
  ['the seed of a game', 'draws', sql`update coinflip.games set seed_number = 99 where member_number = 1`],
  [
    'the time of a game',
    'games',
    sql`update coinflip.games set created_at = created_at - interval '1 day' where member_number = 1`,
  ],
  ['a game that is gone', 'games', sql`delete from coinflip.games where member_number = 1`],
  [
    'a game that nobody paid',
    'games',
    sql`
    insert into coinflip.games select member_id, 77, created_at, seed_number, 77, bet_points, choice, result
    from coinflip.games where member_number = 1`,
  ],
  ['a count of games', 'players', sql`update coinflip.players set game_count = 1`],
  ['the nonce of a player', 'players', sql`update coinflip.players set nonce = 9`],
  ['a seed in use', 'draws', sql`update coinflip.players set server_seed = ${'d4'.repeat(32)}`],
  ['the seal of a seed', 'draws', sql`update coinflip.players set server_seed_hash = 'x'`],
  ['a revealed seed', 'draws', sql`update coinflip.revealed_seeds set server_seed = ${'d4'.repeat(32)}`],
  ['a revealed seed that is gone', 'draws', sql`delete from coinflip.revealed_seeds`],

  // The bonus.
  ['the points of a claim', 'streaks', sql`update bonus.streaks set last_points = 50`],
  ['the days of a streak', 'streaks', sql`update bonus.streaks set day_count = 7`],
  ['the day of a claim', 'streaks', sql`update bonus.streaks set last_day = last_day - 1`],
  ['a streak that is gone', 'streaks', sql`delete from bonus.streaks`],

  // Referrals.
  [
    'the state of a referral',
    'referral-rewards',
    sql`
    update referrals.referrals set state = 'pending', decided_at = null where state = 'rewarded'`,
  ],
  [
    'a refused referral that waits again',
    'referral-totals',
    sql`
    update referrals.referrals set state = 'pending', refusal = null, decided_at = null where state = 'refused'`,
  ],
  [
    'the reward of a referral',
    'referral-rewards',
    sql`
    update referrals.referrals set reward_points = 900 where state = 'rewarded'`,
  ],
  [
    'the referrer of a referral',
    'referrals',
    sql`
    update referrals.referrals set referrer_id = ${WITHDRAWER} where state = 'rewarded'`,
  ],
  ['a referral that is gone', 'referrals', sql`delete from referrals.referrals where state = 'rewarded'`],
  [
    'the referrer of a member',
    'referrals',
    sql`
    update members.members set referred_by = ${FRIEND} where id = ${PLAYER}`,
  ],
  ['a count of referrals', 'referral-totals', sql`update referrals.member_totals set referral_count = 9`],
  [
    'the points of referrals',
    'referral-totals',
    sql`update referrals.member_totals set rewarded_points = 900`,
  ],
  [
    'the open points of referrals',
    'referral-totals',
    sql`update referrals.member_totals set pending_points = 0`,
  ],

  // Times of a wrong clock.
  [
    'a lease of the future',
    'leases',
    sql`insert into platform.leases (name, holder, token, taken_at, expires_at)
      values ('x', 'y', 1, now(), now() + interval '9 days')`,
  ],
  [
    'a rate dated in the future',
    'rate-times',
    sql`insert into withdrawals.rates (currency, usd, sources, priced_at, fetched_at)
      values ('litecoin', 80, '[]', now() + interval '9 days', now())`,
  ],
  [
    'a waiting rate dated in the future',
    'rate-times',
    sql`insert into withdrawals.rates (currency, waiting_usd, waiting_sources, waiting_priced_at, fetched_at)
      values ('litecoin', 80, '[]', now() + interval '9 days', now())`,
  ],
  [
    'a former rate dated in the future',
    'rate-times',
    sql`insert into withdrawals.rate_history (currency, usd, believed_at)
      values ('litecoin', 80, now() + interval '9 days')`,
  ],
];
