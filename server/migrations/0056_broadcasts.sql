-- A repeated request to begin a broadcast finds the broadcast by the operator's key. Null if none was sent.
alter table broadcasts.broadcasts
  add column begin_key text,
  add constraint broadcasts_begin_key unique (created_by, begin_key);
