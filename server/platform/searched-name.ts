/** A word of one letter alone matches too many names. More words than this are no name, but each would be looked up. */
const LETTERS_MIN = 2;
const WORDS_MAX = 6;

const HANGUL = /^\p{Script=Hangul}+$/u;

const beginningWith = (word: string): string => `'${word.replaceAll('\\', '\\\\')}':*`;

/**
 * The condition on the words of a name (`members.name_words`) that somebody searches, as text of a `tsquery`; null for
 * a text that is no name. The words may have any order, and each may be the beginning of one. The parts of a Korean
 * name are found as one word, because a family name of one syllable alone is that of every fifth member.
 */
export function searchedName(text: string): string | null {
  const words = text
    .normalize('NFC')
    .toLowerCase()
    .split(/[\s\-'’.,·]+/)
    .filter((word) => word !== '');
  const whole = words.join('');
  const letterCount = whole.match(/\p{L}/gu)?.length ?? 0;
  if (text.includes('@') || letterCount < LETTERS_MIN || words.length > WORDS_MAX) return null;
  return (HANGUL.test(whole) ? [whole] : words).map(beginningWith).join(' & ');
}
