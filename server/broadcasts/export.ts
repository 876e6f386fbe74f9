import type { Reader } from '#platform/database.ts';
import { readMailsOf } from './queries.ts';

const PAGE_ROWS = 200;

/** Exports the mails of broadcasts to a member, oldest first. */
export async function* exportBroadcasts(reader: Reader, memberId: number): AsyncGenerator<unknown> {
  let afterId = 0n;
  for (;;) {
    const rows = await readMailsOf(reader, memberId, afterId, PAGE_ROWS);
    for (const { broadcastId, subject, state, settledAt } of rows)
      yield { id: String(broadcastId), subject, state, at: settledAt?.toISOString() ?? null };
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_ROWS) return;
    afterId = last.broadcastId;
  }
}
