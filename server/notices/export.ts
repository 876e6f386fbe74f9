import type { Reader } from '#platform/database.ts';
import { findCounts, readNumbered } from './queries.ts';

const PAGE_ROWS = 200n;

/** Exports all notices of a member, oldest first. */
export async function* exportNotices(reader: Reader, memberId: number): AsyncGenerator<unknown> {
  const { noticeCount = 0n, removedCount = 0n } = (await findCounts(reader, memberId)) ?? {};
  for (let after = removedCount; after < noticeCount; after += PAGE_ROWS) {
    const rows = await readNumbered(reader, memberId, after, after + PAGE_ROWS);
    for (const row of rows.reverse())
      yield {
        id: String(row.memberNumber),
        kind: row.kind,
        facts: row.facts,
        createdAt: row.createdAt.toISOString(),
        readAt: row.readAt?.toISOString() ?? null,
      };
  }
}
