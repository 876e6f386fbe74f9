import { closedSyllable, isDrawnOut, joinedSyllable, shownJamo } from './words-hangul.ts';
import {
  edgeSigns,
  HIDDEN_VOWEL,
  I_OR_L,
  isOwnAlphabet,
  type Kind,
  kindOf,
  leetLetterOf,
  plainText,
  seenAs,
} from './words-letters.ts';

/** A text as a sequence of letters, with what stood between them. */

/** What stood before a letter. `sign` is anything without a space or an apostrophe. */
export type Gap = 'none' | 'apostrophe' | 'sign' | 'space';

export type Letter = {
  char: string;
  kind: Kind;
  gap: Gap;
  /** As it was written, in the plain form. */
  written: string;
};

/** Equal letters of one token, such as `eee`. */
export type Run = Letter & { count: number; endKind: Kind };

/**
 * Signs are read as letters (`po!nts`), or as what separates them (`시!발`, `free!points`). A message is read both ways,
 * and a third time with `*` as a vowel besides, if it has one.
 */
export type Signs = 'letters' | 'gaps' | 'letters and vowels';

const isSpace = (character: string) => /[\s\p{Z}\p{Cc}]/u.test(character);
const isApostrophe = (character: string) => /['’‘`´ʼ]/u.test(character);
const gapOf = (character: string): Gap =>
  isSpace(character) ? 'space' : isApostrophe(character) ? 'apostrophe' : 'sign';

const gapsByWidth: readonly Gap[] = ['none', 'apostrophe', 'sign', 'space'];
const widerGap = (one: Gap, other: Gap): Gap =>
  gapsByWidth.indexOf(one) > gapsByWidth.indexOf(other) ? one : other;

/** Letters, figures and signs that may be letters. Whether they are depends on their neighbours, see `readLeet`. */
function readLetters(plain: string, signs: Signs): Letter[] {
  const letters: Letter[] = [];
  let gap: Gap = 'none';
  for (const written of plain) {
    const char = seenAs(written);
    const isSign =
      written === HIDDEN_VOWEL
        ? signs === 'letters and vowels'
        : signs !== 'gaps' && leetLetterOf(written) !== undefined;
    const kind = kindOf(char) ?? kindOf(written) ?? (isSign ? 'leet' : undefined);
    if (kind === undefined || isApostrophe(written)) gap = widerGap(gap, gapOf(written));
    else {
      letters.push({ char, kind, gap, written });
      gap = 'none';
    }
  }
  return letters;
}

/** The letters of one token: nothing stands between them. */
function tokensOf(letters: readonly Letter[]): Letter[][] {
  const tokens: Letter[][] = [];
  for (const letter of letters) {
    if (letter.gap === 'none' && tokens.length > 0) tokens.at(-1)?.push(letter);
    else tokens.push([letter]);
  }
  return tokens;
}

const isAlphabet = ({ kind }: Letter) => kind === 'alphabet';
const isHangul = (letter: Letter | undefined) => letter?.kind === 'hangul' || letter?.kind === 'jamo';

const FIGURES_IN_HANGUL_MAX = 3;

function isBetweenHangul(token: readonly Letter[], place: number): boolean {
  let [from, to] = [place, place];
  while (token[from]?.kind === 'digit' && place - from < FIGURES_IN_HANGUL_MAX) from--;
  while (token[to]?.kind === 'digit' && to - place < FIGURES_IN_HANGUL_MAX) to++;
  return isHangul(token[from]) && isHangul(token[to]);
}

/** A token whose figures and signs are letters. Signs at its edges, such as a final `!`, are none. */
function leetToken(token: readonly Letter[]): (Letter | Gap)[] {
  const isInside = ({ written }: Letter) => token.length === 1 || !edgeSigns.test(written);
  const [first, last] = [token.findIndex(isInside), token.findLastIndex(isInside)];
  return token.map((letter, place) => {
    if (place < first || place > last) return widerGap(letter.gap, 'sign');
    const char = letter.kind === 'digit' || letter.kind === 'leet' ? leetLetterOf(letter.char) : undefined;
    return char === undefined ? letter : { ...letter, char, kind: 'leet' };
  });
}

/** A token whose figures are a number. Signs are nothing, and so is `1` in `시1발` when signs are gaps. */
const plainToken = (token: readonly Letter[], signs: Signs): (Letter | Gap)[] =>
  token.map((letter, place) => {
    const isNothing = letter.kind === 'leet' || (signs === 'gaps' && isBetweenHangul(token, place));
    return isNothing && !isHangul(letter) ? widerGap(letter.gap, 'sign') : letter;
  });

/**
 * Figures and signs are letters in a token with a letter of an alphabet (`fr3e`), and where they stand alone beside a
 * lone letter (`f r 3 3`).
 */
function readLeet(letters: readonly Letter[], signs: Signs): Letter[] {
  const tokens = tokensOf(letters);
  const isLone = (at: number) => tokens[at]?.length === 1;
  const read: Letter[] = [];
  let isAfterLoneLetter = false;
  let gap: Gap = 'none';
  for (const [at, token] of tokens.entries()) {
    const isBeforeLoneLetter = isLone(at + 1) && (tokens[at + 1] ?? []).every(isAlphabet);
    const areLetters: boolean =
      token.some(isAlphabet) || (isLone(at) && (isAfterLoneLetter || isBeforeLoneLetter));
    for (const letter of areLetters ? leetToken(token) : plainToken(token, signs)) {
      if (typeof letter === 'string') gap = widerGap(gap, letter);
      else {
        read.push({ ...letter, gap: widerGap(gap, letter.gap) });
        gap = 'none';
      }
    }
    isAfterLoneLetter = isLone(at) && areLetters;
  }
  return read;
}

/** Composes Korean syllables, also across what stands between their parts. */
function composeHangul(letters: readonly Letter[]): Letter[] {
  const composed: Letter[] = [];
  // What stood between the parts of the last syllable. A consonant after a space belongs to it only if they were
  // spaced too.
  let within: Gap = 'none';
  for (const [at, letter] of letters.entries()) {
    const before = composed.at(-1);
    const joined = joinedSyllable(before?.char, letter.char);
    const mayClose = letter.gap !== 'space' || within === 'space';
    const char =
      joined ?? (mayClose ? closedSyllable(before?.char, letter.char, letters[at + 1]?.char) : undefined);
    if (char === undefined || before === undefined) composed.push(letter);
    else composed[composed.length - 1] = { ...before, char, kind: 'hangul', written: char };
    within = joined === undefined ? 'none' : letter.gap;
  }
  return composed;
}

export function lettersOf(text: string, signs: Signs): Letter[] {
  return composeHangul(readLeet(readLetters(plainText(text), signs), signs));
}

/** Numbers keep each figure, and two of `1` or `*` may be different letters. */
const isCounted = ({ kind, char }: Letter) => kind !== 'digit' && char !== I_OR_L && char !== HIDDEN_VOWEL;

export function runsOf(letters: readonly Letter[]): Run[] {
  const runs: Run[] = [];
  for (const letter of letters) {
    const last = runs.at(-1);
    if (last !== undefined && letter.gap === 'none' && last.char === letter.char && isCounted(letter)) {
      last.count++;
      last.endKind = letter.kind;
    } else runs.push({ ...letter, count: 1, endKind: letter.kind });
  }
  return runs;
}

/**
 * The letters alone, each once, with i and l as one, without drawn out vowels. If a message has a word in any disguise,
 * then its key contains the word's.
 */
export function looseKey(runs: readonly Run[]): string {
  const key: string[] = [];
  let syllable: string | undefined;
  for (const { char } of runs) {
    const folded = char === 'l' || char === 'i' ? I_OR_L : char;
    if (isDrawnOut(syllable, char)) continue;
    syllable = char;
    if (key.at(-1) !== folded) key.push(folded);
  }
  return key.join('');
}

/** A key without its vowels and without i and l, for messages with hidden vowels. */
export const vowellessKey = (key: string): string => key.replace(/[aeouy|*]/g, '');

const shownLetters = (token: readonly Letter[]): string => {
  const isOwn = token.every(({ written, kind }) => kind !== 'alphabet' || isOwnAlphabet(written));
  return token.map(({ char, written, kind }) => (isOwn && kind === 'alphabet' ? written : char)).join('');
};

/** How many lone letters make a word: two Korean syllables, three letters of an alphabet. */
const isSpelledOut = (lone: readonly Letter[]): boolean => lone.length >= (lone.every(isHangul) ? 2 : 3);

/** The text as an operator reads it: one space between words, spelled out words joined, at most two equal letters. */
export function shownText(letters: readonly Letter[]): string {
  const words: string[] = [];
  let lone: Letter[] = [];
  const endLone = () => {
    if (isSpelledOut(lone)) words.push(lone.map(({ char }) => char).join(''));
    else words.push(...lone.map((letter) => shownLetters([letter])));
    lone = [];
  };
  const tokens = tokensOf(
    letters.map((letter) => (letter.gap === 'apostrophe' ? { ...letter, gap: 'none' } : letter)),
  );
  for (const token of tokens) {
    const [first] = token;
    if (token.length === 1 && first !== undefined && first.kind !== 'digit') lone.push(first);
    else {
      endLone();
      words.push(shownLetters(token));
    }
  }
  endLone();
  const text = words.filter((word) => word !== '').join(' ');
  return shownJamo(text)
    .replaceAll('||', 'll')
    .replaceAll(I_OR_L, 'i')
    .replace(/(\P{Nd})\1{2,}/gu, '$1$1');
}
