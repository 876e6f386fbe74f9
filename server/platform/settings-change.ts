import { isDeepStrictEqual } from 'node:util';
import type { SiteSettings, SiteSettingsChange } from '#contract/site.ts';
import { changedFields, recordActs } from './audit-trail.ts';
import type { Config } from './config.ts';
import { type Database, json, sql, type Tx } from './database.ts';
import { defaultSettings, withChange } from './settings.ts';

/** Changes of the site's settings. */

/** Locks the row of the settings, which is made first if there is none, so that concurrent changes add up. */
async function lockSettings(tx: Tx): Promise<SiteSettingsChange> {
  await tx.rows(sql`insert into platform.settings (key, value) values ('site', '{}') on conflict do nothing`);
  const { value } = await tx.one<{ value: SiteSettingsChange }>(
    sql`select value from platform.settings where key = 'site' for no key update`,
  );
  return value;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** The fields that differ from the defaults; of an object, its fields that differ. */
function differing(value: Record<string, unknown>, from: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name, field]) => !isDeepStrictEqual(field, from[name]))
      .map(([name, field]) => {
        const other = from[name];
        return [name, isRecord(field) && isRecord(other) ? differing(field, other) : field];
      }),
  );
}

/**
 * Changes the given settings and returns all of them. Every node has them within a second. The operator is null for the
 * command line and for the site itself.
 */
export async function changeSettings(
  database: Database,
  mode: Config['mode'],
  change: SiteSettingsChange,
  operatorId: number | null = null,
): Promise<SiteSettings> {
  const defaults = defaultSettings[mode];
  return database.transaction(async (tx) => {
    const before = withChange(defaults, await lockSettings(tx));
    const after = withChange(before, change);
    await tx.rows(sql`
      update platform.settings set value = ${json(differing(after, defaults))}::jsonb where key = 'site'`);
    const fields = changedFields(before, after);
    if (fields !== undefined)
      await recordActs(tx, [{ operatorId, act: 'site.change', target: 'site', ...fields }]);
    return after;
  });
}
