-- What was done for a restore when a timeline began, so that the next node that finds the same restore leaves alone
-- what came since.
alter table withdrawals.timelines
  -- The stamp in the marker of the node that began it.
  add column instead_of uuid,
  -- Until when the copy's sessions and approvals are dated: the time of the begin, or later where the clock was behind.
  add column copied_until timestamptz,
  -- Whether all sessions were ended, and whether what the copy had approved was parked.
  add column has_ended_sessions boolean not null default false,
  add column has_parked_approved boolean not null default false;
