import { LinkifyIt } from 'linkify-it';
import tlds from 'tlds' with { type: 'json' };

/**
 * Finds links as a reader would: with or without a scheme, by the endings of hosts' names. A mail address counts too,
 * because it leads out of the site.
 */
const links = new LinkifyIt({ fuzzyLink: true, fuzzyEmail: true, fuzzyIP: true }).tlds(tlds);

/** After these endings and those of countries, a bare name is a link. After others it may be two sentences. */
const BARE_ENDINGS = new Set(
  (
    'biz com edu gov info net org pro рф app bet bot casino cash click club dev fun games group icu life link live ' +
    'money online page shop site space store tech today top vip website win world xyz zone'
  ).split(' '),
);

/** Endings of countries that are usual words: people leave the space out, as in `ok.so`. */
const WORDS = new Set('am as at be by do id im in is it me my no pm so to us'.split(' '));
const WITH_SCHEME = /^(?:[a-z]+:|\/\/|www\.)/i;
const WITH_PATH = /[/?#:]/;
/** A name like `bet-365`, which no sentence ends with. */
const MADE_UP = /^(?=.*[a-z]).*[\d-]/i;

/** A text in plain letters, with the dots of other scripts and disguised ones, and without what is not shown. */
const plainOf = (text: string): string =>
  text
    .normalize('NFKC')
    .replaceAll(/[\p{Cf}\p{Mn}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replaceAll(/[。｡．]/g, '.')
    .replaceAll(/\s*(?:\[\.\]|\(\.\))\s*/g, '.')
    .replaceAll(/\bhxxp(s?:)/gi, 'http$1');

type Match = NonNullable<ReturnType<typeof links.match>>[number];

/** Whether a match is a link, and not the end of a sentence with the first word of the next one. */
function isLink({ schema, raw }: Match): boolean {
  if (schema !== '' || WITH_SCHEME.test(raw) || WITH_PATH.test(raw)) return true;
  const names = raw.toLowerCase().split('.');
  const ending = names.at(-1) ?? '';
  if (/^\d+$/.test(ending) || names.slice(0, -1).some((name) => MADE_UP.test(name))) return true;
  return BARE_ENDINGS.has(ending) || (/^[a-z]{2}$/.test(ending) && !WORDS.has(ending));
}

/** The first link in a text, in plain letters; null without one. */
export const findLink = (text: string): string | null =>
  links.match(plainOf(text))?.find(isLink)?.raw ?? null;
