import { createHash } from 'node:crypto';
import type { FingerprintFields } from '#contract/access.ts';
import type { Database, Reader } from '#platform/database.ts';
import * as queries from './queries.ts';

/**
 * Devices by their fingerprints. A browser can report any fingerprint, so storage is bounded: per member the first
 * device and the latest ones, fifty in all; devices without a member for two days, in which a registration may follow.
 * The first one is kept, so that invented fingerprints can't displace the device of the registration. `registration.ts`
 * decides what a device means for a registration.
 */
const DEVICES_PER_MEMBER_MAX = 50;
const UNKNOWN_KEPT_HOURS = 48;
const DROPPED_AT_ONCE_MAX = 2_000;

export const fingerprintHash = (fields: FingerprintFields): Buffer =>
  createHash('sha256')
    .update(JSON.stringify(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1))))
    .digest();

/** Records that a device was seen, with or without a member. */
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

/** Deletes old devices without a member, in small steps. */
export async function deleteUnknownDevices(database: Database): Promise<void> {
  let dropped = DROPPED_AT_ONCE_MAX;
  while (dropped === DROPPED_AT_ONCE_MAX)
    dropped = await queries.deleteUnknownDevices(database, {
      hours: UNKNOWN_KEPT_HOURS,
      rowsMax: DROPPED_AT_ONCE_MAX,
    });
}

/** Finds the time zone that the member's latest device reported, unchecked; null if there is none. */
export const findDeviceTimezone = async (reader: Reader, memberId: number): Promise<string | null> =>
  (await queries.findDeviceTimezone(reader, memberId))?.timezone ?? null;
