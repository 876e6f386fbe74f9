-- Access: how risky a session looks. Risk computes it from stored facts, with its reasons.

alter table access.sessions
  add column risk_score smallint not null default 0 check (risk_score between 0 and 100),
  -- Pairs of a reason and its points.
  add column risk_reasons jsonb not null default '[]';
create index sessions_risky on access.sessions (risk_score desc, id) where risk_score >= 50;
