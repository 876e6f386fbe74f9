import { LinkifyIt } from 'linkify-it';

/**
 * Finds links as a reader would: with or without a scheme, by the endings of hosts' names: those of countries, the
 * oldest ones, and these. A mail address counts too, because it leads out of the site.
 */
const ENDINGS = [
  ...[
    'app',
    'bet',
    'bot',
    'casino',
    'cash',
    'click',
    'club',
    'dev',
    'fun',
    'games',
    'group',
    'icu',
    'life',
    'link',
  ],
  ...[
    'live',
    'money',
    'online',
    'page',
    'shop',
    'site',
    'space',
    'store',
    'tech',
    'today',
    'top',
    'vip',
    'website',
  ],
  ...['win', 'world', 'xyz', 'zone'],
];
const links = new LinkifyIt({ fuzzyLink: true, fuzzyEmail: true, fuzzyIP: true }).tlds(ENDINGS, true);

/** A text in plain letters, with the dots of other scripts, and without what is not shown. */
const plainOf = (text: string): string =>
  text
    .normalize('NFKC')
    .replaceAll(/[\p{Cf}\p{Mn}]/gu, '')
    .replaceAll(/[。｡．]/g, '.');

/** The first link in a text, in plain letters; null without one. */
export const findLink = (text: string): string | null => links.match(plainOf(text))?.[0]?.raw ?? null;
