/**
 * Reads the records of a CSV text (RFC 4180), one at a time. Cells are separated by commas, and a cell in quotation
 * marks may hold commas, line breaks and doubled quotation marks. Any kind of line break ends a record. Empty lines are
 * skipped, and a byte order mark at the start is ignored.
 */
export type CsvRecord = {
  /** The number of the record's first line, from 1. */
  line: number;
  cells: string[];
  /** Why the record can't be read. It is the last one then. */
  fault?: string;
};

const LINE_BREAK = /\r\n|\r|\n/g;
const cellEnd = /[,\r\n]/g;
const UNCLOSED = 'A quotation mark is not closed';
const AFTER_QUOTE = 'A comma or the end of the line must follow a closing quotation mark';

export function* csvRecords(text: string): Generator<CsvRecord> {
  let at = text.startsWith('\ufeff') ? 1 : 0;
  let line = 1;
  while (at < text.length) {
    const record: CsvRecord = { line, cells: [] };
    const next = readRecord(text, at, record);
    if (record.fault !== undefined) return yield record;
    line += linesIn(text, at, next);
    at = next;
    if (record.cells.length > 1 || record.cells[0] !== '') yield record;
  }
}

const linesIn = (text: string, from: number, to: number): number =>
  text.slice(from, to).match(LINE_BREAK)?.length ?? 0;

/** Adds the cells of the record that begins here. Returns where the next record begins. */
function readRecord(text: string, start: number, record: CsvRecord): number {
  let at = start;
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
