-- What browsers tell of themselves is bounded: what nobody signed in with is dropped by its age.
create index devices_unknown on members.devices (last_seen_at) where member_id = 0;
grant delete on members.devices to earnest_app;
