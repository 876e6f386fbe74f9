-- What a rule finds names the version of the rule. All that was found before is of the first versions.

alter table risk.activities add column rule_version smallint not null default 1 check (rule_version > 0);
alter table risk.detections add column rule_version smallint not null default 1 check (rule_version > 0);
