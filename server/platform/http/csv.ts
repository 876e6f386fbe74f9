import { stringify } from 'csv-stringify/sync';

/** The file begins with it, because Excel reads a file without one in the code page of Windows. */
export const BYTE_ORDER_MARK = '\ufeff';

/**
 * Writes rows as a CSV file (RFC 4180), with a line of column names even without rows. Only the given columns are
 * written. A cell that a spreadsheet would run as a formula gets an apostrophe in front: members choose names and write
 * messages, and operators open the file. A spreadsheet may be set to any separator, so every place where another
 * separator could begin a cell is guarded too. Cells with a line break, a semicolon or a tab are quoted. A signed
 * amount stays a number if it is the whole cell or no text within JSON, so the library's escape, which marks every cell
 * with a minus, is not used.
 */
export function asCsv(rows: readonly Record<string, unknown>[], columns: readonly string[]): string {
  return BYTE_ORDER_MARK + written([columns]) + csvLines(rows, columns);
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
/** An apostrophe of the text itself gets one as well, for the same reason as below. */
const guardedAtStart = new RegExp(`^(?:'|[\\s"]*${sign})`);
/**
 * Such a sign within the text where a cell could begin: after a control character or any mark between words, or after a
 * space if the text goes on at once. Letters and digits are no separators, so addresses and dates stay as they are.
 * A run of spaces ends at the next separator, so that a text of separators takes no more steps than it has characters.
 * An apostrophe that the text has before a sign gets a second one, so no text reads as the guarded form of another.
 */
const formulaInside = new RegExp(
  `(?:[^\\p{L}\\p{N}\\s']|\\p{Cc})[\\s--\\p{Cc}]*(?=${sign}\\s*\\S)|'(?=${sign})|\\s(?=${sign}\\S)`,
  'gv',
);
const stringInJson = /"(?:[^"\\]|\\.)*"/g;

function safeText(value: unknown): string {
  if (value === null || value === undefined) return '';
  // What is not in a string of JSON was written by us: marks and numbers, which calculate nothing.
  if (typeof value === 'object') return guardJson(JSON.stringify(value));
  const text = String(value);
  if (/^-?\d+(\.\d+)?$/.test(text)) return text;
  return guardedAtStart.test(text) ? `'${guardInside(text)}` : guardInside(text);
}

const guardInside = (text: string): string => text.replace(formulaInside, "$&'");
const guardJson = (json: string): string => json.replace(stringInJson, guardInside);

const insideGuard = new RegExp(`'(?=${sign})`, 'g');

/**
 * The text of a cell before this file guarded it against spreadsheets. A cell that this file can't have written stays
 * as it is.
 */
export function withoutGuard(cell: string): string {
  const json = cell.replaceAll(insideGuard, '');
  if (guardJson(json) === cell && /^[{[]/.test(cell)) return json;
  const text = cell.replace(/^'/, '').replaceAll(insideGuard, '');
  return safeText(text) === cell ? text : cell;
}
