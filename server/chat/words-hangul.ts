/** Korean letters: parts of syllables that are written apart, drawn out vowels, and the endings of a word. */

const SYLLABLES_FROM = 0xac00;
const VOWELS = 21;
const FINALS = 28;
const SILENT_INITIAL = 11;

const initialOf = (character: string): number => character.charCodeAt(0) - 0x1100;
const isInitial = (character: string | undefined): character is string =>
  character !== undefined && /[\u1100-\u1112]/.test(character);
const isVowel = (character: string | undefined): character is string =>
  character !== undefined && /[\u1161-\u1175]/.test(character);

/** The final consonants in the order of Unicode, as the initial that looks alike; the first stands for none. */
const finalsAsInitials = [...'\0ᄀᄁ\0ᄂ\0\0ᄃᄅ\0\0\0\0\0\0\0ᄆᄇ\0ᄉᄊᄋᄌᄎᄏᄐᄑᄒ'];

const syllablePlace = (character: string | undefined): number | undefined => {
  const place = (character?.charCodeAt(0) ?? 0) - SYLLABLES_FROM;
  return place >= 0 && place < 19 * VOWELS * FINALS ? place : undefined;
};
const isOpen = (character: string | undefined): boolean => {
  const place = syllablePlace(character);
  return place !== undefined && place % FINALS === 0;
};

/** `ᄉ` and `ᅵ` are `시`. */
export function joinedSyllable(before: string | undefined, character: string): string | undefined {
  if (!isInitial(before) || !isVowel(character)) return undefined;
  const vowel = character.charCodeAt(0) - 0x1161;
  return String.fromCharCode(SYLLABLES_FROM + (initialOf(before) * VOWELS + vowel) * FINALS);
}

/**
 * `바` and `ᄅ` are `발`, unless the consonant begins the next syllable or is laughter or a sigh, as in `바보ㅋㅋ`: those
 * are doubled, or ㅋ or ㅎ.
 */
export function closedSyllable(
  before: string | undefined,
  character: string,
  next: string | undefined,
): string | undefined {
  if (before === undefined || !isOpen(before) || !isInitial(character)) return undefined;
  if (isVowel(next) || next === character || character === 'ᄏ' || character === 'ᄒ') return undefined;
  const final = finalsAsInitials.indexOf(character);
  return final === -1 ? undefined : String.fromCharCode(before.charCodeAt(0) + final);
}

/** Whether it only draws out the vowel before it: `이` in `시이발`. */
export function isDrawnOut(before: string | undefined, character: string): boolean {
  if (before === undefined || !isOpen(before)) return false;
  const vowel = Math.floor(((syllablePlace(before) as number) % (VOWELS * FINALS)) / FINALS);
  if (isVowel(character)) return character.charCodeAt(0) - 0x1161 === vowel;
  const place = syllablePlace(character);
  return place === (SILENT_INITIAL * VOWELS + vowel) * FINALS;
}

const shownInitials = [...'ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ'];

/** Parts of syllables as keyboards write them: `ㅋ`, not the joining form that NFKC makes of it. */
export const shownJamo = (text: string): string =>
  text
    .replace(/[\u1100-\u1112]/g, (character) => shownInitials[initialOf(character)] as string)
    .replace(/[\u1161-\u1175]/g, (character) =>
      String.fromCharCode(character.charCodeAt(0) - 0x1161 + 0x314f),
    );

/**
 * What may follow a banned word without a space and leave it the same word: particles, the plural, the copula, polite
 * endings, and the forms of 하다, which make a verb of a noun. Other syllables make another word: `시발점`.
 */
const endings = new Set(
  [
    ...[
      '은 는 이 가 을 를 의 에 도 만 로 으로 와 과 랑 이랑 나 이나 하고 에서 에게 한테 께 까지 부터 보다 처럼 밖에',
    ],
    ...[
      '아 야 이야 여 이여 들 들아 들이 들은 들을 들도 님 요 이요 네 이네 다 이다 임 입니다 인 인데 이라 라고 이라고',
    ],
    ...[
      '해 해요 해라 해서 하는 하다 하자 할 한 함 하면 하세요 하기 합니다 했다 했어 해줘 해주 해드려요 됨 됩니다',
    ],
  ].flatMap((line) => line.split(' ')),
);
export const ENDING_SYLLABLES_MAX = Math.max(...[...endings].map((ending) => ending.length));
export const isEnding = (syllables: string): boolean => endings.has(syllables);
