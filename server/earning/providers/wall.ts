import { createHash } from 'node:crypto';
import { z } from 'zod';
import { POINTS_PER_USD } from '#contract/points.ts';
import type { SurveyCategory, TaskCategory } from '../catalogue-queries.ts';

/**
 * The shape of a provider's `<id>/wall.ts`: its wall in the sandbox, with offers, page address and signed postbacks.
 * A wall follows the company's documentation and uses no code of the adapter, so that a mistake on either side shows.
 * Only the sandbox loads these files.
 */
export type Offer = {
  id: string;
  title: string;
  /** What is asked of the member. */
  task: string;
  minutes: number;
  /** The member's reward. The site gets twice its worth. */
  points: bigint;
  /** What being screened out pays, where the company pays for it. */
  screenOutPoints: bigint;
  /** Its entry in the catalogue of the sandbox; null where it has none. */
  listing: Listing | null;
};

export type Listing = {
  category: TaskCategory | SurveyCategory;
  hoursAgo: number;
  titleKo: string;
  taskKo: string;
};

/** One of several ways in which a company sends its postbacks; accounts have one of them. */
export type WallForm = { id: string; name: string };

export type WallCall = {
  action: 'complete' | 'screen-out' | 'reverse';
  memberRef: string;
  transactionId: string;
  points: bigint;
  offer: Pick<Offer, 'id' | 'title'>;
  /** The member's own address, which some companies pass on. */
  memberAddress: string;
  /** One of the wall's forms; the first where none is named. */
  form?: string;
};

export type SentPostback = {
  method: 'GET' | 'POST';
  query: string;
  headers: Readonly<Record<string, string>>;
  body: string;
};

/** What a wall reads of the address that opens it. */
export type WallVisit = { query: unknown; params: unknown };

export type Wall = {
  /** The hue of its page, in degrees. */
  hue: number;
  /** The public id that the site has at the company. */
  apiKey: string;
  /** What stands in its address behind the provider's id, such as `/:wall`. */
  path: string;
  hasScreenOuts: boolean;
  /** Where there is more than one; the first is what a new account has. */
  forms: readonly WallForm[];
  /** The part of the demo world's rewards that come from here; 0 for none. */
  demoShare: number;
  offers: readonly Offer[];
  /** An id as the company writes it, from a number that was not used before. */
  transactionIdOf(number: string): string;
  /** Whose wall is opened; undefined where the address is not right. */
  findVisitor(visit: WallVisit, secret: string): string | undefined;
  /** A call to `address`, which is the site's public one: several companies sign it whole. */
  postback(address: string, call: WallCall, secret: string): SentPostback;
};

/** An offer that pays nothing for a screen-out. */
export const offer = (
  id: string,
  title: string,
  task: string,
  minutes: number,
  points: bigint,
  listing: Listing | null = null,
): Offer => ({ id, title, task, minutes, points, screenOutPoints: 0n, listing });

/** A survey, which pays 5 points to whom it does not fit. */
export const survey = (...parts: Parameters<typeof offer>): Offer => ({
  ...offer(...parts),
  screenOutPoints: 5n,
});

export const listed = (
  category: Listing['category'],
  hoursAgo: number,
  titleKo: string,
  taskKo: string,
): Listing => ({ category, hoursAgo, titleKo, taskKo });

export const md5 = (text: string): string => createHash('md5').update(text, 'utf8').digest('hex');

export type QueryParameters = readonly (readonly [name: string, value: string])[];

export const queryOf = (parameters: QueryParameters): string =>
  parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');

/** What the site is paid for so many points, in dollars: twice their worth. */
export function dollarsOf(points: bigint): string {
  const paid = points * 2n;
  return `${paid / POINTS_PER_USD}.${String(paid % POINTS_PER_USD).padStart(3, '0')}`;
}

/** As PHP's rawurlencode writes text. */
export const percentEncoded = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );

export const byQuery = (query: string): SentPostback => ({ method: 'GET', query, headers: {}, body: '' });

/** A member's id in an address, and the public id beside it. */
export const visitor = z.string().regex(/^[\w-]{1,65}$/);
export const addressKey = z.string().min(1).max(500);
