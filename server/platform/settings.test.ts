import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import pino from 'pino';
import { riskRules } from '#contract/rule-modes.ts';
import { siteSettingsChange } from '#contract/site.ts';
import { testDatabase } from '../../test/database.ts';
import { sql } from './database.ts';
import { createLog } from './log.ts';
import { createSettings, defaultSettings, readSettings } from './settings.ts';
import { changeSettings } from './settings-change.ts';

const { database, owner } = await testDatabase({ after });
const log = createLog('silent');
const reset = () => owner.rows(sql`delete from platform.settings where key = 'site'`);

test('starts a live site with caps, a delay and the hold of new addresses, a sandbox without', async () => {
  assert.deepEqual(await readSettings(database, 'live'), {
    brand: { name: 'Earnest', supportEmail: null, logo: null, lightColor: null, darkColor: null },
    processingTime: '1–3 business days',
    bonusSchedule: ['5', '10', '15', '20', '25', '30', '50'],
    payoutDelaySeconds: 30,
    payoutsPaused: false,
    caps: { memberDay: '100000', methodDay: '500000', secondPersonFrom: '50000' },
    rateBounds: { differencePercent: 2, jumpPercent: 15 },
    providerCeilingTimes: 10,
    switches: { addressHold: true },
    postbackDays: 400,
    chat: { slowModeSeconds: 0, linksNeedEarnings: false, keptDays: 365 },
    riskRules: Object.fromEntries(riskRules.map((rule) => [rule, 'on'])),
  });
  const { caps, payoutDelaySeconds, providerCeilingTimes, switches } = await readSettings(
    database,
    'sandbox',
  );
  assert.equal(providerCeilingTimes, null);
  assert.deepEqual(caps, { memberDay: null, methodDay: null, secondPersonFrom: null });
  assert.equal(payoutDelaySeconds, 3);
  assert.equal(switches.addressHold, false);
});

test('changes the named settings alone, and keeps only what differs from the defaults', async () => {
  await changeSettings(database, 'sandbox', { caps: { memberDay: '7000' }, payoutDelaySeconds: 5 });
  const changed = await changeSettings(database, 'sandbox', { caps: { methodDay: '9000' } });
  assert.deepEqual(changed.caps, { memberDay: '7000', methodDay: '9000', secondPersonFrom: null });
  assert.equal(changed.payoutDelaySeconds, 5);
  assert.deepEqual(await readSettings(database, 'sandbox'), changed);
  await changeSettings(database, 'sandbox', { caps: { methodDay: null }, payoutDelaySeconds: 3 });
  const row = await owner.one(sql`select value from platform.settings where key = 'site'`);
  assert.deepEqual(row, { value: { caps: { memberDay: '7000' } } });
  await reset();
});

test('keeps every one of 20 changes at once', async () => {
  const names = ['memberDay', 'methodDay', 'secondPersonFrom'] as const;
  await Promise.all([
    ...names.map((name) => changeSettings(database, 'sandbox', { caps: { [name]: '4000' } })),
    ...Array.from({ length: 16 }, () => changeSettings(database, 'sandbox', { processingTime: '2–4' })),
    changeSettings(database, 'sandbox', { payoutDelaySeconds: 9 }),
  ]);
  const { caps, processingTime, payoutDelaySeconds } = await readSettings(database, 'sandbox');
  assert.deepEqual(
    [caps, processingTime, payoutDelaySeconds],
    [{ memberDay: '4000', methodDay: '4000', secondPersonFrom: '4000' }, '2–4', 9],
  );
  await reset();
});

test('keeps the settings of a node for a second', async () => {
  let nowMs = 0;
  const settings = createSettings({ database, mode: 'sandbox', log, now: () => nowMs });
  assert.deepEqual(await settings.read(), defaultSettings.sandbox);
  await changeSettings(database, 'sandbox', { payoutDelaySeconds: 8 });
  nowMs = 999;
  assert.equal((await settings.read()).payoutDelaySeconds, 3);
  nowMs = 1_000;
  assert.equal(settings.latest().payoutDelaySeconds, 3, 'a page does not wait for the database');
  assert.equal((await settings.read()).payoutDelaySeconds, 8);
  assert.equal(settings.latest().payoutDelaySeconds, 8);
  await reset();
});

test('takes what this node itself has changed at once', async () => {
  const settings = createSettings({ database, mode: 'sandbox', log, now: () => 0 });
  await settings.read();
  await changeSettings(database, 'sandbox', { brand: { name: 'Farthing' } });
  assert.equal((await settings.readForPage()).brand.name, 'Earnest');
  settings.forget();
  assert.equal((await settings.readForPage()).brand.name, 'Farthing');
  await reset();
});

test('ignores stored settings of another version', async () => {
  await owner.rows(sql`
    insert into platform.settings (key, value) values ('site', '{"later": 1, "caps": {"later": "1"}}')`);
  assert.deepEqual(await readSettings(database, 'sandbox'), defaultSettings.sandbox);
  await reset();
});

test('refuses what is no setting', () => {
  for (const change of [
    { later: 1 },
    { caps: { later: '1' } },
    { caps: { memberDay: 5 } },
    { caps: { memberDay: '0' } },
    { caps: { memberDay: '-5' } },
    { caps: null },
    { payoutDelaySeconds: 1.5 },
    { payoutDelaySeconds: -1 },
    { processingTime: ' ' },
    { brand: { name: ' ' } },
    { brand: { name: 'x'.repeat(41) } },
    { brand: { name: 'Two\nlines' } },
    { brand: { supportEmail: 'https://example.com' } },
    { brand: { logo: 'https://example.com/logo.png' } },
    { brand: { lightColor: 'red' } },
    { brand: { lightColor: '#E07A2F' } },
    { brand: { darkColor: '#0F4D37' } },
    { brand: { later: '1' } },
    { bonusSchedule: ['1', '1', '1', '1', '1', '1'] },
    { bonusSchedule: Array.from({ length: 32 }, () => '1') },
    { bonusSchedule: ['1', '1', '1', '1', '1', '1', '0'] },
    { bonusSchedule: ['1', '1', '1', '1', '1', '1', '1.5'] },
    { bonusSchedule: ['1', '1', '1', '1', '1', '1', '1000001'] },
    { rateBounds: { jumpPercent: 0 } },
    { switches: { addressHold: 'yes' } },
  ])
    assert.equal(siteSettingsChange.safeParse(change).success, false, JSON.stringify(change));
});

test('logs an outage of the database once, and the next one again', async () => {
  const lines: string[] = [];
  const kept = pino({ level: 'info' }, { write: (line) => void lines.push(line) });
  let nowMs = 0;
  const settings = createSettings({ database, mode: 'sandbox', log: kept, now: () => nowMs });
  const look = async () => {
    nowMs += 2_000;
    settings.latest();
    await settings.read().catch(() => undefined);
  };
  for (const outage of [1, 2]) {
    await look();
    await owner.rows(sql`revoke select on platform.settings from earnest_app`);
    for (let tries = 0; tries < 5; tries += 1) await look();
    assert.equal(lines.length, outage);
    await owner.rows(sql`grant select on platform.settings to earnest_app`);
  }
  assert.match(lines[0] ?? '', /the settings of the site could not be read/);
});
