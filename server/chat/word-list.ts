import { type BannedWord, readBannedWords } from '#contract/chat-moderation.ts';
import { fullNameOf } from '#contract/full-name.ts';
import { sql } from '#platform/database.ts';
import type { OperatorListBinding } from '#platform/http/operator-list.ts';
import * as queries from './moderation-queries.ts';

/** A banned word in the contract's shape. */
export const bannedWordOf = ({
  id,
  word,
  createdAt,
  blockedCount,
  ...name
}: queries.WordRow): BannedWord => ({
  id: String(id),
  word,
  createdAt: createdAt.toISOString(),
  createdBy:
    name.firstName === null ? null : fullNameOf({ firstName: name.firstName, lastName: name.lastName }),
  blockedCount: Number(blockedCount),
});

/** The operators' list of banned words. */
export const wordList: OperatorListBinding<typeof readBannedWords, queries.WordRow> = {
  endpoint: readBannedWords,
  toReply: bannedWordOf,
  source: {
    table: sql`chat.words`,
    alias: sql`w`,
    key: sql`w.id`,
    withId: ({ rowId }) => sql`w.id = ${rowId}::bigint`,
    columns: queries.wordColumns,
    joins: queries.wordJoins,
    sorts: { createdAt: [sql`w.id`], word: [sql`w.word`, sql`w.id`] },
    filters: {},
    // Operators' words are few.
    search: ({ rowId, prefix }) => sql`
      select id from chat.words where id = ${rowId}::bigint
      union all select id from chat.words where word ilike ${prefix}`,
  },
};
