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
  /** The member's task. */
  task: string;
  minutes: number;
  /** The member's reward. The site gets twice its worth. */
  points: bigint;
  /** The reward for a screen-out. 0 if the company pays none. */
  screenOutPoints: bigint;
  /** Its entry in the sandbox's catalogue; null if it has none. */
  listing: Listing | null;
};

export type Listing = {
  category: TaskCategory | SurveyCategory;
  hoursAgo: number;
  titleKo: string;
  taskKo: string;
};

/** A form in which a company sends its postbacks. An account has one form. */
export type WallForm = { id: string; name: string };

export type WallCall = {
  action: 'complete' | 'screen-out' | 'reverse';
  memberRef: string;
  transactionId: string;
  points: bigint;
  offer: Pick<Offer, 'id' | 'title'>;
  /** The member's own address, which some companies pass on. */
  memberAddress: string;
  /** One of the wall's forms. Defaults to the first. */
  form?: string;
};

export type SentPostback = {
  method: 'GET' | 'POST';
  query: string;
  headers: Readonly<Record<string, string>>;
  body: string;
};

/** The parts of the URL that opens a wall. */
export type WallVisit = { query: unknown; params: unknown };

export type Wall = {
  /** The hue of its page, in degrees. */
  hue: number;
  /** The public id of the site at the company. */
  apiKey: string;
  /** The path after the provider's id, such as `/:wall`. */
  path: string;
  hasScreenOuts: boolean;
  /** The forms, if there are several. A new account has the first. */
  forms: readonly WallForm[];
  /** The share of the demo world's rewards from this wall; 0 for none. */
  demoShare: number;
  offers: readonly Offer[];
  /** Makes an id in the company's form from a new number. */
  transactionIdOf(number: string): string;
  /** Finds the member whose wall is opened. Undefined if the URL is invalid. */
  findVisitor(visit: WallVisit, secret: string): string | undefined;
  /** Makes a call to `address`, the site's public URL, because several companies sign the whole URL. */
  postback(address: string, call: WallCall, secret: string): SentPostback;
};

/** Makes an offer without a reward for a screen-out. */
export const offer = (
  id: string,
  title: string,
  task: string,
  minutes: number,
  points: bigint,
  listing: Listing | null = null,
): Offer => ({ id, title, task, minutes, points, screenOutPoints: 0n, listing });

/** Makes a survey, which pays 5 points for a screen-out. */
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

/** The company's payout to the site for these points, in dollars: twice their worth. */
export function dollarsOf(points: bigint): string {
  const paid = points * 2n;
  return `${paid / POINTS_PER_USD}.${String(paid % POINTS_PER_USD).padStart(3, '0')}`;
}

/** Encodes like PHP's rawurlencode. */
export const percentEncoded = (text: string): string =>
  encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );

export const byQuery = (query: string): SentPostback => ({ method: 'GET', query, headers: {}, body: '' });

/** A member's id in a URL, and the site's public id. */
export const visitor = z.string().regex(/^[\w-]{1,65}$/);
export const addressKey = z.string().min(1).max(500);
