/**
 * A word as members might disguise it, and two texts that are no disguise. The server says of each whether it is
 * stopped. A way that changes nothing of a word is left out.
 */
export const ways = [
  'figures',
  'spaces',
  'dots',
  'wide',
  'lookAlike',
  'syllables',
  'repeated',
  'inside',
  'order',
] as const;
export type Way = (typeof ways)[number];
export type Disguise = { way: Way; text: string };

const figures: Record<string, string> = { a: '4', e: '3', i: '1', o: '0', s: '5' };
/** Cyrillic letters that look like Latin ones. */
const lookAlikes: Record<string, string> = { a: 'а', c: 'с', e: 'е', o: 'о', p: 'р', x: 'х', y: 'у' };

const HANGUL = /\p{Script=Hangul}/u;
const replaced = (text: string, table: Record<string, string>): string =>
  [...text].map((letter) => table[letter.toLowerCase()] ?? letter).join('');

/** Pulls the letters of the first of the words apart. */
const pulledApart = (words: readonly string[], between: string, gap: string): string =>
  [[...(words[0] ?? '')].join(between), ...words.slice(1)].join(gap);

const wideOf = (text: string): string =>
  text.replaceAll(/[!-~]/g, (letter) => String.fromCodePoint((letter.codePointAt(0) ?? 0) + 0xfee0));

const makers: Record<Way, (word: string, words: readonly string[]) => string> = {
  figures: (word) => replaced(word, figures),
  spaces: (_, words) => pulledApart(words, ' ', ' '),
  dots: (_, words) => pulledApart(words, '.', '-'),
  wide: (_, words) => [wideOf(words[0] ?? ''), ...words.slice(1)].join(' '),
  lookAlike: (word) => replaced(word, lookAlikes),
  // The parts of the first syllable by themselves.
  syllables: (word) =>
    HANGUL.test(word)
      ? [...word].map((letter, place) => (place === 0 ? partsOf(letter) : letter)).join('')
      : word,
  repeated: (word, words) =>
    HANGUL.test(word) ? word : words.map((one) => `${one}${(one.at(-1) ?? '').repeat(2)}`).join(' '),
  inside: (word) => `${HANGUL.test(word) ? '새' : 'care'}${word}`,
  order: (_, words) => words.toReversed().join(HANGUL.test(words[0] ?? '') ? ' 그리고 ' : ' for '),
};

const FIRST_SYLLABLE = 0xac00;
const initials = 'ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ';
const medials = 'ㅏㅐㅑㅒㅓㅔㅕㅖㅗㅘㅙㅚㅛㅜㅝㅞㅟㅠㅡㅢㅣ';
const finals = ' ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ';

/** The letters of a Korean syllable, as a keyboard types them. */
function partsOf(letter: string): string {
  const place = (letter.codePointAt(0) ?? 0) - FIRST_SYLLABLE;
  const [withMedial, last] = [Math.floor(place / finals.length), place % finals.length];
  const first = initials[Math.floor(withMedial / medials.length)];
  if (place < 0 || first === undefined) return letter;
  return `${first}${medials[withMedial % medials.length]}${finals[last]}`.trim();
}

export const disguisesOf = (word: string): Disguise[] => {
  const words = word.split(/\s+/).filter((one) => one !== '');
  return ways.map((way) => ({ way, text: makers[way](word, words) })).filter(({ text }) => text !== word);
};
