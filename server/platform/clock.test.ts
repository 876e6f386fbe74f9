import assert from 'node:assert/strict';
import { test } from 'node:test';
import { testDatabase } from '../../test/database.ts';
import { readSqlSources, sqlTextsOf } from '../../test/sql-texts.ts';
import { changeTimezone, configureClock, requireMode } from './clock.ts';
import { type Config, ConfigFault } from './config.ts';
import { sql } from './database.ts';
import { migrate } from './database-migrations.ts';
import { isSharedTimezone } from './time-zone.ts';

/** The mode of a database is that of its first start. Whole starts are in test/live-mode.site.test.ts. */
const siteTimezone = 'Asia/Seoul';

test('refuses one of two concurrent first starts in different modes', async (t) => {
  const { owner, ownerUrl } = await testDatabase(t);
  const modes: Config['mode'][] = ['live', 'sandbox'];
  const starts = await Promise.allSettled(
    modes.map((mode) => configureClock(ownerUrl, { siteTimezone, mode })),
  );
  const refused = starts.filter((start) => start.status === 'rejected');
  assert.deepEqual(
    refused.map(({ reason }) => reason instanceof ConfigFault),
    [true],
  );
  const first = modes[starts.findIndex((start) => start.status === 'fulfilled')];
  assert.deepEqual(await owner.one(sql`select mode from platform.clock`), { mode: first });
});

test('keeps the mode and the time zone of the first start', async (t) => {
  const { owner, ownerUrl } = await testDatabase(t);
  await configureClock(ownerUrl, { siteTimezone, mode: 'live' });
  assert.equal(await configureClock(ownerUrl, { siteTimezone: 'UTC', mode: 'live' }), siteTimezone);
  await assert.rejects(configureClock(ownerUrl, { siteTimezone, mode: 'sandbox' }), ConfigFault);
  assert.deepEqual(await owner.one(sql`select mode, site_timezone from platform.clock`), {
    mode: 'live',
    site_timezone: siteTimezone,
  });
});

test('changes the time zone by a command of its own, which is in the audit trail', async (t) => {
  const { owner, ownerUrl } = await testDatabase(t);
  await configureClock(ownerUrl, { siteTimezone, mode: 'live' });
  assert.equal(await changeTimezone(owner, 'Europe/Berlin'), siteTimezone);
  assert.equal(await changeTimezone(owner, 'Europe/Berlin'), 'Europe/Berlin');
  for (const zone of ['', 'Mars/Olympus', 'KST', 'UTC+9', 'foo+3', '+09:00', 'JST', 'Factory'])
    assert.equal(await changeTimezone(owner, zone), undefined, zone);
  assert.equal(await configureClock(ownerUrl, { siteTimezone, mode: 'live' }), 'Europe/Berlin');
  const acts = await owner.rows(sql`select act, before, after from platform.acts`);
  assert.deepEqual(acts, [
    {
      act: 'site.change-timezone',
      before: { siteTimezone },
      after: { siteTimezone: 'Europe/Berlin' },
    },
  ]);
});

for (const { mode, other } of [
  { mode: 'live', other: 'sandbox' },
  { mode: 'sandbox', other: 'live' },
] as const)
  test(`accepts a ${mode} database only in its own mode`, async (t) => {
    const { ownerUrl } = await testDatabase(t);
    await configureClock(ownerUrl, { siteTimezone, mode });
    await requireMode(ownerUrl, mode);
    await migrate(ownerUrl);
    await assert.rejects(requireMode(ownerUrl, other), ConfigFault);
    await assert.rejects(configureClock(ownerUrl, { siteTimezone, mode: other }), ConfigFault);
    await configureClock(ownerUrl, { siteTimezone, mode });
  });

test('refuses a zone at the first start that PostgreSQL and the program do not share', async (t) => {
  const { owner, ownerUrl } = await testDatabase(t);
  const message = /SITE_TIMEZONE: must be an IANA time zone such as Asia\/Seoul/;
  await assert.rejects(configureClock(ownerUrl, { siteTimezone: 'JST', mode: 'live' }), { message });
  for (const zone of ['Asia/Kolkata', 'America/Havana', 'Etc/GMT+9', 'UTC', 'Africa/Cairo'])
    assert.equal(await isSharedTimezone(owner, zone), true, zone);
  // The former release took it.
  await owner.rows(sql`update platform.clock set site_timezone = 'KST', mode = 'live'`);
  await assert.rejects(configureClock(ownerUrl, { siteTimezone, mode: 'live' }), {
    message: /admin -- timezone/,
  });
  assert.equal(await changeTimezone(owner, siteTimezone), 'KST');
  assert.equal(await configureClock(ownerUrl, { siteTimezone, mode: 'live' }), siteTimezone);
});

test('puts each moment in its own day, also where midnight is missing or comes twice', async (t) => {
  const { owner } = await testDatabase(t);
  const zones = [
    // Midnight comes twice.
    'America/Havana',
    'Atlantic/Azores',
    // It is missing.
    'Asia/Beirut',
    'Africa/Cairo',
    'America/Santiago',
    'America/Scoresbysund',
    // The clock changes some hours before or after it.
    'America/Nuuk',
    'Australia/Lord_Howe',
    'Europe/Berlin',
    'Asia/Seoul',
  ];
  const wrong = await owner.rows(sql`
    select zone, at from unnest(${zones}::text[]) zone
      cross join generate_series('2026-01-01 00:15Z'::timestamptz, '2026-12-31', interval '1 hour') at
      cross join lateral platform.day_range_in(zone, at) as range
    where not range @> at
      or platform.day_in(zone, lower(range)) <> platform.day_in(zone, at)
      or platform.day_in(zone, lower(range) - interval '1 second') <> platform.day_in(zone, at) - 1
      or platform.day_in(zone, upper(range)) <> platform.day_in(zone, at) + 1
    limit 5`);
  assert.deepEqual(wrong, []);
});

test('leaves the mode open after an interrupted first start', async (t) => {
  const { ownerUrl } = await testDatabase(t);
  const isOpen = async () => {
    await requireMode(ownerUrl, 'sandbox');
    await requireMode(ownerUrl, 'live');
  };
  await isOpen();
  await migrate(ownerUrl);
  await isOpen();
});

test('calculates business time in one function, which the planner inlines for the application', async (t) => {
  const formulas = readSqlSources()
    // Leases, and who works on an act on many, expire by the real clock.
    .filter(({ path }) => !['server/platform/leases.ts', 'server/withdrawals/bulk-queries.ts'].includes(path))
    .flatMap(sqlTextsOf)
    .flatMap(({ path, text }) => [...text.matchAll(/clock_timestamp\(\)\s*\+/g)].map(() => path));
  assert.deepEqual(formulas, ['server/migrations/0001_platform.sql']);
  const { database } = await testDatabase(t);
  const plan = await database.rows<{ 'QUERY PLAN': string }>(sql`
    explain (verbose, costs off) select platform.day_in(site_timezone, now)
    from (select platform.business_time(offset_seconds) as now, site_timezone from platform.site_clock) c`);
  const text = plan.map((line) => line['QUERY PLAN']).join(' ');
  assert.match(text, /clock_timestamp\(\)/);
  assert.doesNotMatch(text, /business_time|day_in/);
  assert.equal(text.match(/clock_timestamp\(\)/g)?.length, 1, 'evaluated once');
});
