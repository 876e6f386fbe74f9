-- Acts say what kind of thing their target is, which member they are about, and who acted where no operator did.
--
-- Rows from before have none of the three, and stay as they are: their place in the chain is the hash of what they had.
-- `act-chain.ts` hashes the new columns of the rows that have them.
alter table platform.acts
  add column actor text check (actor in ('operator', 'command-line', 'site')),
  add column target_kind text check (length(target_kind) between 1 and 30),
  -- The member whom the act is about; null if there is none.
  add column member_id integer,
  add check (actor is null or (actor = 'operator') = (operator_id is not null)),
  add check ((actor is null) = (target_kind is null)),
  add check (actor is not null or member_id is null);

-- The member also of rows from before, whose target was the member for some acts.
alter table platform.acts add column about_member_id integer generated always as (
  case when target_kind is not null then member_id
    when (act like 'member.%' or act like 'points.%' or act = 'operator.appoint') and target ~ '^[1-9][0-9]{8}$'
      then target::integer end) stored;
create index acts_about_member_id on platform.acts (about_member_id, id);
create index acts_actor on platform.acts (actor, id);
grant insert (actor, target_kind, member_id) on platform.acts to earnest_app;
