import { type LiteralNode, RegExpMatcher, SyntaxKind } from 'obscenity';
import { ENDING_SYLLABLES_MAX, isDrawnOut, isEnding } from './words-hangul.ts';
import { HIDDEN_VOWEL, I_OR_L, plainText, vowels } from './words-letters.ts';
import {
  lettersOf,
  looseKey,
  type Run,
  runsOf,
  type Signs,
  shownText,
  vowellessKey,
} from './words-reading.ts';

/**
 * The operator's banned words, found also in disguise: look-alike letters, figures and signs for letters, wide letters,
 * letters that are repeated or pulled apart, invisible characters, parts of Korean syllables.
 *
 * Two steps. obscenity's matcher names the words whose letters are in the message at all, with nothing between them.
 * Then each of these few is compared exactly: it has to begin and end where a word does, so `carefree points` and
 * `시발점` pass, and a short word must not be made of ordinary ones (`he'll`, `pen is`). A Korean word may have an ending
 * from the list in words-hangul.ts. Chinese, Japanese and Thai have no spaces, so their words are also found inside
 * others, except katakana's. Marks are not read: a Vietnamese word stands for all that differ in tone alone.
 *
 * A word of signs alone (`🍆`) is found wherever a message has these signs. A word of nothing visible is never found.
 */

export type Word = { id: bigint; word: string };
export type WordFilter = { find(message: string): { word: Word; readAs: string } | null };

/**
 * The word or message as the filter reads it; two words that read alike are one. A text of signs alone reads as the
 * signs. Empty only for a text of nothing visible.
 */
export function readAs(text: string): string {
  const shown = shownText(lettersOf(text, 'letters'));
  return shown === '' ? plainText(text).trim() : shown;
}

type Reading = { runs: Run[]; key: string; startsOf: Map<string, number[]> };

/** `isGapped`: the word itself has a gap between these equal letters. */
type WantedRun = Run & { isGapped: boolean };
type Wanted = { word: Word; runs: WantedRun[]; key: string; lettersCount: number; isLong: boolean };

/** Where a word begins and ends among the runs of a message, and how it was disguised. */
type Found = {
  from: number;
  to: number;
  breaks: number;
  signBreaks: number;
  gaps: number;
  stretches: number[];
};

/** Ordinary words of six letters are rarely made of the ends of others by chance. A syllable counts as three. */
const LONG_WEIGHT_MIN = 6;
const SYLLABLE_WEIGHT = 3;
/** No ordinary word has a letter three times. */
const STRETCHED_MIN = 3;

function isBoundary(before: Run | undefined, run: Run | undefined): boolean {
  if (before === undefined || run === undefined || run.gap !== 'none') return true;
  if (/^\p{M}/u.test(run.char)) return false;
  if (before.endKind === 'unspaced' || run.kind === 'unspaced') return true;
  return before.endKind !== run.kind;
}

/** `100free points`: a figure before a word is a number, unless it may be a letter of the word itself. */
const isStart = (runs: readonly Run[], at: number): boolean => {
  const [before, run] = [runs[at - 1], runs[at]];
  if (before?.endKind === 'alphabet' && run?.kind === 'leet') return run.gap !== 'none';
  return isBoundary(before, run);
};

function isEnd(runs: readonly Run[], at: number): boolean {
  const [last, next] = [runs[at - 1], runs[at]];
  if (last?.endKind === 'leet' && next?.kind === 'alphabet') return next.gap !== 'none';
  if (isBoundary(last, next)) return true;
  if (last?.endKind !== 'hangul') return false;
  let syllables = '';
  for (let place = at; place < runs.length && syllables.length <= ENDING_SYLLABLES_MAX; place++) {
    const run = runs[place] as Run;
    if (run.gap !== 'none' || run.kind !== 'hangul') break;
    syllables += run.char.repeat(Math.min(run.count, ENDING_SYLLABLES_MAX + 1));
  }
  return isEnding(syllables);
}

const fits = (wanted: string, char: string): boolean =>
  wanted === char ||
  (char === I_OR_L && (wanted === 'i' || wanted === 'l')) ||
  (wanted === I_OR_L && (char === 'i' || char === 'l')) ||
  (char === HIDDEN_VOWEL && (wanted === I_OR_L || vowels.includes(wanted)));

/** The word at this place of the message, in any disguise. */
function foundAt({ runs: wantedRuns }: Wanted, runs: readonly Run[], from: number): Found | undefined {
  const found: Found = { from, to: from, breaks: 0, signBreaks: 0, gaps: 0, stretches: [] };
  const isDone = (at: number, count: number, wanted: Run, next: Run | undefined) =>
    count >= wanted.count && (next === undefined ? isEnd(runs, at) : fits(next.char, runs[at]?.char ?? ''));
  let at = from;
  for (const [place, wanted] of wantedRuns.entries()) {
    let count = 0;
    for (let run = runs[at]; run !== undefined; run = runs[++at]) {
      if (count > 0 && isDone(at, count, wanted, wantedRuns[place + 1])) break;
      const isFitting = fits(wanted.char, run.char);
      const isDrawn = !isFitting && isDrawnOut(runs[at - 1]?.char, run.char) && at > from;
      if (!isFitting && !isDrawn) break;
      if (at > from && run.gap !== 'none') {
        const isBreak = count > 0 ? !wanted.isGapped : wanted.gap === 'none';
        found.gaps++;
        if (isBreak) found.breaks++;
        if (isBreak && run.gap === 'sign') found.signBreaks++;
      }
      if (isFitting) count += run.count;
    }
    if (count < wanted.count || (wanted.kind === 'digit' && count !== wanted.count)) return undefined;
    if (count > wanted.count) found.stretches.push(count);
  }
  return isEnd(runs, at) ? { ...found, to: at } : undefined;
}

/** A short word may be met by chance. Then only what nobody writes without intent is a disguise. */
function isDisguise({ isLong, lettersCount }: Wanted, found: Found): boolean {
  if (isLong) return true;
  const isSpelledOut = found.gaps + 1 >= lettersCount;
  const isPulledApart = found.breaks === 0 || isSpelledOut || found.breaks === found.signBreaks;
  const { stretches } = found;
  const isStretched =
    stretches.length === 0 || stretches.length > 1 || stretches.some((count) => count >= STRETCHED_MIN);
  return isPulledApart && isStretched;
}

function wantedOf(word: Word): Wanted {
  // A gap of the list's word may be in a message or not, so `f.r.e.e` in the list is also `free`.
  const runs = runsOf(lettersOf(word.word, 'letters'));
  const joined: WantedRun[] = [];
  for (const run of runs) {
    const last = joined.at(-1);
    if (last?.char === run.char && last.kind !== 'digit') {
      last.count += run.count;
      last.isGapped ||= run.gap !== 'none';
    } else joined.push({ ...run, isGapped: false });
  }
  const lettersCount = joined.reduce((sum, { count }) => sum + count, 0);
  const syllables = joined.filter(
    ({ kind }) => kind !== 'alphabet' && kind !== 'leet' && kind !== 'digit',
  ).length;
  const weight = lettersCount + syllables * (SYLLABLE_WEIGHT - 1);
  return { word, runs: joined, key: looseKey(joined), lettersCount, isLong: weight >= LONG_WEIGHT_MIN };
}

const startsFor = (char: string): string[] => {
  if (char === HIDDEN_VOWEL) return [...vowels, I_OR_L];
  return char === I_OR_L ? ['i', 'l', I_OR_L] : [char];
};

function readingOf(message: string, signs: Signs): Reading {
  const runs = runsOf(lettersOf(message, signs));
  const startsOf = new Map<string, number[]>();
  for (const [at, { char }] of runs.entries()) {
    if (!isStart(runs, at)) continue;
    for (const start of startsFor(char)) {
      const starts = startsOf.get(start);
      if (starts === undefined) startsOf.set(start, [at]);
      else starts.push(at);
    }
  }
  return { runs, key: looseKey(runs), startsOf };
}

/** Letters as they are: the operator's words are no patterns. */
const literal = (key: string): LiteralNode => ({
  kind: SyntaxKind.Literal,
  chars: [...key].map((character) => character.codePointAt(0) as number),
});

/** Its terms are numbered as the keys are. An empty key, of a word of vowels alone, has none. */
function createKeyMatcher(keys: readonly string[]): RegExpMatcher {
  return new RegExpMatcher({
    blacklistedTerms: keys.flatMap((key, id) => {
      const pattern = {
        nodes: [literal(key)],
        requireWordBoundaryAtStart: false,
        requireWordBoundaryAtEnd: false,
      };
      return key === '' ? [] : [{ id, pattern }];
    }),
  });
}

function findIn(wanted: Wanted, reading: Reading): Found | undefined {
  const [first] = wanted.runs;
  const chars = first?.char === I_OR_L ? ['i', 'l', I_OR_L] : [first?.char ?? ''];
  for (const char of chars)
    for (const from of reading.startsOf.get(char) ?? []) {
      const found = foundAt(wanted, reading.runs, from);
      if (found !== undefined && isDisguise(wanted, found)) return found;
    }
  return undefined;
}

/** The message around the word as it is read, with the word in its plain form. */
function readAround({ runs }: Reading, wanted: Wanted, { from, to }: Found): string {
  const shown = (part: readonly Run[]) =>
    shownText(
      part.flatMap((run) =>
        Array.from({ length: run.count }, () => run).map((letter, place) =>
          place === 0 ? letter : { ...letter, gap: 'none' as const },
        ),
      ),
    );
  const isTouching = runs[to]?.gap === 'none';
  const after = shown(runs.slice(to));
  return [
    shown(runs.slice(0, from)),
    `${readAs(wanted.word.word)}${isTouching ? after : ''}`,
    isTouching ? '' : after,
  ]
    .filter((part) => part !== '')
    .join(' ');
}

/** The ways in which a message has to be read: once if it has letters and spaces alone. */
function waysToRead(message: string): Signs[] {
  if (!/[^\p{L}\p{M}\s]/u.test(message)) return ['letters'];
  return message.normalize('NFKC').includes(HIDDEN_VOWEL)
    ? ['letters', 'gaps', 'letters and vowels']
    : ['letters', 'gaps'];
}

export function createWordFilter(words: readonly Word[]): WordFilter {
  const all = words.map(wantedOf);
  const wanted = all.filter(({ key }) => key !== '');
  const matcher = createKeyMatcher(wanted.map(({ key }) => key));
  const vowellessMatcher = createKeyMatcher(wanted.map(({ key }) => vowellessKey(key)));
  const signWords = all
    .filter(({ key }) => key === '')
    .map(({ word }) => ({ word, text: readAs(word.word) }))
    .filter(({ text }) => text !== '');

  /** Those whose letters are in the message, in the order of the list. */
  const possibleIn = ({ key }: Reading, signs: Signs): Wanted[] => {
    const matches =
      signs === 'letters and vowels'
        ? vowellessMatcher.getAllMatches(vowellessKey(key))
        : matcher.getAllMatches(key);
    const ids = new Set(matches.map(({ termId }) => termId));
    return wanted.filter((_, id) => ids.has(id));
  };

  return {
    find(message) {
      for (const signs of waysToRead(message)) {
        const reading = readingOf(message, signs);
        for (const one of possibleIn(reading, signs)) {
          const found = findIn(one, reading);
          if (found !== undefined) return { word: one.word, readAs: readAround(reading, one, found) };
        }
      }
      const plain = plainText(message);
      const word = signWords.find(({ text }) => plain.includes(text))?.word;
      return word === undefined ? null : { word, readAs: readAs(message) };
    },
  };
}
