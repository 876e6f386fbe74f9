import { type Settings, timezone as timezoneRule } from '#contract/members-account.ts';
import type { Reader } from '#platform/database.ts';
import * as queries from './account-queries.ts';

/**
 * How a member wants the site to speak to them. What was chosen is stored and holds on every device. What was never
 * chosen follows the device: its language, and the time zone of the device that was used last, else the site's.
 * The currency is for showing the worth of points and changes nothing that is booked or paid.
 */

/** `deviceLanguage` is what the calling device speaks. */
export async function readSettings(
  reader: Reader,
  memberId: number,
  deviceLanguage: 'en' | 'ko',
): Promise<Settings> {
  return shown(await queries.findSettings(reader, memberId), deviceLanguage);
}

/** Stores what is given, leaves the rest, and answers the whole. */
export async function changeSettings(
  reader: Reader,
  memberId: number,
  change: { [Name in keyof Settings]?: Settings[Name] | undefined },
  deviceLanguage: 'en' | 'ko',
): Promise<Settings> {
  const row = await queries.saveSettings(reader, memberId, {
    language: change.language ?? null,
    timezone: change.timezone ?? null,
    currency: change.currency ?? null,
    emailNotifications: change.emailNotifications ?? null,
  });
  return shown(row, deviceLanguage);
}

/** The language of a device: the one that was chosen on it, else the one that its browser asks for first. */
export function deviceLanguageOf(
  chosen: string | undefined,
  acceptLanguage: string | undefined,
): 'en' | 'ko' {
  if (chosen === 'en' || chosen === 'ko') return chosen;
  return acceptLanguage?.trim().toLowerCase().startsWith('ko') ? 'ko' : 'en';
}

/** What a device says of its zone is its word alone, so it counts only where there is such a zone. */
const zoneOrNull = (name: string | null): string | null =>
  name !== null && timezoneRule.safeParse(name).success ? name : null;

const shown = (row: queries.SettingsRow, deviceLanguage: 'en' | 'ko'): Settings => ({
  language: row.language ?? deviceLanguage,
  timezone: row.timezone ?? zoneOrNull(row.device_timezone) ?? row.site_timezone,
  currency: row.currency,
  emailNotifications: row.email_notifications,
});
