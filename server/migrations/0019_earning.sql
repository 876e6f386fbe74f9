-- What operators set for an entry of the catalogue: its place, its steps, and that it was taken off.
alter table earning.catalogue
  -- The highest is listed first, and equal ones by their age.
  add column position bigint not null default 0,
  add column steps jsonb not null default '[]' check (jsonb_typeof(steps) = 'array'),
  -- The row stays, so that its key is not added again.
  add column deleted_at timestamptz;
create index catalogue_in_order on earning.catalogue (kind, position desc, created_at desc, id desc)
  where deleted_at is null;
drop index earning.catalogue_shown;
grant update (kind, category, provider, title, title_ko, description, description_ko, points, minutes, url,
  is_enabled, expires_at, position, steps, deleted_at) on earning.catalogue to earnest_app;

-- The picture of an entry, of at most 64 KiB.
create table earning.catalogue_pictures (
  entry_id bigint primary key references earning.catalogue (id) on delete cascade,
  -- SHA-256 of the bytes, by which the picture is read.
  hash text not null check (hash ~ '^[0-9a-f]{64}$'),
  type text not null check (type in ('image/png', 'image/jpeg', 'image/webp')),
  bytes bytea not null check (octet_length(bytes) between 1 and 65536)
);
create index catalogue_pictures_hash on earning.catalogue_pictures (hash);
grant select, insert, update, delete on earning.catalogue_pictures to earnest_app;
