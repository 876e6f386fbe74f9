import { changeSite, readSite } from '#contract/site.ts';
import type { Platform } from '../platform.ts';
import { readSettings } from '../settings.ts';
import { changeSettings } from '../settings-change.ts';
import { handle } from './handle.ts';

/** HTTP for operators: the settings of the site. Reads them once, so that the first page has them. */
export async function registerSite(platform: Platform): Promise<void> {
  const { database, config, settings } = platform;
  await settings.read();
  handle(platform, readSite, () => readSettings(database, config.mode));
  handle(platform, changeSite, ({ caller, body }) => changeSettings(database, config.mode, body, caller.id));
}
