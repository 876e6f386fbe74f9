import { type Fault, type FaultValues, type Field, faultOfField, fieldNames } from './fault-words.ts';

/** The faults of a file's lines. The server names field and fault of a line in one text, which is English. */

/** What is wrong with a file or a line as a whole. */
const lineMessages = [
  { key: 'noColumn', pattern: /^There is no column "(?<name>.*)"$/s },
  { key: 'columnTwice', pattern: /^The column (?<name>.*) is there twice$/s },
  { key: 'columnMissing', pattern: /^The column (?<name>\w+) is missing$/ },
  { key: 'noColumns', pattern: /^The columns are missing$/ },
  { key: 'cells', pattern: /^(?<cells>\d+) cells instead of (?<wanted>\d+)$/ },
  { key: 'tooManyRows', pattern: /^At most (?<max>\d+) rows$/ },
  { key: 'openQuote', pattern: /^A quotation mark is not closed$/ },
  { key: 'afterQuote', pattern: /must follow a closing quotation mark$/ },
] as const;

type LineKey = (typeof lineMessages)[number]['key'] | 'unknown';

/** A sentence of the words, and the field that it is about; undefined if it is about the whole line. */
export type LineFault =
  | (Fault & { field: Field })
  | { key: `lines.${LineKey}`; values: FaultValues; field?: undefined; step?: undefined };

/** Reads the fault of a line. */
export function faultOfLine(text: string): LineFault {
  const [, path = '', message = ''] = /^([\w.]+): (.*)$/s.exec(text) ?? [];
  const ofField = faultOfField(path, message);
  const field = fieldNames.find((name) => name === path.split('.')[0]);
  if (ofField !== undefined && field !== undefined) return { ...ofField, field };
  for (const { key, pattern } of lineMessages) {
    const match = pattern.exec(text);
    if (match !== null) return { key: `lines.${key}`, values: { ...match.groups } };
  }
  return { key: 'lines.unknown', values: { text } };
}
