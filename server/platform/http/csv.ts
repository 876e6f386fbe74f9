import { stringify } from 'csv-stringify/sync';

/**
 * Writes rows as CSV (RFC 4180), with a line of column names even without rows. Only the given columns are written.
 * A cell that a spreadsheet would run as a formula, also after white space, gets an apostrophe in front: members choose
 * names and write messages, and operators open the file. A spreadsheet may also begin a cell at a lone line break, a
 * semicolon or a tab, so cells with one are quoted and a formula after one gets an apostrophe too. Signed amounts stay
 * numbers, so the library's escape, which marks every cell with a minus, is not used.
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

const formulaAtStart = /^[\s"]*[=+\-@＝＋－＠]/;
const formulaAfterSeparator = /([\r\n;\t][\s"]*)([=+\-@＝＋－＠])/g;

function safeText(value: unknown): string {
  if (value === null || value === undefined) return '';
  const plain = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const isNumber = /^-?\d+(\.\d+)?$/.test(plain);
  if (isNumber) return plain;
  const guarded = plain.replace(formulaAfterSeparator, "$1'$2");
  return formulaAtStart.test(plain) ? `'${guarded}` : guarded;
}
