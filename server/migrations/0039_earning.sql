-- What a replay credited at once, for the sum of the day that an operator credits alone; null if it credited nothing,
-- or if another operator must approve it first. Replays from before count as nothing.
alter table earning.replays add column credited_points bigint;
create index replays_credited on earning.replays (operator_id, at) where credited_points is not null;
