-- The `Idempotency-Key` of the call that made a ticket or a response, so that a repeat after a lost answer makes no
-- other.
alter table support.tickets
  add column request_key text check (length(request_key) between 1 and 255),
  add constraint tickets_request unique (member_id, request_key);
alter table support.responses
  add column request_key text check (length(request_key) between 1 and 255),
  add constraint responses_request unique (operator_id, request_key);
