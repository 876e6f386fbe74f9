-- Risk: the members whose provider credits wait, because an open detection of high confidence names them.

create table risk.members_under_review (
  member_id integer not null references members.members (id),
  detection_id bigint not null references risk.detections (id) on delete cascade,
  primary key (member_id, detection_id)
);
create index members_under_review_detection on risk.members_under_review (detection_id);

insert into risk.members_under_review (member_id, detection_id)
select distinct member_id, d.id
from risk.detections d cross join lateral unnest(d.primary_member_id || d.related_member_ids) member_id
where d.status = 'open' and d.confidence = 'high';
