-- The periods for which a provider's credits are summed.

-- The current hour and site day, as earning.paid_sums has them.
create or replace view earning.current_periods as
  select c.* from (
    select 'hour' as period, date_trunc('hour', platform.business_now(), 'UTC') as starts_at
    union all
    select 'day', platform.site_day(platform.business_now())::timestamp at time zone 'UTC') c;
grant select on earning.current_periods to earnest_app;
