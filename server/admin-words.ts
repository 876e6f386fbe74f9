import { type ParseArgsConfig, parseArgs } from 'node:util';

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
  try {
    const { values, positionals, tokens } = parseArgs({
      args,
      options,
      allowPositionals: true,
      tokens: true,
    });
    const named = tokens.flatMap((token) => (token.kind === 'option' ? [token.name] : []));
    const repeated = named.find((option, index) => named.indexOf(option) < index);
    if (repeated !== undefined) return `${name} takes --${repeated} once.`;
    const extra = positionals[positionalsMax];
    if (extra !== undefined) return `${name} does not take the word "${extra}".`;
    const given = Object.entries(values);
    return {
      options: Object.fromEntries(given.filter(([, value]) => typeof value === 'string')) as Words['options'],
      flags: new Set(given.filter(([, value]) => value === true).map(([option]) => option)),
      positionals,
    };
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code?.startsWith('ERR_PARSE_ARGS') !== true) throw error;
    return `${name}: ${message}`;
  }
}
