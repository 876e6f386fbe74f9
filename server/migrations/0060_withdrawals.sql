-- Of an act on many requests: the flag by which a row stayed or failed, as operators' lists have it; null for another
-- reason.
alter table withdrawals.bulk_rows add column flag text;
grant update (flag) on withdrawals.bulk_rows to earnest_app;
