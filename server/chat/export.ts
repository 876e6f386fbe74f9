import type { Reader } from '#platform/database.ts';
import { readRowByRow } from '#platform/pages.ts';
import { readBansOf, readMessagesAfter } from './queries.ts';

/** A member's messages and bans from the chat, for the export of their data, oldest first. */

const PAGE_ROWS = 500;

export async function* exportMessages(reader: Reader, memberId: number): AsyncGenerator<unknown> {
  const rows = readRowByRow<Awaited<ReturnType<typeof readMessagesAfter>>[number]>(
    (last, limit) => readMessagesAfter(reader, memberId, last?.id ?? 0n, limit),
    PAGE_ROWS,
  );
  for await (const { id, channelId, body, createdAt } of rows)
    yield {
      id: String(id),
      channelId: String(channelId),
      message: body,
      createdAt: createdAt.toISOString(),
    };
}

/** Exports bans without the operators' names, which are not the member's data. */
export async function* exportChatBans(reader: Reader, memberId: number): AsyncGenerator<unknown> {
  for (const { id, reason, createdAt, expiresAt, liftedAt } of await readBansOf(reader, memberId))
    yield {
      id: String(id),
      reason,
      createdAt: createdAt.toISOString(),
      expiresAt: expiresAt?.toISOString() ?? null,
      liftedAt: liftedAt?.toISOString() ?? null,
    };
}
