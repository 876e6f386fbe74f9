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

-- Members who say that they share a connection or a device.
create table risk.households (
  id bigint generated always as identity primary key,
  created_at timestamptz not null,
  -- Who enters it joins. Null once nobody can.
  code text unique,
  code_expires_at timestamptz,
  check ((code is null) = (code_expires_at is null))
);
create table risk.household_members (
  member_id integer primary key references members.members (id),
  household_id bigint not null references risk.households (id) on delete cascade,
  joined_at timestamptz not null
);
create index household_members_household on risk.household_members (household_id);

-- The offers that a provider credited somebody of a household for.
create table risk.household_offers (
  household_id bigint not null references risk.households (id) on delete cascade,
  provider text not null,
  offer_id text not null,
  member_id integer not null references members.members (id),
  claimed_at timestamptz not null,
  primary key (household_id, provider, offer_id)
);
create index household_offers_member on risk.household_offers (member_id);
create index household_offers_claimed on risk.household_offers (claimed_at);

grant select, insert, delete on risk.households, risk.household_members to earnest_app;
grant update (code, code_expires_at) on risk.households to earnest_app;
grant select, delete on risk.household_offers to earnest_app;
