import { setImmediate as nextTurn } from 'node:timers/promises';

/**
 * Reads the records of a CSV text (RFC 4180), one at a time. Cells are separated by commas, and a cell in quotation
 * marks may hold commas, line breaks and doubled quotation marks. Any kind of line break ends a record. Empty lines are
 * skipped, and a byte order mark at the start is ignored. Other calls have their turn while a long text is read.
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
const cellEnd = /[,\r\n]/g;
const UNCLOSED = 'A quotation mark is not closed';
const TOO_LONG = `A row is longer than ${RECORD_LENGTH_MAX} characters, or a quotation mark is not closed`;
const AFTER_QUOTE = 'A comma or the end of the line must follow a closing quotation mark';

/** Other calls have their turn after this time, also while the caller uses the records. */
const TURN_MS = 10;

export async function* csvRecords(text: string): AsyncGenerator<CsvRecord> {
  let at = text.startsWith('\ufeff') ? 1 : 0;
  let line = 1;
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
    const length = empty > 0 ? empty : readRecord(part, record);
    if (empty === 0 && length > RECORD_LENGTH_MAX && at + part.length < text.length) record.fault = TOO_LONG;
    if (record.fault !== undefined) return yield record;
    line += part.slice(0, length).match(LINE_BREAK)?.length ?? 0;
    at += length;
    if (record.cells.length > 1 || (record.cells[0] ?? '') !== '') yield record;
  }
}

/** The length of the empty lines that a text begins with. */
const lengthOfBreaks = (text: string): number => EMPTY_LINES.exec(text)?.[0].length ?? 0;

/** Adds the cells of the record that a text begins with. Returns where the next record begins. */
function readRecord(text: string, record: CsvRecord): number {
  let at = 0;
  for (;;) {
    const end = text[at] === '"' ? readQuoted(text, at, record) : readBare(text, at, record);
    if (record.fault !== undefined) return end;
    if (text[end] !== ',') return text.startsWith('\r\n', end) ? end + 2 : end + 1;
    at = end + 1;
  }
}

/** Adds a cell without quotation marks. Returns where it ends. */
function readBare(text: string, start: number, record: CsvRecord): number {
  cellEnd.lastIndex = start;
  const end = cellEnd.exec(text)?.index ?? text.length;
  record.cells.push(text.slice(start, end));
  return end;
}

/** Adds a cell in quotation marks. Returns where it ends. */
function readQuoted(text: string, start: number, record: CsvRecord): number {
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
      if (following !== undefined && !',\r\n'.includes(following)) record.fault = AFTER_QUOTE;
      return end + 1;
    }
    from = end + 2;
  }
}
