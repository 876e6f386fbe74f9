-- Risk: what a rule finds names the version of the rule, and a confirmed detection holds credits.

-- All that was found before is of the first versions.

alter table risk.activities add column rule_version smallint not null default 1 check (rule_version > 0);
alter table risk.detections add column rule_version smallint not null default 1 check (rule_version > 0);

-- A detection that an operator confirmed holds the credits of its members as an open one does.
insert into risk.members_under_review (member_id, detection_id)
select distinct member_id, d.id
from risk.detections d cross join lateral unnest(d.primary_member_id || d.related_member_ids) member_id
where d.status = 'confirmed' and d.confidence = 'high'
on conflict do nothing;
