import { stringify } from 'csv-stringify/sync';

/**
 * Rows as CSV (RFC 4180). A cell that a spreadsheet would take for a formula gets an apostrophe in front, also
 * behind leading white space, because members choose names and operators open the file. Signed amounts stay numbers,
 * so the library's own escape, which marks every cell with a minus, is not used.
 * The columns are those named, also where there is no row; no other field of a row goes out.
 */
export function asCsv(rows: readonly Record<string, unknown>[], columns: readonly string[]): string {
  return written([columns]) + csvLines(rows, columns);
}

/** The lines of rows without the line of their columns. */
export function csvLines(rows: readonly Record<string, unknown>[], columns: readonly string[]): string {
  return written(rows.map((row) => columns.map((column) => row[column])));
}

const written = (lines: readonly (readonly unknown[])[]): string =>
  stringify(
    lines.map((cells) => cells.map(safeText)),
    { record_delimiter: 'windows' },
  );

function safeText(value: unknown): string {
  if (value === null || value === undefined) return '';
  const plain = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const isNumber = /^-?\d+(\.\d+)?$/.test(plain);
  return !isNumber && /^\s*[=+\-@＝＋－＠]/.test(plain) ? `'${plain}` : plain;
}
