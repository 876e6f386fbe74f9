import { AsyncLocalStorage } from 'node:async_hooks';
import type { Writable } from 'node:stream';

/**
 * What the operator's command line prints. Reasons, names and answers of outside services come from other people, and a
 * terminal obeys control characters: a line break forges a line, an escape sequence erases one. So each is printed as
 * its code, as are the characters that nobody sees and those that turn the order of a text. Those that join or style an
 * emoji stay.
 */
const hidden = /[[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]--[\u200d\ufe0e\ufe0f]]/v;
const looseJoiner = /(?<!\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)\u200d/v;
const unprintable = new RegExp(`${hidden.source}|${looseJoiner.source}`, 'gv');

const codeOf = (sign: string): string => {
  const hex = (sign.codePointAt(0) ?? 0).toString(16).padStart(4, '0');
  return hex.length > 4 ? `\\u{${hex}}` : `\\u${hex}`;
};

/** One line of text, with each such character as its code, such as `\u001b`. */
export const printable = (line: string): string => line.replace(unprintable, codeOf);

/** Text of a file, which a terminal may show: the codes of control characters, but lines and cells stay. */
export const printableFile = (text: string): string => text.replace(/[^\P{Cc}\r\n\t]/gu, codeOf);

/** Where a command writes its lines, and what was refused or failed. */
export type Output = { lines: Writable; complaints: Writable };

const outputs = new AsyncLocalStorage<Output>();
const terminal: Output = { lines: process.stdout, complaints: process.stderr };
export const currentOutput = (): Output => outputs.getStore() ?? terminal;

/** Runs a command that writes to this output. Several may run in one process. */
export const writingTo = <Result>(output: Output, run: () => Result): Result => outputs.run(output, run);

export function print(line: string): void {
  currentOutput().lines.write(`${printable(line)}\n`);
}

export function printError(line: string): void {
  currentOutput().complaints.write(`${printable(line)}\n`);
}
