import { LinkifyIt } from 'linkify-it';

/**
 * Finds links as a reader would: with or without a scheme, by the endings of hosts' names: those of countries, the
 * oldest ones, and these. A mail address counts too, because it leads out of the site.
 */
const ENDINGS = [
  'app',
  'click',
  'dev',
  'link',
  'live',
  'online',
  'shop',
  'site',
  'store',
  'top',
  'vip',
  'xyz',
];
const links = new LinkifyIt({ fuzzyLink: true, fuzzyEmail: true, fuzzyIP: true }).tlds(ENDINGS, true);

/** The first link in a text, as it is written there; null without one. */
export const findLink = (text: string): string | null => links.match(text)?.[0]?.raw ?? null;
