-- Whether the operator confirmed that a row gets a first approval of two. Such a row never becomes the final one.
alter table withdrawals.bulk_rows add column is_first boolean not null default false;
