import { type ParseArgsConfig, parseArgs } from 'node:util';
import type { Opened } from './admin-database.ts';
import { print, printable, printError } from './admin-print.ts';
import { Refusal, refuse as refusal } from './platform/refusal.ts';

/** The words behind a command's name: options with a value, options without one, and all others in their order. */
export type Words = {
  options: Record<string, string | undefined>;
  flags: ReadonlySet<string>;
  positionals: string[];
};

export type CommandForm = {
  options?: ParseArgsConfig['options'];
  /** How many other words it takes; a reason may be any number of words. */
  positionalsMax: number;
};

/** Reads the words behind a command's name. A text is the refusal. */
export function readWords(
  name: string,
  { options = {}, positionalsMax }: CommandForm,
  args: string[],
): Words | string {
  // What is not taken is refused here, in our words.
  const { values, positionals, tokens } = parseArgs({
    args,
    options,
    allowPositionals: true,
    tokens: true,
    strict: false,
  });
  const named = tokens.filter((token) => token.kind === 'option');
  for (const [index, option] of named.entries()) {
    const fault = faultOf(option, options);
    if (fault !== undefined) return `${name}${fault}`;
    if (named.findIndex((one) => one.name === option.name) < index)
      return `${name} takes --${option.name} once.`;
  }
  const extra = positionals[positionalsMax];
  if (extra !== undefined) return `${name} does not take the word "${extra}".`;
  const given = Object.entries(values);
  return {
    options: Object.fromEntries(given.filter(([, value]) => typeof value === 'string')) as Words['options'],
    flags: new Set(given.filter(([, value]) => value === true).map(([option]) => option)),
    positionals,
  };
}

type OptionToken = {
  name: string;
  rawName: string;
  value?: string | undefined;
  inlineValue?: boolean | undefined;
};

/** Why an option is refused, behind the command's name. Undefined if it is taken. */
function faultOf(
  { name, rawName, value, inlineValue }: OptionToken,
  options: NonNullable<CommandForm['options']>,
): string | undefined {
  const type = Object.hasOwn(options, name) ? options[name]?.type : undefined;
  if (type === undefined) return ` does not take ${rawName}.`;
  if (type === 'boolean') return value === undefined ? undefined : `: --${name} takes no value.`;
  // A word that begins with a hyphen is another option, unless it is given as `--option=-word`.
  const isMissing = value === undefined || (value.startsWith('-') && inlineValue !== true);
  return isMissing ? `: --${name} needs a value.` : undefined;
}

/** Says why a command is not done, and returns its exit code. */
export function refuse(why: string): number {
  printError(why);
  return 1;
}

/** Says what of a command was not understood, so that nothing was tried, and returns its exit code. */
export function misuse(what: string): number {
  printError(what);
  return 2;
}

/**
 * A reason of several words, with control characters as codes, because a terminal may show it later. Empty for the word
 * of the usage, which a copied command still has.
 */
export const sentenceOfWords = (words: readonly string[]): string => {
  const sentence = printable(words.join(' ').trim());
  return sentence === 'REASON' ? '' : sentence;
};

/** The longest reason or note of a decision. */
export const NOTE_MAX = 500;

/** Decides each thing by its id, and says of each what became of it. A refusal does not stop the others. */
export async function decideEach(
  ids: readonly string[],
  decide: (id: string) => Promise<string>,
): Promise<number> {
  let code = 0;
  for (const id of ids) {
    try {
      print(`${id}: ${await decide(id)}`);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const why = error.code === 'not-found' ? 'There is nothing with this id.' : error.message;
      code = refuse(`${id}: ${why}`);
    }
  }
  return code;
}

/**
 * Gives the second of two approvals, or one that needs no other. The first one is an operator's: the row that keeps it
 * names a member.
 */
export async function approveAsSecond<Decided>(approve: () => Promise<Decided>): Promise<Decided> {
  try {
    return await approve();
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'second-operator-needed') throw error;
    throw refusal(error.code, 'It needs two people. An operator must approve it first.');
  }
}

/** One of the acts of a command, with the options that it alone takes. */
type Verb = { options?: readonly string[]; run(opened: Opened, words: Words): Promise<number> };

/** Makes a command whose first word names the act. The act gets the other words. */
export function commandOfVerbs(name: string, verbs: Record<string, Verb>): Verb['run'] {
  const all = Object.keys(verbs);
  return async (opened, { options, flags, positionals: [word = '', ...positionals] }) => {
    const verb = Object.hasOwn(verbs, word) ? verbs[word] : undefined;
    if (verb === undefined) return misuse(`${name} takes one of: ${all.join(', ')}.`);
    const strange = Object.keys(options).find((option) => verb.options?.includes(option) !== true);
    if (strange !== undefined) {
      const taking = all.filter((other) => verbs[other]?.options?.includes(strange));
      return misuse(`--${strange} is said with \`${name} ${taking.join(', ')}\`.`);
    }
    return verb.run(opened, { options, flags, positionals });
  };
}

/** The number of a row in a list. */
export const isRowNumber = (word: string): boolean => /^[1-9]\d{0,17}$/.test(word);

/** Rows of a page of the command line. */
const PAGE_ROWS = 100;

/**
 * Prints a page of a list in the order of its numbers, and how to go on.
 * @param read reads up to `limit` rows behind the number `after`
 */
export async function printPage<Row extends { id: string }>(
  command: string,
  { options: { after }, positionals: [extra] }: Words,
  read: (place: { after: bigint | undefined; limit: number }) => Promise<Row[]>,
  { lineOf, none }: { lineOf(row: Row): string; none: string },
): Promise<number> {
  if (extra !== undefined) return misuse(`${command} does not take the word "${extra}".`);
  if (after !== undefined && !isRowNumber(after))
    return misuse(`--after is the number of a row, as \`${command}\` prints it.`);
  const rows = await read({ after: after === undefined ? undefined : BigInt(after), limit: PAGE_ROWS + 1 });
  const page = rows.slice(0, PAGE_ROWS);
  for (const row of page) print(`${row.id}: ${lineOf(row)}`);
  if (rows.length > PAGE_ROWS) print(`There are more: ${command} --after ${page.at(-1)?.id}`);
  if (rows.length === 0) print(after === undefined ? none : `There is nothing after ${after}.`);
  return 0;
}
