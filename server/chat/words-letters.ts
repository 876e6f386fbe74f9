import { resolveConfusablesTransformer } from 'obscenity';

/** What a character of a text is to the filter of banned words. Every decision here is about one character alone. */

/**
 * Letters of different kinds that touch are of different words, such as a Korean particle after an English word.
 * `unspaced` scripts write words without spaces, so a word may begin and end anywhere. `digit` is a figure that is read
 * as a number, `leet` a figure or sign that is read as a letter.
 */
export type Kind = 'alphabet' | 'hangul' | 'jamo' | 'katakana' | 'unspaced' | 'digit' | 'leet';

/** Either i or l: `1`, `|`, `!` and a capital I. */
export const I_OR_L = '|';
/** A vowel that the writer hides: `sc*m`. */
export const HIDDEN_VOWEL = '*';
export const vowels = [...'aeiouy'];

/** Figures and signs that people write for letters; a few more than obscenity's. */
const leetLetters = new Map(
  Object.entries({
    ...{
      '0': 'o',
      '1': I_OR_L,
      '2': 'z',
      '3': 'e',
      '4': 'a',
      '5': 's',
      '6': 'g',
      '7': 't',
      '8': 'b',
      '9': 'g',
    },
    ...{ '@': 'a', $: 's', '!': I_OR_L, '¡': I_OR_L, '|': I_OR_L, '+': 't', '€': 'e', '£': 'l', '¢': 'c' },
    ...{ '¥': 'y', '₩': 'w', '₽': 'p', '฿': 'b', '∂': 'a', '×': 'x', '†': 't' },
    [HIDDEN_VOWEL]: HIDDEN_VOWEL,
  }),
);

/** At the edge of a word they end a sentence or stand between words. */
export const edgeSigns = /[!¡|+×†]/u;

/**
 * Cyrillic, Armenian and dotless letters with a Latin twin. obscenity's table also turns letters into others that only
 * resemble them from afar (`и`, `й`, `п`, `л` are all n there), which would make one of many Russian words.
 */
const twins = new Map(
  Object.entries({
    ...{
      а: 'a',
      в: 'b',
      с: 'c',
      ԁ: 'd',
      е: 'e',
      ҽ: 'e',
      ғ: 'f',
      һ: 'h',
      н: 'h',
      і: 'i',
      ӏ: 'l',
      ј: 'j',
      к: 'k',
    },
    ...{
      м: 'm',
      п: 'n',
      о: 'o',
      р: 'p',
      ԛ: 'q',
      г: 'r',
      я: 'r',
      ѕ: 's',
      т: 't',
      у: 'y',
      ѵ: 'v',
      ԝ: 'w',
      х: 'x',
    },
    ...{ ь: 'b', ц: 'u', ꜰ: 'f', օ: 'o', ս: 'u', հ: 'h', ո: 'n', ց: 'g', ı: I_OR_L, ι: I_OR_L, ß: 'ß' },
  }),
);

/** Scripts that nobody here writes a message in, besides Latin and Greek. Letters of others stay what they are. */
const ornamental =
  /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cherokee}\p{Script=Coptic}\p{Script=Lisu}\p{Script=Deseret}]/u;
const moreOrnamental = /[\p{Script=Canadian_Aboriginal}\p{Script=Runic}\p{Script=Old_Italic}]/u;
/** Circled and boxed letters and figures, regional indicators. */
const enclosed = /[\u2460-\u24ff\u2776-\u2793\u{1f100}-\u{1f1ff}]/u;

const obscenityTable = resolveConfusablesTransformer();

function confusedBy(character: string): string {
  // Simple: the table maps one character to one, without a state.
  if (!('transform' in obscenityTable)) return character;
  const code = character.codePointAt(0) as number;
  return String.fromCodePoint(obscenityTable.transform(code) ?? code).toLowerCase();
}

/** The letter that a reader sees: `а` (Cyrillic), `ɑ` and `🅰` are a. */
export function seenAs(character: string): string {
  if (character >= 'a' && character <= 'z') return character;
  const twin = twins.get(character);
  if (twin !== undefined) return twin;
  const isSure = ornamental.test(character) || moreOrnamental.test(character) || enclosed.test(character);
  return isSure ? confusedBy(character) : character;
}

export const leetLetterOf = (character: string): string | undefined => leetLetters.get(character);

const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

/** Undefined for what is no letter: spaces, punctuation, signs, pictures. */
export function kindOf(character: string): Exclude<Kind, 'leet'> | undefined {
  if (character >= 'a' && character <= 'z') return 'alphabet';
  if (/\p{Nd}/u.test(character)) return 'digit';
  if (!/[\p{L}\p{M}\p{N}]/u.test(character)) return undefined;
  if (/[\uac00-\ud7a3]/u.test(character)) return 'hangul';
  if (/[\u1100-\u11ff]/u.test(character)) return 'jamo';
  if (/[\p{Script=Katakana}ー]/u.test(character)) return 'katakana';
  return unspaced.test(character) ? 'unspaced' : 'alphabet';
}

/** Cyrillic and Greek words are shown as they were written, unless a Latin letter is among theirs. */
export const isOwnAlphabet = (character: string): boolean =>
  /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}]/u.test(character);

/** Marks of no script of their own: accents, and what is heaped on letters. Those of kana make other letters. */
const looseMarks = /[[\p{Script=Inherited}\p{Default_Ignorable_Code_Point}\p{Cf}]--[\u3099\u309a]]+/gv;
/** Marks of another script on a letter that has none. */
const foreignMarks = /(?<=[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hangul}])\p{M}+/gu;
/** A capital I among small letters may be an l. It becomes a dotless ı, which is I_OR_L above. */
const capitalI = /(?<=\p{Ll})I|I(?=\p{Ll})/gu;

/** Two Arabic phrases that are one character each, and would become 18 and 8. Here they are their abbreviations. */
const shortenedPhrases = (text: string): string =>
  text.replaceAll('\ufdfa', '\u0635\u0644\u0639\u0645').replaceAll('\ufdfb', '\u062c\u0644');

/**
 * The text in its plain form: NFKC, in small letters, without what is invisible and without marks. Marks go first,
 * because a normalisation sorts a heap of them slowly.
 */
export const plainText = (text: string): string =>
  shortenedPhrases(text)
    .replace(looseMarks, '')
    .normalize('NFKD')
    .replace(looseMarks, '')
    .normalize('NFKC')
    .replace(foreignMarks, '')
    .replace(capitalI, 'ı')
    .toLowerCase()
    .normalize('NFC');
