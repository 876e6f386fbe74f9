import { coinSentences } from './operator-sentences-coin.ts';
import { payoutSentences } from './operator-sentences-payouts.ts';
import { siteSentences } from './operator-sentences-site.ts';
import { walletSentences } from './operator-sentences-wallets.ts';

/**
 * The sentences that the server writes for operators: why a payout waits, what is not well, what a test of a connection
 * found. Each is declared once, by name. The server composes the English text, which is also stored and logged, and the
 * web recognizes it and shows it in the operator's language. Words of others, such as a node's own, stand beside them.
 *
 * A placeholder has no space in its value. One that ends in `At` is a time (ISO 8601), in `Count` a number, in `Points`
 * points; one that ends in `List` or `Text` may have several words, but no end of a sentence. A sentence that ends with
 * a colon is followed by words of others.
 */
export const operatorSentences = {
  ...payoutSentences,
  ...coinSentences,
  ...siteSentences,
  ...walletSentences,
} as const;

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

/**
 * The sentences that the server looks for in what it stored, with their texts of former releases. What was stored keeps
 * the text of its release, so a sentence of this list that changes leaves its former text here.
 */
const formerTexts = {
  'member-suspended': [],
  'request-disowned': [],
  'member-in-debt': [],
  'points-possibly-paid': [
    'These points may be paid already: no payout accounts for a payment; run `npm run admin -- reconcile`.',
    'These points may be paid already: a restore left a payment to look at; run `npm run admin -- reconcile`.',
  ],
  'other-account': [
    'The account that pays is another one than before, so its list does not show what was paid. ' +
      'Connect the former one, or run `npm run admin -- reconcile --new-account METHOD`.',
  ],
} as const satisfies Partial<Record<SentenceName, readonly string[]>>;

export type StoredSentenceName = keyof typeof formerTexts;

/** The texts of a sentence that may be stored: of this release and of former ones. */
export const storedTextsOf = (name: StoredSentenceName): string[] => [sentence(name), ...formerTexts[name]];

/** Puts values in the place of a text's placeholders. */
export const fillSentence = (text: string, values: Record<string, string | number | bigint>): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
