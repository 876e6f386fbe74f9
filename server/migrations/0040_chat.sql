-- Chat: channels, messages, what members have read, bans, banned words, reports and mutes.

create schema chat;
grant usage on schema chat to earnest_app;

-- The general channel is 1 and has no owner. The others belong to a ticket and to the member who opened it.
create table chat.channels (
  id bigint primary key check (id >= 1),
  member_id integer references members.members (id),
  name text not null check (length(name) between 1 and 200),
  -- The place of the newest message. The row's lock gives messages their places without a gap.
  seq bigint not null default 0,
  constraint channels_general_without_owner check ((id = 1) = (member_id is null))
);
create index channels_member on chat.channels (member_id, id desc) where member_id is not null;
insert into chat.channels (id, name) values (1, 'General');

create table chat.messages (
  id bigint generated always as identity primary key,
  channel_id bigint not null references chat.channels (id),
  seq bigint not null,
  member_id integer not null references members.members (id),
  -- Whether its writer was an operator, who appears under the name of the site.
  is_from_operator boolean not null,
  body text not null check (length(body) between 1 and 5000),
  -- The name that the writer's browser gave it, so that a repeat is no second message.
  client_id text check (length(client_id) between 1 and 64),
  created_at timestamptz not null,
  -- An operator took it out, or it waits for one because it may show personal data.
  hidden_at timestamptz,
  unique (channel_id, seq)
);
create unique index messages_client on chat.messages (channel_id, member_id, client_id) where client_id is not null;
create index messages_member on chat.messages (member_id, channel_id, seq desc);

-- The place up to which a member has read a channel. Without a row a member has read all of the general channel.
create table chat.reads (
  channel_id bigint not null references chat.channels (id),
  member_id integer not null references members.members (id),
  seq bigint not null,
  primary key (member_id, channel_id)
);

create table chat.bans (
  id bigint generated always as identity primary key,
  member_id integer not null references members.members (id),
  reason text not null check (length(reason) between 1 and 500),
  duration text not null check (duration in ('1day', '7days', 'permanent')),
  created_at timestamptz not null,
  created_by integer references members.members (id),
  -- Null: it ends when it is lifted.
  expires_at timestamptz,
  lifted_at timestamptz,
  lifted_by integer references members.members (id)
);
create index bans_member on chat.bans (member_id, id desc);

create table chat.words (
  id bigint generated always as identity primary key,
  word text not null check (length(word) between 1 and 500),
  -- The word as the filter reads it. Two that read alike are one.
  read_as text not null unique,
  created_at timestamptz not null,
  created_by integer references members.members (id)
);
-- How many messages a word stopped on a site day.
create table chat.word_days (
  word_id bigint not null references chat.words (id) on delete cascade,
  day date not null,
  blocked bigint not null,
  primary key (word_id, day)
);

create table chat.reports (
  message_id bigint not null references chat.messages (id),
  member_id integer not null references members.members (id),
  reason text not null check (reason in ('begging', 'scam', 'insult', 'personal-data', 'other')),
  created_at timestamptz not null,
  primary key (message_id, member_id)
);
-- A reported message, once, and what was decided about it.
create table chat.cases (
  message_id bigint primary key references chat.messages (id),
  reporters integer not null,
  reason text not null,
  reported_at timestamptz not null,
  decision text check (decision in ('leave', 'delete', 'warn', 'ban')),
  decided_at timestamptz,
  decided_by integer references members.members (id)
);
create index cases_open on chat.cases (reporters desc, message_id desc) where decision is null;

-- Whose messages a member does not want to see.
create table chat.mutes (
  member_id integer not null references members.members (id),
  muted_id integer not null references members.members (id),
  created_at timestamptz not null,
  primary key (member_id, muted_id)
);

-- Every ticket has a channel.
insert into chat.channels (id, member_id, name)
select channel_id, member_id, subject from support.tickets;

-- Responses of before are the first messages of their channels.
insert into chat.messages (channel_id, seq, member_id, is_from_operator, body, created_at)
select t.channel_id, row_number() over (partition by t.channel_id order by r.response_number), r.operator_id, true,
  r.response, r.created_at
from support.responses r join support.tickets t on t.id = r.ticket_id
order by r.response_number;
update chat.channels c set seq = m.seq
from (select channel_id, max(seq) as seq from chat.messages group by channel_id) m where m.channel_id = c.id;
insert into chat.reads (channel_id, member_id, seq)
select id, member_id, seq from chat.channels where member_id is not null and seq > 0;

grant select on all tables in schema chat to earnest_app;
grant insert, update on chat.reads, chat.word_days to earnest_app;
grant insert, delete on chat.mutes, chat.words to earnest_app;
grant insert, update on chat.reports, chat.cases to earnest_app;
grant insert on chat.bans to earnest_app;
grant update (lifted_at, lifted_by) on chat.bans to earnest_app;
grant update (hidden_at) on chat.messages to earnest_app;
