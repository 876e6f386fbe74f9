import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { deviceNameIn } from '#contract/user-agent.ts';
import type { Reader } from '#platform/database.ts';
import { linesAfter, TIME_AND_ID, type TimelineSource } from '#platform/timeline.ts';
import * as queries from './member-records-queries.ts';

/** What operators see of a member from signing in: sessions, linked logins, accounts on the same device. */

export type SignInRecord = {
  lastSeen: { at: Date; userAgent: string } | null;
  /** The issuers of linked identities. */
  linkedLogins: string[];
};

export async function readSignInRecord(reader: Reader, memberId: number): Promise<SignInRecord> {
  const [lastSeen, issuers] = await Promise.all([
    queries.findLastSeen(reader, memberId),
    queries.listIssuers(reader, memberId),
  ]);
  return { lastSeen: lastSeen ?? null, linkedLogins: issuers.map(({ issuer }) => issuer) };
}

/** Whether an address identifies a connection. Loopback and private ones are never evidence. */
const isPublic = (address: string): boolean =>
  isIP(address) !== 0 && ipaddr.process(address).range() === 'unicast';

/** Finds other members who used one of this member's browsers at the same public address. */
export async function findDeviceSharers(reader: Reader, memberId: number, limit: number): Promise<number[]> {
  const found = await queries.findDeviceSharers(reader, memberId, limit);
  return found.filter(({ address }) => isPublic(address)).map((row) => row.memberId);
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
