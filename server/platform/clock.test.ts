import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { testDatabase } from '../../test/database.ts';
import { ensureAccount } from '../members/members.ts';
import { configureClock, type Mode, requireMode } from './clock.ts';
import { ConfigFault } from './config.ts';
import { sql } from './database.ts';
import { migrate } from './database-migrations.ts';

/** The mode of a database: that of its first start. Whole starts are in test/live-mode.site.test.ts. */
const siteTimezone = 'Asia/Seoul';

/** A database as the release before left it: every one said a mode, which was live until a sandbox started. */
async function olderDatabase(t: TestContext, mode: Mode) {
  const { database, owner, ownerUrl } = await testDatabase(t);
  await owner.rows(sql`update platform.clock set mode = ${mode}`);
  await owner.rows(
    sql`alter table platform.clock alter column mode set default 'live', alter column mode set not null`,
  );
  await owner.rows(sql`delete from platform.migrations where name >= '0017'`);
  return { database, owner, ownerUrl };
}

test('Of two first starts at once, in two modes, one is refused and the other’s mode stays', async (t) => {
  const { owner, ownerUrl } = await testDatabase(t);
  const modes: Mode[] = ['live', 'sandbox'];
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

test('A mode is kept and the time zone follows the environment', async (t) => {
  const { owner, ownerUrl } = await testDatabase(t);
  await configureClock(ownerUrl, { siteTimezone, mode: 'live' });
  await configureClock(ownerUrl, { siteTimezone: 'UTC', mode: 'live' });
  await assert.rejects(configureClock(ownerUrl, { siteTimezone, mode: 'sandbox' }), ConfigFault);
  assert.deepEqual(await owner.one(sql`select mode, site_timezone from platform.clock`), {
    mode: 'live',
    site_timezone: 'UTC',
  });
});

for (const { mode, other } of [
  { mode: 'live', other: 'sandbox' },
  { mode: 'sandbox', other: 'live' },
] as const)
  test(`A ${mode} database of an older release starts in its own mode alone`, async (t) => {
    const { database, ownerUrl } = await olderDatabase(t, mode);
    const person = { email: 'mina@example.com', firstName: 'Mina', lastName: null };
    await ensureAccount(database, { ...person, password: null, role: 'user' });
    await requireMode(ownerUrl, mode);
    await migrate(ownerUrl);
    await assert.rejects(requireMode(ownerUrl, other), ConfigFault);
    await assert.rejects(configureClock(ownerUrl, { siteTimezone, mode: other }), ConfigFault);
    await configureClock(ownerUrl, { siteTimezone, mode });
  });

test('A sandbox of an older release is refused to live mode before it is migrated', async (t) => {
  const { ownerUrl } = await olderDatabase(t, 'sandbox');
  await assert.rejects(requireMode(ownerUrl, 'live'), ConfigFault);
});

test('A first start that was cut off, wherever it was, leaves the choice open', async (t) => {
  const { ownerUrl } = await olderDatabase(t, 'live');
  const isOpen = async () => {
    await requireMode(ownerUrl, 'sandbox');
    await requireMode(ownerUrl, 'live');
  };
  await isOpen();
  await migrate(ownerUrl);
  await isOpen();
});
