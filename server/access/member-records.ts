import type { Network } from '#contract/network.ts';
import { deviceNameIn } from '#contract/user-agent.ts';
import type { Reader } from '#platform/database.ts';
import type { Networks } from '#platform/networks.ts';
import { linesAfter, TIME_AND_ID, type TimelineSource } from '#platform/timeline.ts';
import { findDeviceTimezone } from './devices.ts';
import * as queries from './member-records-queries.ts';
import { listOperatorAddresses, type OwnSession, readLiveSessions } from './queries.ts';

/** What operators see of a member from signing in: sessions, linked logins, accounts on the same device. */

export type SignInRecord = {
  lastSeen: { at: Date; userAgent: string } | null;
  /** The issuers of linked identities. */
  linkedLogins: string[];
  /** The live ones, the last seen first. */
  sessions: (OwnSession & { network: Network | null })[];
};

export async function readSignInRecord(
  reader: Reader,
  networks: Networks,
  memberId: number,
): Promise<SignInRecord> {
  const [lastSeen, issuers, sessions] = await Promise.all([
    queries.findLastSeen(reader, memberId),
    queries.listIssuers(reader, memberId),
    readLiveSessions(reader, memberId),
  ]);
  return {
    lastSeen: lastSeen ?? null,
    linkedLogins: issuers.map(({ issuer }) => issuer),
    sessions: sessions.map((session) => ({ ...session, network: networks.find(session.address) })),
  };
}

const OPERATOR_ADDRESSES_MAX = 1_000;

/** Reads the addresses from which operators are signed in. */
export const readOperatorAddresses = async (reader: Reader): Promise<string[]> =>
  (await listOperatorAddresses(reader, OPERATOR_ADDRESSES_MAX)).map(({ address }) => address);

/** Finds other members who used one of this member's browsers at the same public address. */
export const findDeviceSharers = async (reader: Reader, memberId: number, limit: number): Promise<number[]> =>
  (await queries.findDeviceSharers(reader, memberId, limit)).map((row) => row.memberId);

/** What a member's devices say, for a decision: how many there are, who else used one, the last session, the zone. */
export async function readDeviceFacts(reader: Reader, memberId: number, sharersMax: number) {
  const [{ deviceCount }, sharers, lastSeen, timezone] = await Promise.all([
    queries.countDevices(reader, memberId),
    findDeviceSharers(reader, memberId, sharersMax),
    queries.findLastSeen(reader, memberId),
    findDeviceTimezone(reader, memberId),
  ]);
  return {
    deviceCount: Number(deviceCount),
    sharerCount: sharers.length,
    lastSeen: lastSeen ?? null,
    timezone,
  };
}

/** Logins with a session that is still kept as lines of the operators' timeline. A member has few of them. */
export const loginLines: TimelineSource = {
  name: 'login',
  part: 'access',
  placeForm: TIME_AND_ID,
  read: async (reader, memberId, after, limit) => {
    const sessions = await queries.listLogins(reader, memberId);
    const lines = sessions.map(({ id, createdAt, userAgent, address }) => ({
      id,
      at: createdAt,
      kind: 'login' as const,
      text: `Logged in with ${deviceNameIn('en', userAgent)}`,
      link: null,
      amount: null,
      balanceAfter: null,
      facts: { userAgent, address },
    }));
    return linesAfter(lines, after, limit);
  },
};

/** The network addresses that these members share with each other. */
export const listSharedNetworks = queries.listSharedNetworks;

/** The browsers that these members share with others at one public address. */
export const listSharedDevices = async (reader: Reader, memberIds: readonly number[], membersMax: number) =>
  (await queries.listSharedDevices(reader, memberIds, membersMax)).map((row) => ({
    identifier: row.fingerprint.slice(0, FINGERPRINT_SHOWN),
    address: row.address,
    memberIds: row.memberIds,
  }));
/** So much of a fingerprint tells browsers apart, and can't be made into one. */
const FINGERPRINT_SHOWN = 16;
