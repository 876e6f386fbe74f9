import type { ChatTheme, Settings, SettingsChange } from '#contract/members.ts';
import { alwaysMailed, type NoticeKind, noticeKinds } from '#contract/notice-kinds.ts';
import { isTimezone, NO_TIMEZONE } from '#contract/time-zone.ts';
import type { User } from '#contract/user.ts';
import type { Database, Reader } from '#platform/database.ts';
import { InvalidRequest } from '#platform/http/problem.ts';
import { refuse } from '#platform/refusal.ts';
import { isKnownTimezone } from '#platform/time-zone.ts';
import * as queries from './queries.ts';
import { findMember } from './sign-in-queries.ts';
import { userOf } from './user.ts';

/**
 * A member's settings. A chosen setting is stored and applies on every device. Without a choice, the language is the
 * device's, and the time zone that of the member's latest device, else the site's. The currency only changes how the
 * worth of points is displayed. Of notices the kinds without mail are stored, so that new kinds are mailed.
 */

/** The calling device's language, and the time zone that the member's latest device reported, unchecked. */
export type Device = { language: 'en' | 'ko'; timezone: string | null };

export const readSettings = async (reader: Reader, memberId: number, device: Device): Promise<Settings> =>
  settingsOf(await queries.findSettings(reader, memberId), device);

/** Changes the given settings and returns all settings. @throws InvalidRequest for an unknown zone */
export async function changeSettings(
  database: Database,
  memberId: number,
  change: SettingsChange,
  device: Device,
): Promise<Settings> {
  if (change.timezone !== undefined && !(await isKnownTimezone(database, change.timezone)))
    throw new InvalidRequest([{ path: 'timezone', message: NO_TIMEZONE }]);
  const row = await queries.saveSettings(database, memberId, {
    language: change.language ?? null,
    timezone: change.timezone ?? null,
    currency: change.currency ?? null,
    emailNotifications: change.emailNotifications ?? null,
    mailedNotices: noticeKinds.filter((kind) => change.notices?.[kind]?.mail === true),
    unmailedNotices: noticeKinds.filter((kind) => change.notices?.[kind]?.mail === false),
  });
  return settingsOf(row, device);
}

/** Checks a zone that a device reported, because a browser can report any text. */
const zoneOrNull = (name: string | null): string | null => (name !== null && isTimezone(name) ? name : null);

const settingsOf = (row: queries.SettingsRow, device: Device): Settings => ({
  language: row.language ?? device.language,
  timezone: row.timezone ?? zoneOrNull(device.timezone) ?? row.siteTimezone,
  currency: row.currency,
  emailNotifications: row.emailNotifications,
  notices: Object.fromEntries(
    noticeKinds.map((kind) => [kind, { mail: isMailed(kind, row.unmailedNotices), push: false as const }]),
  ) as Settings['notices'],
});

const isMailed = (kind: NoticeKind, unmailed: readonly string[]): boolean =>
  alwaysMailed.includes(kind) || !unmailed.includes(kind);

/** Stores the colours of the member's messages as given, even with a preset's name. */
export async function changeChatTheme(reader: Reader, memberId: number, theme: ChatTheme): Promise<User> {
  await queries.saveChatTheme(reader, memberId, theme);
  const row = await findMember(reader, memberId);
  if (row === undefined) throw refuse('unauthenticated');
  return userOf(row);
}
