-- Hashes by which the audit finds a change of what no other row repeats: of a request, its place in the queue, its hold
-- and the time from which payments for it are looked for; of a paid payout, its payment.
alter table withdrawals.withdrawals add column terms_digest bigint;
update withdrawals.withdrawals
set terms_digest = hash_record_extended(row(id, queue_number, real_since, hold_until, hold_reason), 0);
alter table withdrawals.payouts add column payment_digest bigint;
update withdrawals.payouts
set payment_digest = hash_record_extended(
  row(withdrawal_id, queue_number, method, destination, amount_units, reference, is_by_record, account, finished_at), 0)
where state = 'confirmed';
