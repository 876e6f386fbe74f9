-- Announcements: what operators tell all members, now or at a time.

create schema announcements;
grant usage on schema announcements to earnest_app;

create table announcements.announcements (
  id bigint generated always as identity primary key,
  title text not null check (length(title) between 1 and 200),
  content text not null check (length(content) between 1 and 5000),
  -- Null: members who read Korean see the English text.
  title_ko text check (length(title_ko) between 1 and 200),
  content_ko text check (length(content_ko) between 1 and 5000),
  -- From when on it is public, in whole milliseconds.
  publish_at timestamptz not null,
  -- When open pages were told that it is public.
  announced_at timestamptz,
  -- The first day of the changed terms; null if it changes none.
  effective_on date,
  is_important boolean not null default false,
  created_at timestamptz not null,
  created_by integer references members.members (id),
  constraint announcements_only_terms_important check (effective_on is not null or not is_important)
);
create index announcements_publish_at on announcements.announcements (publish_at desc, id desc);
create index announcements_unannounced on announcements.announcements (publish_at) where announced_at is null;
-- An announcement never changes. An operator deletes it and writes another one.
grant select, insert, delete on announcements.announcements to earnest_app;
grant update (announced_at) on announcements.announcements to earnest_app;
