-- Risk: activities that a rule recorded in shadow.

alter table risk.activities add column is_shadow boolean not null default false;
