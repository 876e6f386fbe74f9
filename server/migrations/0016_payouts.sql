-- Whom a payout pays, how much and by which method is what an operator approved: only the functions of
-- withdrawals/functions.sql write that, as they alone write withdrawals, counts and totals. The application updates
-- exactly the columns in which it keeps how the paying goes, so no statement of it, however wrong, pays somebody else.
revoke update on withdrawals.payouts from earnest_app;
grant update (
  state, transaction_id, bytes_hex, inputs, network_fee, signed_after_block, signed_at, broadcast_at,
  attempt_count, confirmation_count, trouble, due_at
) on withdrawals.payouts to earnest_app;
