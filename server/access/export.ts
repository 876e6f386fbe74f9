import type { Reader } from '#platform/database.ts';
import { readRowByRow } from '#platform/pages.ts';
import { readIdentities } from './identity-queries.ts';
import * as queries from './queries.ts';

/** Access's sections of the export of a member's data, oldest first, without tokens and hashes. */

export async function* exportSessions(reader: Reader, memberId: number) {
  for (const row of await queries.readLiveSessions(reader, memberId))
    yield {
      id: row.id,
      createdAt: row.createdAt.toISOString(),
      lastSeenAt: row.lastSeenAt.toISOString(),
      userAgent: row.userAgent,
      address: row.address,
    };
}

export async function* exportDevices(reader: Reader, memberId: number) {
  for (const row of await queries.readDevices(reader, memberId))
    yield {
      firstSeenAt: row.firstSeenAt.toISOString(),
      lastSeenAt: row.lastSeenAt.toISOString(),
      address: row.address,
      fields: row.fields,
    };
}

export async function* exportIdentities(reader: Reader, memberId: number) {
  for (const row of await readIdentities(reader, memberId))
    yield { issuer: row.issuer, subject: row.subject, linkedAt: row.linkedAt.toISOString() };
}

export async function* exportBehaviour(reader: Reader, memberId: number) {
  const rows = readRowByRow<queries.BehaviourRow>((last, limit) =>
    queries.readBehaviourAfter(reader, memberId, last?.id ?? 0n, limit),
  );
  for await (const row of rows)
    yield { receivedAt: row.receivedAt.toISOString(), address: row.address, entries: row.entries };
}
