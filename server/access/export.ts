import type { Reader } from '#platform/database.ts';
import * as queries from './queries.ts';

/** Access's sections of the export of a member's data, oldest first, without tokens and hashes. */

const PAGE_ROWS = 500;

/**
 * Reads a list in pages.
 * @param readAfter reads at most `limit` rows after the row `last`; the first ones if it is undefined
 */
export async function* inPages<Row>(
  readAfter: (last: Row | undefined, limit: number) => Promise<Row[]>,
): AsyncGenerator<Row> {
  let last: Row | undefined;
  for (;;) {
    const page: Row[] = await readAfter(last, PAGE_ROWS);
    yield* page;
    if (page.length < PAGE_ROWS) return;
    last = page.at(-1);
  }
}

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
  for (const row of await queries.readIdentities(reader, memberId))
    yield { issuer: row.issuer, subject: row.subject, linkedAt: row.linkedAt.toISOString() };
}

export async function* exportBehaviour(reader: Reader, memberId: number) {
  const rows = inPages<queries.BehaviourRow>((last, limit) =>
    queries.readBehaviourAfter(reader, memberId, last?.id ?? 0n, limit),
  );
  for await (const row of rows)
    yield { receivedAt: row.receivedAt.toISOString(), address: row.address, entries: row.entries };
}
