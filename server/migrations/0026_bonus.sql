-- The schedule of the bonus is a setting of the site, which operators change. Its default is in platform/functions.sql.

insert into platform.settings (key, value)
select 'site', jsonb_build_object('bonusSchedule',
  (select jsonb_agg(points::text order by day) from unnest(schedule) with ordinality as d (points, day)))
from bonus.settings where schedule <> '{5,10,15,20,25,30,50}'
on conflict (key) do update set value = platform.settings.value || excluded.value;
drop table bonus.settings;
