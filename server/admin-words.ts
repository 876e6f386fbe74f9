import { type ParseArgsConfig, parseArgs } from 'node:util';
import { Refusal } from './platform/refusal.ts';

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
  console.error(why);
  return 1;
}

/** Says what of a command was not understood, so that nothing was tried, and returns its exit code. */
export function misuse(what: string): number {
  console.error(what);
  return 2;
}

/** A reason of several words. Empty for the word of the usage, which a copied command still has. */
export const sentenceOfWords = (words: readonly string[]): string => {
  const sentence = words.join(' ').trim();
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
      console.log(`${id}: ${await decide(id)}`);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      const why = error.code === 'not-found' ? 'There is nothing with this id.' : error.message;
      code = refuse(`${id}: ${why}`);
    }
  }
  return code;
}
