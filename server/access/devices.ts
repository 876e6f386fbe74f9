import { createHash } from 'node:crypto';
import type { FingerprintFields } from '#contract/access.ts';
import type { Database, Reader } from '#platform/database.ts';
import * as queries from './queries.ts';

/**
 * Devices by what their browsers tell of themselves, which anybody can make up. So what is kept is bounded: of a member
 * the first and those used last, fifty together, and what told of itself while nobody was signed in for two days, in
 * which a registration may follow. The first stays, because what is made up later must not push out the device that
 * somebody registered with. Whether a device speaks against anybody is decided in `registration.ts`.
 */
const DEVICES_PER_MEMBER_MAX = 50;
const UNKNOWN_KEPT_HOURS = 48;
const DROPPED_AT_ONCE_MAX = 2_000;

export const fingerprintHash = (fields: FingerprintFields): Buffer =>
  createHash('sha256')
    .update(JSON.stringify(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1))))
    .digest();

/** Keeps that a device was seen, by a member or before anybody signed in. */
export const recordDevice = (
  reader: Reader,
  device: { fields: FingerprintFields; memberId: number | null; address: string },
) =>
  queries.upsertDevice(reader, {
    fingerprintHash: fingerprintHash(device.fields),
    memberId: device.memberId ?? 0,
    address: device.address,
    fields: device.fields,
    perMemberMax: DEVICES_PER_MEMBER_MAX,
  });

/** Drops, in small steps, what was told while nobody was signed in and not again since. */
export async function forgetUnknownDevices(database: Database): Promise<void> {
  let dropped = DROPPED_AT_ONCE_MAX;
  while (dropped === DROPPED_AT_ONCE_MAX)
    dropped = await queries.deleteUnknownDevices(database, {
      hours: UNKNOWN_KEPT_HOURS,
      rowsMax: DROPPED_AT_ONCE_MAX,
    });
}

/** The time zone that the member's latest device told, as it told it; null where none did. */
export const findDeviceTimezone = async (reader: Reader, memberId: number): Promise<string | null> =>
  (await queries.findDeviceTimezone(reader, memberId))?.timezone ?? null;
