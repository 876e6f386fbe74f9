-- The mode is that of the first start, for ever. Until then there is none.
alter table platform.clock alter column mode drop default, alter column mode drop not null;

-- Releases before this called a database live until a start in sandbox mode. Live was true where somebody is a member.
update platform.clock set mode = null where mode = 'live' and not exists (select from members.members);
