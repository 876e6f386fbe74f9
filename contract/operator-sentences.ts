import { coinSentences } from './operator-sentences-coin.ts';
import { payoutSentences } from './operator-sentences-payouts.ts';
import { siteSentences } from './operator-sentences-site.ts';

/**
 * The sentences that the server writes for operators: why a payout waits, what is not well, what a test of a connection
 * found. Each is declared once, by name. The server composes the English text, which is also stored and logged, and the
 * web recognizes it and shows it in the operator's language. Words of others, such as a node's own, stand beside them.
 *
 * A placeholder has no space in its value. One that ends in `At` is a time (ISO 8601), in `Count` a number, in `Points`
 * points; one that ends in `List` or `Text` may have several words, but no end of a sentence. A sentence that ends with
 * a colon is followed by words of others.
 */
export const operatorSentences = { ...payoutSentences, ...coinSentences, ...siteSentences } as const;

type Sentences = typeof operatorSentences;
export type SentenceName = keyof Sentences;
type PlaceholderOf<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PlaceholderOf<Rest>
  : never;
type ValuesOf<Text extends string> = [PlaceholderOf<Text>] extends [never]
  ? []
  : [values: Record<PlaceholderOf<Text>, string | number | bigint>];

/** Writes a sentence with its values, in English. */
export const sentence = <Name extends SentenceName>(
  name: Name,
  ...[values]: ValuesOf<Sentences[Name]>
): string => fillSentence(operatorSentences[name], values ?? {});

/** Puts values in the place of a text's placeholders. */
export const fillSentence = (text: string, values: Record<string, string | number | bigint>): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
