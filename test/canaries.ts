import assert from 'node:assert/strict';
import { type Reader, sql, sqlText } from '#platform/database.ts';

/** Unique texts in the place of secrets, which are searched for in all that leaves the site. */
export type Canaries = ReturnType<typeof createCanaries>;

/** The text itself, and as it stands in a URL, in JSON, in a header and in a column of bytes. */
const formsOf = (text: string): Set<string> => {
  const bytes = Buffer.from(text);
  return new Set([
    text,
    encodeURIComponent(text),
    JSON.stringify(text).slice(1, -1),
    bytes.toString('base64').replace(/=+$/, ''),
    bytes.toString('base64url'),
    bytes.toString('hex'),
  ]);
};

/** The tokens of the links in a text. */
export const linkTokensIn = (text: string): string[] =>
  [...text.matchAll(/[?]token=([\w-]{20,})/g)].map(([, token]) => token ?? '');

export function createCanaries() {
  const everywhere = new Map<string, string>();
  /** Members may read these themselves, or send them. */
  const inLogs = new Map<string, string>();
  /** The site stores these as they are. */
  const stored = new Set<string>();
  const plant = (what: string, text: string): string => {
    assert.ok(text.length >= 6, what);
    everywhere.set(what, text);
    return text;
  };
  const search = (sought: Iterable<[string, string]>, text: string, where: string) => {
    for (const [what, value] of sought)
      for (const form of formsOf(value)) assert.ok(!text.includes(form), `${what} in ${where}`);
  };
  return {
    /** A text that is nowhere: in no answer, page, file, log, metric, and not as such in the database. */
    plant,
    /** Like `plant`, for what the database holds as it is. */
    plantStored: (what: string, text: string): string => {
      stored.add(what);
      return plant(what, text);
    },
    /** A text that is not in the log. */
    plantForLog: (what: string, text: string): string => {
      inLogs.set(what, text);
      return text;
    },
    /** Nobody must hide this one any more. */
    release: (what: string) => void everywhere.delete(what),
    all: (): [string, string][] => [...everywhere],
    assertClean: (text: string, where: string) => search(everywhere, text, where),
    assertLogClean: (text: string, where: string) => search([...everywhere, ...inLogs], text, where),
    assertStoredClean: async (owner: Reader, omitted: readonly string[] = []): Promise<void> => {
      const sought = [...everywhere].filter(([what]) => !stored.has(what));
      for (const [table, text] of await tableTexts(owner, omitted))
        search(sought, text, `the table ${table}`);
    },
  };
}

/** All rows of each table as text. `omitted` are schemas and tables. */
async function tableTexts(owner: Reader, omitted: readonly string[]): Promise<[string, string][]> {
  const tables = await owner.rows<{ schema: string; name: string }>(sql`
    select schemaname as schema, format('%I.%I', schemaname, tablename) as name from pg_tables
    where schemaname not in ('pg_catalog', 'information_schema')`);
  const searched = tables.filter(({ schema, name }) => !omitted.includes(schema) && !omitted.includes(name));
  const texts: [string, string][] = [];
  for (const { name } of searched) {
    const { text } = await owner.one<{ text: string }>(
      sqlText(`select coalesce(string_agg(t::text, ' '), '') as text from ${name} t`),
    );
    texts.push([name, text]);
  }
  return texts;
}
