/**
 * Rows as CSV (RFC 4180). A cell that a spreadsheet would take for a formula gets an apostrophe in front, also
 * behind leading white space, because members choose names and operators open the file.
 * The columns are those named, also where there is no row; no other field of a row goes out.
 */
export function asCsv(rows: readonly Record<string, unknown>[], columns: readonly string[]): string {
  return lineOf(columns) + csvLines(rows, columns);
}

/** The lines of rows without the line of their columns. */
export function csvLines(rows: readonly Record<string, unknown>[], columns: readonly string[]): string {
  return rows.map((row) => lineOf(columns.map((column) => row[column]))).join('');
}

const lineOf = (cells: readonly unknown[]): string => `${cells.map(cellOf).join(',')}\r\n`;

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  const plain = typeof value === 'object' ? JSON.stringify(value) : String(value);
  const isNumber = /^-?\d+(\.\d+)?$/.test(plain);
  const safe = !isNumber && /^\s*[=+\-@＝＋－＠]/.test(plain) ? `'${plain}` : plain;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
