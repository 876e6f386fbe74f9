-- Where an operator sends money to a paying account, as its outside party said at the look.

alter table withdrawals.balance_days add column top_up_destination text;
