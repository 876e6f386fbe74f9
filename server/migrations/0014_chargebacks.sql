-- What was taken back from a member, newest first, however long the member's history is. Only reversals are in here,
-- so a credit costs what it did.
create index reversals_member on earning.reversals (member_id, created_at desc) where taken_points > 0;
