-- Risk: how often each provider credited in each hour, and activities that are about a provider and name no member.

alter table risk.activities alter column member_id drop not null;

-- Written once, when the hour is over, also for providers without a credit in it. Kept for 31 days.
create table risk.provider_hours (
  provider text not null,
  starts_at timestamptz not null,
  credits integer not null check (credits >= 0),
  primary key (provider, starts_at)
);
create index provider_hours_starts_at on risk.provider_hours (starts_at);
grant select, insert, delete on risk.provider_hours to earnest_app;
