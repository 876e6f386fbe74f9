import { operatorSentences, type SentenceName } from '#contract/operator-sentences.ts';
import { type RefusalCode, refusals } from '#contract/refusals.ts';

/**
 * Recognizes the server's own sentences in a text for operators. The rest is in the words of others, such as a coin
 * node's, and stays as it is.
 */
export type SentencePart =
  | { kind: 'sentence'; name: SentenceName; values: Record<string, string> }
  | { kind: 'refusal'; code: RefusalCode }
  | { kind: 'foreign'; text: string };

type Form = { form: RegExp; partOf: (values: Record<string, string>) => SentencePart };

const TIME = '\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z';
/** A run of words that does not go beyond the end of a sentence. */
const WORDS = '(?:(?![.:] [A-Z]).)+?';

/** What may be in the place of a placeholder, by the end of its name. */
const patternOf = (name: string): string => {
  if (name.endsWith('At')) return TIME;
  if (name.endsWith('Count') || name.endsWith('Points')) return '-?\\d+';
  return name.endsWith('List') || name.endsWith('Text') ? WORDS : '\\S+?';
};

const escaped = (text: string): string => text.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&');

const formOf = (text: string): RegExp =>
  new RegExp(
    `^${escaped(text).replaceAll(/\{(\w+)\}/g, (_, name: string) => `(?<${name}>${patternOf(name)})`)}(?=\\s|$)`,
  );

const readForms = (): Form[] => [
  ...Object.entries(operatorSentences).map(([name, text]) => ({
    form: formOf(text),
    partOf: (values: Record<string, string>): SentencePart => ({
      kind: 'sentence',
      name: name as SentenceName,
      values,
    }),
  })),
  ...Object.entries(refusals).map(([code, { detail }]) => ({
    form: formOf(detail),
    partOf: (): SentencePart => ({ kind: 'refusal', code: code as RefusalCode }),
  })),
];

let known: readonly Form[] | undefined;

/** The known sentence that a text begins with. Of several it is the longest. */
function findFirst(text: string): { part: SentencePart; length: number } | undefined {
  known ??= readForms();
  let longest: { part: SentencePart; length: number } | undefined;
  for (const { form, partOf } of known) {
    const match = form.exec(text);
    if (match !== null && match[0].length > (longest?.length ?? 0))
      longest = { part: partOf({ ...match.groups }), length: match[0].length };
  }
  return longest;
}

/** Reads a text as known sentences and the words of others, in their order. */
export function readSentences(text: string): SentencePart[] {
  const parts: SentencePart[] = [];
  let rest = text.trim();
  let foreign = '';
  const endForeign = () => {
    if (foreign.trim() !== '') parts.push({ kind: 'foreign', text: foreign.trim() });
    foreign = '';
  };
  while (rest !== '') {
    const found = findFirst(rest);
    const length = found?.length ?? /^\S+/.exec(rest)?.[0].length ?? rest.length;
    if (found === undefined) foreign += `${rest.slice(0, length)} `;
    else {
      endForeign();
      parts.push(found.part);
    }
    rest = rest.slice(length).trimStart();
  }
  endForeign();
  return parts;
}

/** The times in a text, for writing them in the reader's zone. */
export const times = new RegExp(TIME, 'g');
