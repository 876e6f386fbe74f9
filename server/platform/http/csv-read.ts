import { setImmediate as nextTurn } from 'node:timers/promises';
import { BYTE_ORDER_MARK } from './csv.ts';

/**
 * Reads the records of a CSV text (RFC 4180), one at a time. Cells are separated by commas, or by semicolons, as Excel
 * writes them where a comma stands in numbers; a cell in quotation marks may hold separators, line breaks and doubled
 * quotation marks. Any kind of line break ends a record. Empty lines are skipped, and a byte order mark at the start is
 * ignored. Other calls have their turn while a long text is read.
 */
export type CsvRecord = {
  /** The number of the record's first line, from 1. */
  line: number;
  cells: string[];
  /** Why the record can't be read. It is the last one then. */
  fault?: string;
};

/** A longer record is a fault, so that none keeps the node from other calls. */
const RECORD_LENGTH_MAX = 65_536;
const LINE_BREAK = /\r\n|\r|\n/g;
const EMPTY_LINES = /^[\r\n]+/;
type Separator = ',' | ';' | '\t';
const cellEnds: Readonly<Record<Separator, RegExp>> = { ',': /[,\r\n]/g, ';': /[;\r\n]/g, '\t': /[\t\r\n]/g };
/** Excel's own line before the columns, which names the separator. */
const SEPARATOR_LINE = /^sep=([,;\t])(?:\r\n|\r|\n|$)/i;
const UNCLOSED = 'A quotation mark is not closed';
const TOO_LONG = `A row is longer than ${RECORD_LENGTH_MAX} characters, or a quotation mark is not closed`;
const AFTER_QUOTE = 'A separator or the end of the line must follow a closing quotation mark';

/** Other calls have their turn after this time, also while the caller uses the records. */
const TURN_MS = 10;

export async function* csvRecords(text: string): AsyncGenerator<CsvRecord> {
  const start = text.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
  const head = text.slice(start, start + RECORD_LENGTH_MAX);
  const [separatorLine = '', named] = SEPARATOR_LINE.exec(head) ?? [];
  const separator = (named as Separator | undefined) ?? separatorOf(head);
  let at = start + separatorLine.length;
  let line = separatorLine === '' ? 1 : 2;
  let turnAt = performance.now();
  while (at < text.length) {
    if (performance.now() - turnAt > TURN_MS) {
      await nextTurn();
      turnAt = performance.now();
    }
    // A part of a long text is no copy.
    const part = text.slice(at, at + RECORD_LENGTH_MAX + 2);
    const empty = lengthOfBreaks(part);
    const record: CsvRecord = { line, cells: [] };
    const length = empty > 0 ? empty : readRecord(part, separator, record);
    if (empty === 0 && length > RECORD_LENGTH_MAX && at + part.length < text.length) record.fault = TOO_LONG;
    if (record.fault !== undefined) return yield record;
    line += part.slice(0, length).match(LINE_BREAK)?.length ?? 0;
    at += length;
    if (record.cells.length > 1 || (record.cells[0] ?? '') !== '') yield record;
  }
}

/** The separator that the line of columns has more often outside of quotation marks. */
function separatorOf(head: string): Separator {
  const [columns = ''] = head
    .replace(EMPTY_LINES, '')
    .replace(/"[^"]*"/g, '')
    .split(/[\r\n]/, 1);
  return columns.split(';').length > columns.split(',').length ? ';' : ',';
}

/** The length of the empty lines that a text begins with. */
const lengthOfBreaks = (text: string): number => EMPTY_LINES.exec(text)?.[0].length ?? 0;

/** Adds the cells of the record that a text begins with. Returns where the next record begins. */
function readRecord(text: string, separator: Separator, record: CsvRecord): number {
  let at = 0;
  for (;;) {
    const end =
      text[at] === '"' ? readQuoted(text, at, separator, record) : readBare(text, at, separator, record);
    if (record.fault !== undefined) return end;
    if (text[end] !== separator) return text.startsWith('\r\n', end) ? end + 2 : end + 1;
    at = end + 1;
  }
}

/** Adds a cell without quotation marks. Returns where it ends. */
function readBare(text: string, start: number, separator: Separator, record: CsvRecord): number {
  const cellEnd = cellEnds[separator];
  cellEnd.lastIndex = start;
  const end = cellEnd.exec(text)?.index ?? text.length;
  record.cells.push(text.slice(start, end));
  return end;
}

/** Adds a cell in quotation marks. Returns where it ends. */
function readQuoted(text: string, start: number, separator: Separator, record: CsvRecord): number {
  const parts: string[] = [];
  let from = start + 1;
  for (;;) {
    const end = text.indexOf('"', from);
    if (end === -1) {
      record.fault = UNCLOSED;
      return text.length;
    }
    parts.push(text.slice(from, end));
    if (text[end + 1] !== '"') {
      record.cells.push(parts.join('"'));
      const following = text[end + 1];
      if (following !== undefined && !`${separator}\r\n`.includes(following)) record.fault = AFTER_QUOTE;
      return end + 1;
    }
    from = end + 2;
  }
}
