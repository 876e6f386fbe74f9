import { stringify } from 'csv-stringify/sync';

/**
 * Writes rows as CSV (RFC 4180), with a line of column names even without rows. Only the given columns are written.
 * A cell that a spreadsheet would run as a formula gets an apostrophe in front: members choose names and write
 * messages, and operators open the file. A spreadsheet may be set to any separator, so every place where another
 * separator could begin a cell is guarded too. Cells with a line break, a semicolon or a tab are quoted. Signed amounts
 * stay numbers, so the library's escape, which marks every cell with a minus, is not used.
 */
export function asCsv(rows: readonly Record<string, unknown>[], columns: readonly string[]): string {
  return written([columns]) + csvLines(rows, columns);
}

/** Writes rows without the line of column names. */
export function csvLines(rows: readonly Record<string, unknown>[], columns: readonly string[]): string {
  return written(rows.map((row) => columns.map((column) => row[column])));
}

const written = (lines: readonly (readonly unknown[])[]): string =>
  stringify(
    lines.map((cells) => cells.map(safeText)),
    { record_delimiter: 'windows', quoted_match: /[\r\n;\t]/ },
  );

/** The signs that begin a formula, also in their full-width and small forms. */
const sign = '[=+\\-@＝＋－＠﹦﹢﹣﹫]';
const formulaAtStart = new RegExp(`^[\\s"]*${sign}`);
/**
 * Such a sign within the text where a cell could begin: after a control character or any mark between words, or after a
 * space if the text goes on at once. Letters and digits are no separators, so addresses and dates stay as they are.
 */
const formulaInside = new RegExp(
  `((?:[^\\p{L}\\p{N}\\s']|\\p{Cc})[\\s"]*)(?=${sign}\\s*\\S)|(\\s)(?=${sign}\\S)`,
  'gu',
);
/** A number with a sign, as within JSON: it calculates nothing. */
const signedNumber = /^[+-]\d+(\.\d+)?($|[,}\]\s](?!\s*[-+*/=|!(]))/;

function safeText(value: unknown): string {
  if (value === null || value === undefined) return '';
  const plain = typeof value === 'object' ? JSON.stringify(value) : String(value);
  if (/^-?\d+(\.\d+)?$/.test(plain)) return plain;
  const guarded = plain.replace(formulaInside, (before: string, _mark, _space, offset: number) =>
    signedNumber.test(plain.slice(offset + before.length)) ? before : `${before}'`,
  );
  return formulaAtStart.test(plain) ? `'${guarded}` : guarded;
}
