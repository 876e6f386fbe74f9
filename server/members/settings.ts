import { type ChatTheme, type Settings, timezone as timezoneRule } from '#contract/members.ts';
import type { User } from '#contract/user.ts';
import type { Reader } from '#platform/database.ts';
import { refuse } from '#platform/refusal.ts';
import * as queries from './queries.ts';
import { userOf } from './user.ts';

/**
 * How a member wants the site to speak to them. What was chosen is stored and holds on every device. What was never
 * chosen follows the device: its language, and the time zone of the device that was used last, else the site's.
 * The currency is for showing the worth of points and changes nothing that is booked or paid.
 */

/** What the calling device speaks, and the zone that the member's latest device told, as it told it. */
export type Device = { language: 'en' | 'ko'; timezone: string | null };

export const readSettings = async (reader: Reader, memberId: number, device: Device): Promise<Settings> =>
  settingsOf(await queries.findSettings(reader, memberId), device);

/** Stores what is given, leaves the rest, and answers the whole. */
export async function changeSettings(
  reader: Reader,
  memberId: number,
  change: { [Name in keyof Settings]?: Settings[Name] | undefined },
  device: Device,
): Promise<Settings> {
  const row = await queries.saveSettings(reader, memberId, {
    language: change.language ?? null,
    timezone: change.timezone ?? null,
    currency: change.currency ?? null,
    emailNotifications: change.emailNotifications ?? null,
  });
  return settingsOf(row, device);
}

/** What a device says of its zone is its word alone, so it counts only where there is such a zone. */
const zoneOrNull = (name: string | null): string | null =>
  name !== null && timezoneRule.safeParse(name).success ? name : null;

const settingsOf = (row: queries.SettingsRow, device: Device): Settings => ({
  language: row.language ?? device.language,
  timezone: row.timezone ?? zoneOrNull(device.timezone) ?? row.siteTimezone,
  currency: row.currency,
  emailNotifications: row.emailNotifications,
});

/** Keeps the colours of the member's messages as they were given, also with a preset's name. */
export async function changeChatTheme(reader: Reader, memberId: number, theme: ChatTheme): Promise<User> {
  await queries.saveChatTheme(reader, memberId, theme);
  const row = await queries.findMember(reader, memberId);
  if (row === undefined) throw refuse('unauthenticated');
  return userOf(row);
}
