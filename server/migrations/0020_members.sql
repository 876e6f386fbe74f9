-- When a member was last made an operator. Null for whoever was one from the beginning. What an operator asked for, or
-- approved first, before losing the role counts no more after the role came back.
alter table members.members add column operator_since timestamptz;
